import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests.unit.evaluation.studies.kinds.sources import small


@pytest.fixture
def arguments(write):
    def qrels(name, grades):
        return write(name, "".join(f"{q} 0 {p} {grade}\n" for q, known in grades.items() for p, grade in known.items()))

    def run(tag, rankings):
        rows = [f"{q} Q0 {p} 0 {-rank} {tag}\n" for q, names in rankings.items() for rank, p in enumerate(names)]
        return write(f"{tag}.run", "".join(rows))

    found = ["--people", qrels("people", small.PEOPLE), "--model", qrels("model", small.MODEL)]
    found += [part for tag, rankings in small.RUNS.items() for part in ("--run", run(tag, rankings))]
    return [*found, "--scale", "0-1", "--measure", "P@2", "--resamples", "50"]


def test_it_answers_from_files_what_the_study_finds(answer, arguments, write):
    lines = [
        json.dumps({"query_id": topic, "passage_id": name, "grade": None, "probabilities": probabilities})
        for topic, known in small.CHANCES.items()
        for name, probabilities in known.items()
    ]
    predictions = write("predictions.jsonl", "\n".join(lines) + "\n")
    told = answer("source_study", *arguments, "--calibrated", predictions, "--json")
    means = {each["name"]: {row["system"]: row["mean"] for row in each["systems"]} for each in told["labels"]}
    assert means["calibrated"] == {"bm25": 0.75, "dense": 0.125, "gpt-ranker": 0.375}
    assert means["model"] == {"bm25": 0.5, "dense": 0.75, "gpt-ranker": 0.75}
    assert told["grades_left_out"][0] == {"file": arguments[1], "off_scale": 0, "negative": 1}


def test_assessors_and_families_come_from_files(answer, arguments, write):
    ann, bob = write("ann", "q1 0 a 1\n"), write("bob", "q1 0 a 0\n")
    families = write("families", "gpt-ranker\tGPT-4\n")
    told = answer(
        "source_study", *arguments, "--assessor", ann, "--assessor", bob, "--families", families,
        "--judge-family", "gpt-4o", "--consensus", "MEDIAN", "--json",
    )  # fmt: skip
    assert [each["assessor"] for each in told["assessors"]] == [ann, bob]
    assert told["labels"][1]["against"]["circularity"]["systems"] == ["gpt-ranker"]


def test_as_text_the_findings_come_first(arguments):
    stdout = io.StringIO()
    call_command("source_study", *arguments, stdout=stdout)
    assert stdout.getvalue().startswith("Under people and model tau-b is undefined")


def test_a_model_is_needed(arguments):
    with pytest.raises(CommandError, match="--model or --calibrated is needed") as caught:
        call_command("source_study", *arguments[:2], *arguments[4:])
    assert caught.value.returncode == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gpt-ranker GPT\n", "families, line 1: no run tag and model families with a tab"),
        ("a\tGPT\na\tBERT\n", "families, line 2: 'a' again"),
    ],
)
def test_a_line_of_families_that_cannot_be_read_is_named(arguments, write, text, sentence):
    with pytest.raises(CommandError, match=sentence) as caught:
        call_command("source_study", *arguments, "--families", write("families", text))
    assert caught.value.returncode == 2
