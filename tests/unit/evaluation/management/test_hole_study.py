import json

import pytest
from django.core.management import CommandError

GRADES = {"d0": 3, "d1": 2, "d2": 1, "d3": 0, "d4": 0}
TOPICS = [f"q{number}" for number in range(6)]
ORDERS = {"good": "d0 d1 d2 d3", "poor": "d4 d3 d1 d0", "other": "d3 d0 d2 d1"}


def qrels(grades=GRADES):
    return "".join(f"{topic} 0 {name} {grade}\n" for topic in TOPICS for name, grade in grades.items())


@pytest.fixture
def tell(write, answer):
    """Runs the command on six topics and three systems."""

    def run_command(*options, grades=GRADES):
        files = [
            write(
                f"{tag}.run",
                "".join(
                    f"{topic} Q0 {name} {rank} {-rank} {tag}\n"
                    for topic in TOPICS
                    for rank, name in enumerate(order.split(), 1)
                ),
            )
            for tag, order in ORDERS.items()
        ]
        runs = [argument for file in files for argument in ("--run", file)]
        return answer("hole_study", "--qrels", write("all.qrels", qrels(grades)), *runs, *options)

    return run_command


def test_results_are_by_holes_fraction_and_filler(tell, write):
    model = write("gpt.qrels", qrels())
    found = tell("--holes", "all", "--holes", "depth:1", "--fill", f"model:{model}", "--fractions", "0.3,0.5")
    assert (found["systems"], found["topics"], found["graded_pairs"]) == (3, 6, 30)
    assert {(row["holes"], row["fraction"]) for row in found["results"]} == {
        ("all", 0.3),
        ("all", 0.5),
        ("depth:1", None),
    }
    [row] = [row for row in found["results"] if row["fill"].startswith("model:") and row["fraction"] == 0.5]
    assert (row["tau_b"]["mean"], row["tau_ap"]["mean"], row["trials"]) == (1.0, 1.0, 20)
    assert set(row["tau_b"]) == {"mean", "sd", "low", "high", "median", "trials"}
    assert row["on_holes"]["kappa_binary"]["mean"] == row["on_holes"]["alpha_ordinal"]["mean"] == 1.0
    assert "shift" not in row


def test_trivial_fillers_are_always_among_them(tell):
    found = tell("--fractions", "0.5", "--trials", "2")
    assert [row["fill"] for row in found["results"]] == [
        "none",
        "constant:1",
        "constant:2",
        "constant:3",
        "random",
        "prior",
    ]
    assert {row["holes"] for row in found["results"]} == {"relevant"}


def test_what_is_undefined_is_null_with_its_reason(tell):
    found = tell("--fractions", "0.5", "--trials", "2")
    kappa = found["results"][0]["on_holes"]["kappa"]
    assert (kappa["mean"], kappa["reason"], kappa["undefined"]) == (
        None,
        "no hole was given a grade",
        {"no hole was given a grade": 2},
    )


def test_the_same_seed_gives_the_same_answer_and_another_one_others(tell):
    asked = ("--holes", "all", "--fractions", "0.5", "--trials", "5")
    first, again, other = (
        json.dumps(tell(*asked, *more)["results"]) for more in ((), ("--seed", "1"), ("--seed", "2"))
    )
    assert first == again != other


def test_systems_and_their_shifts_are_told_when_asked_for(tell):
    found = tell("--fractions", "0.5", "--trials", "2", "--per-system")
    assert [each["run_tag"] for each in found["results"][0]["shift"]] == ["good", "other", "poor"]


def test_groups_come_from_a_file(tell, write):
    groups = write("groups.txt", "good lab\nother lab\npoor baseline\n")
    found = tell("--holes", "leave-group-out", "--groups", groups, "--depth", "2")
    assert [(each["name"], each["dropped"]) for each in found["results"][0]["left_out"]] == [
        ("baseline", 6),
        ("lab", 12),
    ]


def test_judges_read_their_files(tell, write):
    passages = write(
        "passages.tsv", "".join(f"{name}\tabout {'rain ' * grade}{name}\n" for name, grade in GRADES.items())
    )
    topics = write("topics.tsv", "".join(f"{topic}\train\n" for topic in TOPICS))
    model = write("gpt.qrels", qrels())
    asked = (f"learned:{passages},{topics}", f"calibrated:{model},{passages},{topics}")
    options = [option for text in asked for option in ("--fill", text)]
    found = tell("--holes", "all", "--fractions", "0.5", "--trials", "1", *options)
    rows = {row["fill"]: row for row in found["results"]}
    for text in asked:
        assert rows[text]["unfilled"]["mean"] == 0.0
        assert rows[text]["tau_b_gain"]["mean"] is not None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--holes", "none"), "holes 'none' are not known"),
        (("--fill", "constant:7"), "constant:7 is not on the scale 0-3"),
        (("--fill", "magic"), "filler 'magic' is not known"),
        (("--fill", "learned"), "learned should be learned:PASSAGES,TOPICS"),
        (("--fill", "calibrated:a,b"), "should be calibrated:F,PASSAGES,TOPICS"),
        (("--fill", "model:nowhere.qrels"), "nowhere.qrels"),
        (("--fractions", "half"), "'half' is no list of numbers"),
        (("--fractions", "1.0"), "between 0 and 1"),
        (("--trials", "0"), "whole number from 1"),
        (("--holes", "leave-group-out"), "no run has a group"),
    ],
)
def test_bad_input_is_refused_with_its_sentence(tell, options, sentence):
    with pytest.raises(CommandError, match=sentence) as refused:
        tell(*options)
    assert refused.value.returncode in (1, 2)


def test_without_a_grade_there_is_nothing_to_study(tell):
    with pytest.raises(CommandError, match="no grade that could be taken away"):
        tell(grades={"d0": -1})


def test_it_answers_in_json_whether_that_is_asked_for_or_not(tell):
    asked = ["--fractions", "0.5", "--trials", "2"]
    assert tell(*asked, "--json")["results"] == tell(*asked)["results"]
