import pytest

from annotate.formats import runs
from annotate.formats.faults import Refused
from annotate.formats.records import Variant
from evaluation.engine import scoring
from evaluation.measures import registry

P1 = registry.parse("P@1")
LIKES_A = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}}
VARIANTS = [
    Variant("v3", "q2", "child", 1),
    Variant("v2", "q1", "child", 2),
    Variant("v1", "q1", "child", 1),
    Variant("v5", "q2", "expert", 1),
    Variant("v4", "q1", "expert", 1),
]


def run(tag, **firsts):
    return runs.build_run(tag, {topic: {passage: 1.0} for topic, passage in firsts.items()})


def test_scores_are_those_of_scoring_each_run():
    systems = [run("x", q1="a", q2="b", q3="a", q9="a"), run("y", q2="a")]
    found = scoring.score_topics(systems, LIKES_A, P1, topics=LIKES_A)
    assert (found.systems, found.topics) == (("x", "y"), ("q1", "q2", "q3"))
    one_by_one = [scoring.score_run(each, LIKES_A, [P1]).measures[P1].by_topic for each in systems]
    assert found.values.tolist() == [list(each.values()) for each in one_by_one] == [[1, 0, 1], [0, 1, 0]]


def test_a_topic_for_which_nothing_was_retrieved_counts_and_is_told():
    found = scoring.score_topics([run("x", q1="a"), run("y", q1="b", q2="a", q3="a")], LIKES_A, P1, topics=LIKES_A)
    assert found.values.tolist() == [[1, 0, 0], [0, 1, 1]]
    assert found.missing() == {"x": ["q2", "q3"]}


def test_without_a_run_or_a_topic_there_is_nothing_to_score():
    found = scoring.score_topics([], LIKES_A, P1, topics=LIKES_A)
    assert (found.systems, found.topics, found.values.shape, found.missing()) == ((), ("q1", "q2", "q3"), (0, 3), {})
    assert scoring.score_topics([run("x", q1="a")], LIKES_A, P1, topics=()).values.shape == (1, 0)


def test_runs_with_one_tag_are_one_system():
    parts = [run("x", q3="a"), run("y", q1="b", q2="b", q3="b"), run("x", q1="b", q2="a")]
    found = scoring.score_topics(parts, LIKES_A, P1, topics=LIKES_A)
    assert (found.systems, found.values.tolist(), found.missing()) == (("x", "y"), [[0, 1, 1], [0, 0, 0]], {})


def test_two_runs_of_one_system_that_rank_one_topic_are_refused():
    with pytest.raises(Refused, match="2 runs with the tag 'x' rank topic q2: they could not be told apart"):
        scoring.score_topics([run("x", q1="a", q2="a"), run("x", q2="a")], LIKES_A, P1, topics=LIKES_A)


def test_variants_are_scored_by_the_grades_of_their_topic():
    systems = [run("x", v1="a", v2="b", v3="a", v4="b", v5="a")]
    found = scoring.score_variants(systems, {"q1": {"a": 1}, "q2": {"b": 1}}, VARIANTS, P1)
    assert dict(zip(found.topics, found.values[0].tolist(), strict=True)) == {
        "v1": 1,
        "v2": 0,
        "v3": 0,
        "v4": 0,
        "v5": 0,
    }


def test_chances_in_the_holes_of_a_topic_count_for_its_variants_with_expected_gains():
    systems = [run("x", v1="a", v2="u", v3="u", v4="b", v5="a")]
    probabilities = {"q1": {"u": [0.25, 0.75, 0.0, 0.0], "a": [1.0, 0.0, 0.0, 0.0]}}
    found = scoring.score_variants(systems, LIKES_A, VARIANTS, P1, probabilities=probabilities)
    assert dict(zip(found.topics, found.values[0].tolist(), strict=True)) == {
        "v1": 1,
        "v2": 0.75,
        "v3": 0,
        "v4": 0,
        "v5": 1,
    }
    on_topics = scoring.score_topics(
        [run("x", q1="u", q2="a")], LIKES_A, P1, topics=["q1", "q2"], probabilities=probabilities
    )
    assert on_topics.values.tolist() == [[0.75, 1]]


def test_the_variants_of_a_profile_make_one_cell_in_the_order_of_their_numbers():
    systems = [run("x", v1="a", v2="b", v3="a", v4="b", v5="a"), run("y", v1="b", v3="b", v4="a", v5="a")]
    found = scoring.score_variants(systems, LIKES_A, VARIANTS, P1)
    assert scoring.by_cell(found, VARIANTS) == {
        ("q1", "x", "child"): [1, 0],
        ("q1", "x", "expert"): [0],
        ("q2", "x", "child"): [1],
        ("q2", "x", "expert"): [1],
        ("q1", "y", "child"): [0, 0],
        ("q1", "y", "expert"): [1],
        ("q2", "y", "child"): [0],
        ("q2", "y", "expert"): [1],
    }


def test_a_system_without_a_profile_is_refused_by_name():
    systems = [run("x", v1="a", v2="b", v3="a", v4="b", v5="a"), run("y", v1="b", v2="a", v3="a")]
    found = scoring.score_variants(systems, LIKES_A, VARIANTS, P1)
    with pytest.raises(Refused, match="system y retrieved nothing for any variant of profile expert"):
        scoring.by_cell(found, VARIANTS)


def test_scoring_some_variants_at_once_changes_nothing(monkeypatch):
    systems = [run("x", v1="a", v2="b", v3="a", v5="a"), run("y", v1="b"), run("x", v4="b")]
    grades = {"q1": {"a": 1}, "q2": {"b": 1, "c": 2}}
    whole = scoring.score_variants(systems, grades, VARIANTS, registry.parse("nDCG@10"))
    monkeypatch.setattr(scoring, "_VARIANTS_AT_ONCE", 2)
    parts = scoring.score_variants(systems, grades, VARIANTS, registry.parse("nDCG@10"))
    assert (parts.systems, parts.topics, parts.missing()) == (whole.systems, whole.topics, whole.missing())
    assert parts.values.tolist() == whole.values.tolist()
