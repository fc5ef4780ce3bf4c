import pytest
from django.core.management import CommandError

from evaluation.engine import ranking_shift

FIRST = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq2 0 b 0\nq5 0 a 1\n"
SECOND = "q1 0 a 0\nq1 0 b 1\nq2 0 a 0\nq2 0 b 1\nq6 0 a 1\n"
RUNS = {
    "only_a": "q1 Q0 a 1 1 only_a\nq2 Q0 a 1 1 only_a\n",
    "mixed": "q1 Q0 a 1 1 mixed\nq2 Q0 b 1 1 mixed\n",
    "only_b": "q1 Q0 b 1 1 only_b\nq2 Q0 b 1 1 only_b\n",
}


@pytest.fixture
def run_arguments(write):
    return [argument for name, text in RUNS.items() for argument in ("--run", write(name, text))]


def test_it_compares_the_rankings_on_the_topics_that_both_have(write, answer, run_arguments):
    found = answer(
        "correlate", "--qrels", write("a", FIRST), "--qrels", write("b", SECOND), *run_arguments, "--measure", "P@1"
    )
    assert (found["systems"], found["topics"], found["topic_ids"]) == (3, 2, ["q1", "q2"])
    assert found["topics_only_in"] == {"first": ["q5"], "second": ["q6"]}
    assert [found[name] for name in ("tau_a", "tau_b", "tau_ap", "gamma", "spearman")] == [-1.0] * 5
    assert found["measure"] == "P@1"
    assert found["moved"] == [
        {"run_tag": "only_a", "reference_place": 1, "other_place": 3, "places_up": -2},
        {"run_tag": "only_b", "reference_place": 3, "other_place": 1, "places_up": 2},
    ]
    assert "intervals" not in found
    assert found["runs"][0] == {
        "run_tag": "only_a",
        "reference_mean": 1.0,
        "other_mean": 0.0,
        "reference_place": 1,
        "other_place": 3,
    }


def test_one_system_is_undefined_with_a_reason(write, answer, run_arguments):
    found = answer("correlate", "--qrels", write("a", FIRST), "--qrels", write("b", SECOND), *run_arguments[:2])
    for name in ("tau_a", "tau_b", "tau_ap", "gamma", "spearman"):
        assert found[name] is None
        assert found["reason"][name] == "fewer than two to compare"


def test_systems_that_all_tie_leave_tau_a_0_and_the_rest_undefined(write, answer, run_arguments):
    nothing = write("b", "q1 0 x 1\n")
    found = answer("correlate", "--qrels", write("a", FIRST), "--qrels", nothing, *run_arguments)
    assert found["tau_a"] == 0.0
    assert found["tau_b"] is None
    assert found["reason"]["tau_b"] == "all values of the second are equal"
    assert found["tied_pairs"]["second"] == 3


def test_no_common_topic_is_undefined_with_a_reason(write, answer, run_arguments):
    found = answer("correlate", "--qrels", write("a", FIRST), "--qrels", write("b", "q7 0 a 1\n"), *run_arguments)
    assert (found["systems"], found["topics"]) == (3, 0)
    assert found["reason"]["tau_b"] == ranking_shift.NO_COMMON_TOPIC


def test_a_bad_qrels_file_is_refused_with_its_line(write, answer, run_arguments):
    with pytest.raises(CommandError, match="line 1: .*whole number") as refused:
        answer("correlate", "--qrels", write("a", "q1 0 a x\n"), "--qrels", write("b", SECOND), *run_arguments)
    assert refused.value.returncode == 2


def test_intervals_are_over_the_common_topics(write, answer, run_arguments):
    """Whichever topics are drawn, what ties in one ranking ties in the other, and the rest is turned round."""
    files = ("--qrels", write("a", FIRST), "--qrels", write("b", SECOND))
    found = answer("correlate", *files, *run_arguments, "--intervals", "--measure", "P@1", "--seed", "3")["intervals"]
    told = {"level": 0.95, "over": "topics", "n": 2, "resamples": 1000, "left_out": 0, "seed": 3}
    assert found["tau_b"] == {"method": "delete-d jackknife", "low": -1.0, "high": -1.0, **told}
    assert set(found) == {"tau_b", "tau_ap", "tau_a", "gamma", "spearman"}


def test_without_a_common_topic_intervals_are_null_with_their_reason(write, answer, run_arguments):
    files = ("--qrels", write("a", FIRST), "--qrels", write("b", "q7 0 a 1\n"))
    interval = answer("correlate", *files, *run_arguments, "--intervals")["intervals"]["tau_b"]
    assert (interval["low"], interval["reason"]) == (None, "an interval over topics needs two of them or more")
