import itertools
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.formats import runs
from evaluation.engine import influence, pair_index, run_index, scoring
from evaluation.measures import registry
from tests import pace

DCG = registry.parse("DCG@10")
passage_ids = st.sampled_from([f"d{number}" for number in range(14)])
rankings = st.lists(passage_ids, unique=True, min_size=1)
systems = st.lists(st.tuples(rankings, rankings), min_size=2, max_size=5)
grades = st.dictionaries(passage_ids, st.integers(-2, 3))


def run(tag, **ranked):
    """A run that ranks, by topic, the passages of a text: `q1="a b"` puts a first."""
    by_topic = {query_id: text.split() for query_id, text in ranked.items()}
    return runs.build_run(
        tag, {q: {name: -float(place) for place, name in enumerate(names)} for q, names in by_topic.items()}
    )


def found(systems, qrels, holes, topics=None, highest=3):
    index = pair_index.build(run_index.build(systems, 10), [qrels, holes], topics=topics or qrels, depth=10)
    return index, influence.compute_influence(index, qrels, holes, highest=highest)


def test_a_hole_counts_by_how_far_apart_it_can_pull_two_systems():
    """Two topics, the second without anything relevant; the ideal of q1 is 2 / log2(2) = 2.

    The hole at the top grade 3 is worth 3 / log2(rank + 1) / (2 * 2 topics): first at rank 1 gains .75, second at
    rank 3 .375, third lacks it. The differences change by .375, .75 and .375: .5 in the mean.
    """
    three = [run("first", q1="h r"), run("second", q1="r x h"), run("third", q1="r")]
    _, result = found(three, {"q1": {"r": 2}, "q2": {"n": 0}}, {"q1": {"h": None}})
    assert result.holes == (("q1", "h"),)
    assert result.of_grade.tolist() == pytest.approx([0.5], abs=1e-15)


def test_the_change_through_the_ideal_is_a_figure_of_its_own():
    """DCG is 2 / log2(3) = 1.26186 of the first system and 2 of the others: the three differences are .73814, .73814
    and 0, .49209 in the mean. The ideal rises from 2 to 3 + 1.26186: .49209 * (1 / 2 - 1 / 4.26186) / 2 topics.
    """
    three = [run("first", q1="h r"), run("second", q1="r x h"), run("third", q1="r")]
    _, result = found(three, {"q1": {"r": 2}, "q2": {"n": 0}}, {"q1": {"h": None, "nobody retrieves it": None}})
    assert result.through_ideal.tolist() == pytest.approx([0.06529] * 2, abs=1e-5)
    assert result.of_grade.tolist()[1] == 0


def test_an_ideal_that_is_full_of_top_grades_rises_no_more():
    top = {f"d{number}": 3 for number in range(10)}
    _, result = found([run("a", q1="d1 h"), run("b", q1="h")], {"q1": top}, {"q1": {"h": None}})
    assert result.through_ideal.tolist() == [0]
    assert result.of_grade.tolist()[0] > 0


@pytest.mark.parametrize("systems", range(2, 12))
def test_a_hole_at_the_same_rank_in_all_systems_moves_nothing(systems):
    alike = [run(f"t{number}", q1=f"x{number} y{number} h r") for number in range(systems)]
    _, result = found(alike, {"q1": {"r": 1}}, {"q1": {"h": None}})
    assert result.of_grade.tolist() == [0]


def test_a_hole_below_the_tenth_rank_moves_nothing():
    ten = " ".join(f"d{number}" for number in range(10))
    _, result = found([run("a", q1=f"{ten} h"), run("b", q1="r")], {"q1": {"r": 1}}, {"q1": {"h": None}})
    assert result.of_grade.tolist() == [0]


def test_topics_without_anything_relevant_are_ignored_and_named():
    two = [run("a", q1="h", q2="h r"), run("b", q1="r", q2="r h")]
    _, result = found(two, {"q1": {"r": 0}, "q2": {"r": 1}}, {"q1": {"h": None}, "q2": {"h": None}})
    assert result.topics_without_ideal == ("q1",)
    assert result.of_grade.tolist()[0] == result.through_ideal.tolist()[0] == 0
    assert result.of_grade.tolist()[1] > 0


def test_the_weighted_figure_is_the_expected_change():
    """At the top grade 3 the figure is w; the grades 1 and 2 change a third and two thirds of it."""
    _, result = found([run("a", q1="h"), run("b", q1="r")], {"q1": {"r": 1}}, {"q1": {"h": None, "i": None}})
    whole = result.of_grade.tolist()[0]
    expected = whole * (0.2 * 1 / 3 + 0.3 * 2 / 3 + 0.1)
    assert influence.weighted(result, {("q1", "h"): [0.4, 0.2, 0.3, 0.1]}) == {("q1", "h"): pytest.approx(expected)}


def test_the_systems_that_a_hole_separates_are_told_by_rank():
    three = [run("a", q1="h r"), run("b", q1="r h"), run("c", q1="h")]
    index, _ = found([*three, run("d", q1="r")], {"q1": {"r": 1}}, {"q1": {"h": None}})
    assert influence.ranks(index, ("q1", "h")) == {1: ["a", "c"], 2: ["b"]}


def test_one_system_has_nothing_to_differ_from():
    with pytest.raises(influence.TooFewSystems, match="two runs"):
        found([run("a", q1="h")], {"q1": {"r": 1}}, {"q1": {"h": None}})


def mean_change(before, after):
    """The mean over pairs of systems of the absolute change of their difference, from scratch."""
    couples = itertools.combinations(range(len(before)), 2)
    return fmean(abs((after[s] - after[u]) - (before[s] - before[u])) for s, u in couples)


@settings(max_examples=150)
@given(systems, grades, grades, st.integers(1, 3))
def test_both_figures_are_those_of_scoring_anew_with_the_grade_set(systems, first, second, highest):
    listed = [run(f"t{n}", q1=" ".join(one), q2=" ".join(two)) for n, (one, two) in enumerate(systems)]
    qrels = {
        query_id: {name: min(grade, highest) for name, grade in given.items()}
        for query_id, given in (("q1", first), ("q2", second))
    }
    ungraded = {f"d{number}": None for number in range(14) if f"d{number}" not in first}
    _, result = found(listed, qrels, {"q1": ungraded}, highest=highest)

    def discounted(grades):
        return [r.measures[DCG].by_topic["q1"] for r in scoring.score_runs(listed, grades, [DCG], highest=highest)]

    def ideal(grades):
        best = sorted((grade for grade in grades["q1"].values() if grade > 0), reverse=True)[:10]
        return sum(grade / np.log2(rank + 1) for rank, grade in enumerate(best, start=1))

    before = discounted(qrels)
    for (query_id, name), of_grade, through in zip(
        result.holes, result.of_grade.tolist(), result.through_ideal.tolist(), strict=True
    ):
        graded = {**qrels, query_id: {**qrels[query_id], name: highest}}
        if not (fixed := ideal(qrels)):
            assert of_grade == through == 0
            continue
        old = [value / fixed / 2 for value in before]
        assert of_grade == pytest.approx(mean_change(old, [v / fixed / 2 for v in discounted(graded)]), abs=1e-12)
        assert through == pytest.approx(mean_change(old, [v / ideal(graded) / 2 for v in before]), abs=1e-12)


def test_the_holes_of_a_large_pool_take_less_than_a_second():
    """100 systems, 100 topics, of which each has 200 holes; without the time that the index takes, as scoring does."""
    rng = np.random.default_rng(5)
    names = [f"d{number}" for number in range(400)]
    topics = [f"q{number}" for number in range(100)]
    listed = [
        runs.build_run(
            f"t{s}", {q: {names[n]: float(-r) for r, n in enumerate(rng.choice(400, 10, False))} for q in topics}
        )
        for s in range(100)
    ]
    qrels = {query_id: {name: int(rng.integers(4)) for name in names[:200]} for query_id in topics}
    holes = {query_id: dict.fromkeys(names[200:]) for query_id in topics}
    index = pair_index.build(run_index.build(listed, 10), [qrels, holes], depth=10)
    results = []
    assert (
        min(pace.measure(lambda: results.append(influence.compute_influence(index, qrels, holes))) for _ in range(3))
        < 1
    )
    assert len(results[0].holes) == 20_000
