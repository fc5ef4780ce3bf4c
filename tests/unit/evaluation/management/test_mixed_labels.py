"""`manage.py mixed_labels` from files: drawing a design, giving it back with people's grades, and its refusals."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

TOPICS = [f"q{number}" for number in range(4)]
NAMES = [f"p{number}" for number in range(10)]


def qrels(grade_of):
    return "".join(f"{topic} 0 {name} {grade_of(topic, name)}\n" for topic in TOPICS for name in NAMES)


def truth(topic, name):
    return max(0, 3 - (int(name[1:]) + int(topic[1:])) // 3)


@pytest.fixture
def files(write):
    def run(tag, names):
        rows = [f"{topic} Q0 {name} 0 {-rank} {tag}\n" for topic in TOPICS for rank, name in enumerate(names)]
        return write(f"{tag}.run", "".join(rows))

    runs = [run("up", NAMES), run("down", NAMES[::-1])]
    model = write("model.qrels", qrels(lambda topic, name: min(3, truth(topic, name) + 1)))
    return [part for path in runs for part in ("--run", path)] + ["--model", model]


@pytest.fixture
def design(answer, files, write):
    return write("design.json", json.dumps(answer("mixed_labels", *files, "--sample", "0.8", "--seed", "3")))


@pytest.fixture
def people(write):
    return write("people.qrels", qrels(truth))


def refusal(*arguments):
    """Exit code, what was answered, the sentence."""
    stdout = io.StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("mixed_labels", *arguments, stdout=stdout)
    return refused.value.returncode, stdout.getvalue(), str(refused.value)


def test_a_design_that_was_drawn_and_judged_gives_intervals(answer, files, design, people):
    told = answer("mixed_labels", *files, "--design", design, "--people", people, "--json")
    assert (told["refused"], told["seed"], told["sample"], told["frame"]) == ([], 3, 32, 40)
    down, up = told["systems"]
    assert (down["run_tag"], up["run_tag"]) == ("down", "up")
    assert down["low"] < down["value"] < down["high"] < up["low"] < up["high"]
    assert told["pairs"][0]["differing"] == 32


def test_the_words_have_both_tables(files, design, people):
    stdout = io.StringIO()
    call_command("mixed_labels", *files, "--design", design, "--people", people, stdout=stdout)
    assert "DCG@10 over its greatest value with 95 % intervals, 32 pairs judged" in stdout.getvalue()
    assert "second ahead" in stdout.getvalue() or "first ahead" in stdout.getvalue()


def test_the_reference_is_not_sampled(answer, files, people, write):
    known = ["--reference", write("reference.qrels", "".join(f"{topic} 0 p0 3\n" for topic in TOPICS))]
    drawn = answer("mixed_labels", *files, *known, "--sample", "1")
    assert drawn["frame"]["pairs"] == 36
    path = write("known.json", json.dumps(drawn))
    told = answer("mixed_labels", *files, *known, "--design", path, "--people", people, "--json")
    assert all(system["low"] == system["value"] == system["high"] for system in told["systems"])
    assert refusal(*files, "--design", path, "--people", people)[0] == 1


def test_a_refusal_is_told_in_full_and_ends_with_1(files, design, people, write):
    others = [*files[:-1], write("other.qrels", qrels(lambda topic, name: 0))]
    code, told, _ = refusal(*others, "--design", design, "--people", people, "--json")
    assert (code, [each["name"] for each in json.loads(told)["refused"]]) == (1, ["changed model"])
    code, words, _ = refusal(*files[:2], *files[4:], "--design", design, "--people", people)
    assert code == 1 and "The runs are not those that the sample was drawn for" in words
    few = write("few.qrels", "q0 0 p0 3\n")
    code, words, _ = refusal(*files, "--design", design, "--people", few)
    assert code == 1 and "nobody has judged yet" in words


@pytest.mark.parametrize(
    "said, sentence",
    [
        ([], "give the runs as --run FILE"),
        (["--sample", "1.5"], "the share of each topic is above 0 and at most 1"),
        (["--method", "imputation"], "they repeat the judge's bias"),
        (["--gain", "cube"], "is not linear"),
    ],
)
def test_wrong_use_ends_with_2(files, said, sentence):
    arguments = [*files, *said] if said else ["--sample", "0.2"]
    code, _, words = refusal(*arguments)
    assert code == 2 and sentence in words


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("no json", "cannot be read as the JSON of a design"),
        ("[1]", "an object was expected"),
        ("{}", "the design has no 'unit'"),
        ("[" * 100_000, "cannot be read as the JSON of a design"),
    ],
)
def test_what_is_no_design_ends_with_2(files, people, write, text, sentence):
    code, _, words = refusal(*files, "--design", write("design.json", text), "--people", people)
    assert code == 2 and sentence in words
