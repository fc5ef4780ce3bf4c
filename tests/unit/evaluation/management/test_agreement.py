import pytest
from django.core.management import CommandError

from evaluation.agreement import alpha

FIRST = "q 0 a 0\nq 0 b 1\nq 0 c 2\nq 0 d 3\nq 0 e 3\nq 0 f -1\n"
SECOND = "q 0 a 0\nq 0 b 1\nq 0 c 2\nq 0 d 3\nq 0 g 1\nq 0 h 1\nq 0 i 9\n"


def test_it_tells_what_was_compared_and_what_was_left_out(write, answer):
    found = answer("agreement", "--scale", "0-3", "--qrels", write("a", FIRST), "--qrels", write("b", SECOND))
    assert (found["n"], found["only_first"], found["only_second"]) == (4, 1, 2)
    assert found["left_out"] == {"first": {"off_scale": 0, "negative": 1}, "second": {"off_scale": 1, "negative": 0}}
    assert found["kappa"] == {"unweighted": 1.0, "linear": 1.0, "quadratic": 1.0, "binary": 1.0}
    assert found["kappa_from"] == {"1": 1.0, "2": 1.0, "3": 1.0}
    assert found["ac1"] == 1.0
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
    ("second", "reason", "recipe"),
    [("q 0 z 1\n", "no pair was graded by both", None), ("q 0 a 2\nq 0 b 2\n", "all grades are equal", 0.0)],
)
def test_undefined_figures_are_null_with_their_reasons_beside_them(write, answer, second, reason, recipe):
    found = answer("agreement", "--qrels", write("a", "q 0 a 2\nq 0 b 2\n"), "--qrels", write("b", second))
    for name in ("unweighted", "linear", "quadratic", "binary"):
        assert found["kappa"][name] is None
        assert reason in found["kappa"]["reason"][name]
    assert found["alpha"]["ordinal"] is None and found["alpha"]["reason"]["ordinal"]
    assert found["tau_b"] is None and found["reason"]["tau_b"]
    for grade in ("1", "2", "3"):
        assert found["kappa_from"][grade] is None
        assert reason in found["kappa_from"]["reason"][grade]
    assert found["ac1"] is None and reason in found["reason"]["ac1"]
    assert found["gamma"] is None and found["reason"]["gamma"]
    assert found["gamma_recipe"] == recipe
    assert ("gamma_recipe" in found["reason"]) == (recipe is None)


def test_another_scale_has_a_table_of_its_size(write, answer):
    files = ("--qrels", write("a", FIRST), "--qrels", write("b", SECOND))
    found = answer("agreement", *files, "--scale", "0-2")
    assert found["n"] == 3
    assert len(found["confusion"]) == 3


def test_a_single_file_is_refused(write, answer):
    with pytest.raises(CommandError, match="given twice or more, not 1 times") as refused:
        answer("agreement", "--qrels", write("a", FIRST))
    assert refused.value.returncode == 2


def test_of_more_than_two_files_it_tells_krippendorffs_alpha(write, answer):
    files = [write("a", FIRST), write("b", SECOND), write("c", "q 0 a 0\nr 0 b 2\nr 0 a 1\n")]
    given = [argument for file in files for argument in ("--qrels", file)]
    found = answer("agreement", "--scale", "0-3", *given)
    assert (found["raters"], found["n"], found["complete"], found["alone"]) == (3, 4, 1, 5)
    assert found["left_out"][0] == {"off_scale": 0, "negative": 1}
    assert found["alpha"] == {"nominal": 1.0, "ordinal": 1.0, "interval": 1.0}
    assert "intervals" not in found
    interval = answer("agreement", "--scale", "0-3", *given, "--intervals", "pairs")["intervals"]["alpha"]["ordinal"]
    assert (interval["n"], interval["low"], interval["high"]) == (4, 1.0, 1.0)


def test_raters_without_a_pair_of_two_have_alpha_null_with_its_reason(write, answer):
    files = [write(name, f"q 0 {name} 1\n") for name in "abc"]
    found = answer("agreement", *[argument for file in files for argument in ("--qrels", file)])
    assert found["alpha"]["ordinal"] is None
    assert found["alpha"]["reason"]["ordinal"] == alpha.NO_COMMON_PAIR


def test_a_duplicate_pair_is_refused_with_both_lines(write, answer):
    with pytest.raises(CommandError, match="line 2: .*line 1") as refused:
        answer("agreement", "--qrels", write("a", "q 0 a 1\nq 0 a 2\n"), "--qrels", write("b", SECOND))
    assert refused.value.returncode == 2


def test_kappa_at_every_split_and_ac1_have_known_answers(write, answer):
    """Grades 3 0 0 against 2 0 1; of AC1, equal thirds of them by chance in 2 of 9 cases."""
    first, second = write("a", "q 0 a 3\nq 0 b 0\nq 0 c 0\n"), write("b", "q 0 a 2\nq 0 b 0\nq 0 c 1\n")
    found = answer("agreement", "--qrels", first, "--qrels", second)
    assert found["kappa_from"] == pytest.approx({"1": 0.4, "2": 1.0, "3": 0.0})
    assert found["ac1"] == pytest.approx(1 / 7)
    assert "intervals" not in found


TOPICS = "".join(f"q{topic} 0 d{grade} {grade}\n" for topic in range(3) for grade in range(4))


@pytest.mark.parametrize(
    ("asked", "over", "n"), [(["topics"], "topics", 3), (["pairs"], "pairs", 12), ([], "topics", 3)]
)
def test_intervals_are_over_topics_unless_pairs_are_named(write, answer, asked, over, n):
    file = write("a", TOPICS)
    found = answer("agreement", "--qrels", file, "--qrels", file, "--intervals", *asked, "--seed", "5")["intervals"]
    assert set(found) == {
        "kappa",
        "kappa_from",
        "alpha",
        "ac1",
        "tau_b",
        "tau_a",
        "gamma",
        "spearman",
        "share_equal",
        "mean_difference",
    }
    assert set(found["kappa"]) == {"unweighted", "linear", "quadratic", "binary"}
    assert set(found["kappa_from"]) == {"1", "2", "3"}
    told = {"level": 0.95, "over": over, "n": n, "resamples": 1000, "left_out": 0, "seed": 5}
    assert found["ac1"] == {"method": "percentile bootstrap", "low": 1.0, "high": 1.0, **told}
    assert (found["mean_difference"]["low"], found["mean_difference"]["high"]) == (0.0, 0.0)


def test_the_interval_over_one_topic_is_null_with_its_reason(write, answer):
    found = answer("agreement", "--qrels", write("a", FIRST), "--qrels", write("b", SECOND), "--intervals")
    interval = found["intervals"]["alpha"]["ordinal"]
    assert interval["low"] is None
    assert interval["reason"] == "an interval over topics needs two of them or more"
