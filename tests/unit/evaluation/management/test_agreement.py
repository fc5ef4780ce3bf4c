import pytest
from django.core.management import CommandError

FIRST = "q 0 a 0\nq 0 b 1\nq 0 c 2\nq 0 d 3\nq 0 e 3\nq 0 f -1\n"
SECOND = "q 0 a 0\nq 0 b 1\nq 0 c 2\nq 0 d 3\nq 0 g 1\nq 0 h 1\nq 0 i 9\n"


def test_it_tells_what_was_compared_and_what_was_left_out(write, answer):
    found = answer("agreement", "--qrels", write("a", FIRST), "--qrels", write("b", SECOND))
    assert (found["n"], found["only_first"], found["only_second"]) == (4, 1, 2)
    assert found["left_out"] == {
        "first": {"off_scale": 0, "negative": 1},
        "second": {"off_scale": 1, "negative": 0},
    }
    assert found["kappa"] == {"unweighted": 1.0, "linear": 1.0, "quadratic": 1.0, "binary": 1.0}
    assert found["alpha"] == {"nominal": 1.0, "ordinal": 1.0, "interval": 1.0}
    assert (found["tau_b"], found["gamma"]) == (1.0, 1.0)
    assert found["confusion"] == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert "reason" not in found


def test_the_rows_of_the_confusion_table_are_the_first_file(write, answer):
    found = answer(
        "agreement", "--qrels", write("a", "q 0 a 3\nq 0 b 0\n"), "--qrels", write("b", "q 0 a 1\nq 0 b 0\n")
    )
    assert found["confusion"][3] == [0, 1, 0, 0]
    assert found["mean_difference"] == -1.0


@pytest.mark.parametrize(
    ("second", "reason"), [("q 0 z 1\n", "no pair was graded by both"), ("q 0 a 2\nq 0 b 2\n", "all grades are equal")]
)
def test_undefined_figures_are_null_with_their_reasons_beside_them(write, answer, second, reason):
    found = answer("agreement", "--qrels", write("a", "q 0 a 2\nq 0 b 2\n"), "--qrels", write("b", second))
    for name in ("unweighted", "linear", "quadratic", "binary"):
        assert found["kappa"][name] is None
        assert reason in found["kappa"]["reason"][name]
    assert found["alpha"]["ordinal"] is None and found["alpha"]["reason"]["ordinal"]
    assert found["tau_b"] is None and found["reason"]["tau_b"]
    assert found["gamma"] is None and found["reason"]["gamma"]
    assert found["gamma_recipe"] == 0.0


def test_another_scale_has_a_table_of_its_size(write, answer):
    files = ("--qrels", write("a", FIRST), "--qrels", write("b", SECOND))
    found = answer("agreement", *files, "--scale", "0-2")
    assert found["n"] == 3
    assert len(found["confusion"]) == 3


@pytest.mark.parametrize("times", [1, 3])
def test_two_files_are_needed(write, answer, times):
    with pytest.raises(CommandError, match=f"not {times} times") as refused:
        answer("agreement", *["--qrels", write("a", FIRST)] * times)
    assert refused.value.returncode == 2


def test_a_duplicate_pair_is_refused_with_both_lines(write, answer):
    with pytest.raises(CommandError, match="line 2: .*line 1") as refused:
        answer("agreement", "--qrels", write("a", "q 0 a 1\nq 0 a 2\n"), "--qrels", write("b", SECOND))
    assert refused.value.returncode == 2
