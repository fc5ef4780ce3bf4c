import io

import pytest
from django.core.management import CommandError, call_command

from annotate.formats import runs
from tests.unit.evaluation.studies.kinds.profiles import small


@pytest.fixture
def arguments(write, tmp_path):
    """The small study as files."""

    def qrels(grades):
        return "".join(f"{q} 0 {p} {grade}\n" for q, known in grades.items() for p, grade in known.items())

    def given(option, tag, rankings):
        path = tmp_path / f"{option}{tag}"
        with path.open("wb") as stream:
            runs.write_run(small.ranked(tag, rankings), stream)
        return [option, str(path)]

    listed = "".join("\t".join(map(str, variant[:4])) + "\n" for variant in small.VARIANTS)
    found = ["--qrels", write("before", qrels(small.BEFORE)), "--filled", write("after", qrels(small.AFTER))]
    found += ["--variants", write("variants.tsv", listed), "--measure", "P@2"]
    for option, rankings in (("--run", small.RUNS), ("--seed-run", small.SEED)):
        found += [part for tag, own in rankings.items() for part in given(option, tag, own)]
    return found


def test_it_answers_from_files_what_the_study_finds(answer, arguments):
    told = answer("profile_study", *arguments, "--json", "--resamples", "50")
    assert [side["grades"] for side in told["sides"]] == [arguments[1], arguments[3]]
    cells = {(cell["system"], cell["profile"]): cell["mean"] for cell in told["sides"][1]["means"]["cells"]}
    assert cells["bm25", "expert"] == 0.75
    assert told["grades_left_out"][0] == {"file": arguments[1], "off_scale": 0, "negative": 0}
    assert told["intervals"] == {
        "method": "percentile bootstrap",
        "over": "topics",
        "coverage": 0.95,
        "resamples": 50,
        "seed": 0,
    }


def test_chances_fill_what_the_qrels_leave_open_with_expected_gains(answer, arguments, write):
    lines = ['{"query_id": "q1", "passage_id": "c", "grade": null, "probabilities": [0.75, 0.25, 0, 0]}']
    lines += ['{"query_id": "q2", "passage_id": "a", "grade": null, "probabilities": [1, 0, 0, 0]}']
    file = write("chances.jsonl", "\n".join(lines))
    told = answer("profile_study", *arguments[:2], *arguments[4:], "--chances", file, "--json", "--resamples", "50")
    assert told["chances"] == {
        "file": file,
        "filling_holes": 1,
        "graded_already": 1,
        "of_other_topics": 0,
        "without_probabilities": 0,
    }
    before, after = told["sides"]
    assert (before["by_chances"], after["by_chances"], after["grades"]) == (0, 1, file)
    means = [
        {(cell["system"], cell["profile"]): cell["mean"] for cell in each["means"]["cells"]} for each in (before, after)
    ]
    # "ac" for q1: a is relevant, c is with .25.
    assert means[1]["bm25", "expert"] - means[0]["bm25", "expert"] == pytest.approx(0.25 / 2 / 2)


def test_methods_are_known_of_own_profiles_and_a_file_may_tell_others(answer, arguments, write):
    told = answer("profile_study", *arguments, "--json", "--methods", write("methods", "expert\tpersona\n"))
    assert told["profiles"] == [{"profile": "child", "method": "group"}, {"profile": "expert", "method": "persona"}]


def test_as_text_the_findings_come_first_and_the_facts_stand_once(arguments):
    stdout = io.StringIO()
    call_command("profile_study", *arguments, stdout=stdout)
    text = stdout.getvalue()
    assert text.startswith("In the mean over the systems P@2 is highest with the variants of expert")
    assert text.count("seed 0") == 1
    assert "\nThree-way analysis of variance; 2 topics, 2 systems\neffect " in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--methods", "nowhere"], "nowhere: .*No such file"),
        (["--resamples", "0"], "'0' is no whole number from 1 to 100,000"),
        (["--variants-as", "replicates"], "average the variants, or give equally many"),
    ],
)
def test_what_cannot_be_answered_has_its_sentence(arguments, options, sentence):
    with pytest.raises(CommandError, match=sentence) as caught:
        call_command("profile_study", *arguments, *options)
    assert caught.value.returncode in (1, 2)


def test_a_line_of_methods_without_a_tab_is_named(arguments, write):
    with pytest.raises(CommandError, match="methods, line 1: no profile and method with a tab") as caught:
        call_command("profile_study", *arguments, "--methods", write("methods", "child group\n"))
    assert caught.value.returncode == 2
