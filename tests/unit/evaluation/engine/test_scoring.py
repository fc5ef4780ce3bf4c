import math

import pytest

from annotate.formats import runs
from evaluation.engine import pair_index, scoring
from evaluation.measures import grade_matrix, registry
from evaluation.measures.definition import CannotMeasure

NDCG = registry.parse("nDCG@10")
JUDGED = registry.parse("Judged@10")


def test_a_topic_that_the_run_lacks_counts_0_and_is_listed():
    run = runs.build_run("t", {"q1": {"a": 1.0}, "q9": {"a": 1.0}})
    scores = scoring.score_run(run, {"q1": {"a": 1}, "q2": {"a": 1}}, [NDCG])
    assert scores.measures[NDCG].by_topic == {"q1": 1.0, "q2": 0.0}
    assert scores.measures[NDCG].mean.value == 0.5
    assert scores.measures[NDCG].topics == 2
    assert scores.missing_topics == ("q2",)
    assert scores.ignored_topics == ("q9",)
    assert scores.run_tag == "t"


def test_topics_without_relevant_passages_are_counted_by_the_threshold_of_the_measure():
    ap = registry.parse("AP(rel=2)")
    run = runs.build_run("t", {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"a": 1.0}})
    scores = scoring.score_run(run, {"q1": {"a": 2}, "q2": {"a": 1}, "q3": {"a": 0}}, [NDCG, ap])
    assert scores.measures[NDCG].topics_without_relevant == 1
    assert scores.measures[NDCG].mean.value == pytest.approx(2 / 3)
    assert scores.measures[NDCG].mean_with_relevant.value == 1.0
    assert scores.measures[ap].topics_without_relevant == 2
    assert scores.measures[ap].mean_with_relevant.value == 1.0


def test_given_topics_that_lost_all_their_grades_still_count():
    run = runs.build_run("t", {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    scores = scoring.score_run(run, {"q1": {"a": 1}}, [NDCG], topics=["q2", "q1"])
    assert scores.measures[NDCG].by_topic == {"q1": 1.0, "q2": 0.0}
    assert scores.missing_topics == ()


def test_without_a_topic_the_mean_is_undefined_with_a_reason():
    scores = scoring.score_run(runs.build_run("t", {"q": {"a": 1.0}}), {}, [NDCG])
    assert scores.measures[NDCG].mean.reason == scoring.NO_TOPIC
    assert scores.measures[NDCG].mean_with_relevant.reason == scoring.NO_TOPIC
    assert scores.ignored_topics == ("q",)


def test_without_a_relevant_passage_anywhere_the_mean_without_such_topics_is_undefined():
    scores = scoring.score_run(runs.build_run("t", {"q": {"a": 1.0}}), {"q": {"a": 0}}, [NDCG])
    assert scores.measures[NDCG].mean.value == 0.0
    assert scores.measures[NDCG].mean_with_relevant.reason == scoring.NONE_RELEVANT


def test_measures_of_different_depths_share_one_matrix_without_changing_each_other():
    run = runs.build_run("t", {"q": {f"d{i}": float(-i) for i in range(30)}})
    qrels = {"q": {f"d{i}": i % 3 for i in range(0, 30, 2)}}
    chosen = registry.parse_list("nDCG@5,AP,P@20,nDCG(unjudged=condensed)@10")
    together = scoring.score_run(run, qrels, chosen)
    for measure in chosen:
        alone = scoring.score_run(run, qrels, [measure])
        assert together.measures[measure].by_topic == alone.measures[measure].by_topic


def test_ties_are_broken_by_passage_id_descending_by_bytes():
    run = runs.build_run("t", {"q": {"d1": 1.0, "u9": 1.0, "d0": 1.0}})
    scores = scoring.score_run(run, {"q": {"d1": 1, "d0": 0}}, [NDCG])
    assert scores.measures[NDCG].by_topic["q"] == pytest.approx(1 / math.log2(3))


def test_scoring_twice_gives_the_same_values():
    run, qrels = runs.build_run("t", {"q": {"a": 0.3, "b": 0.1}}), {"q": {"a": 1, "b": 2}}
    first, second = (scoring.score_run(run, qrels, [NDCG, JUDGED]) for _ in range(2))
    assert first.measures[NDCG].by_topic == second.measures[NDCG].by_topic
    assert first.measures[JUDGED].mean == second.measures[JUDGED].mean


def test_the_highest_grade_reaches_the_measures():
    rbp = registry.parse("RBP(p=0.5)")
    run, qrels = runs.build_run("t", {"q": {"a": 1.0}}), {"q": {"a": 2}}
    assert scoring.score_run(run, qrels, [rbp], highest=2).measures[rbp].mean.value == 0.5
    with pytest.raises(grade_matrix.GradeOffScale):
        scoring.score_run(run, qrels, [rbp], highest=1)


def test_means_do_not_depend_on_the_order_of_the_values():
    values = [1e-17] * 50 + [1.0] + [1e-17] * 50
    assert scoring.mean(values) == scoring.mean(sorted(values)) == scoring.mean(sorted(values, reverse=True))


def test_ranges_are_given_by_topic_and_in_the_mean_when_asked():
    run = runs.build_run("t", {"q1": {"a": 2.0, "u": 1.0}, "q2": {"b": 1.0}})
    qrels, p = {"q1": {"a": 1}, "q2": {"b": 2}}, registry.parse("P@2")
    scores = scoring.score_run(run, qrels, [p, NDCG, JUDGED], with_ranges=True).measures
    assert scores[p].range.name == "bounds"
    assert scores[p].range.by_topic == {"q1": (0.5, 1.0), "q2": (0.5, 0.5)}
    assert (scores[p].range.mean_at_lowest.value, scores[p].range.mean_at_highest.value) == (0.5, 0.75)
    assert scores[NDCG].range.name == "sensitivity range"
    assert scores[JUDGED].range is None
    assert scoring.score_run(run, qrels, [p]).measures[p].range is None


def test_ranges_without_a_topic_are_undefined():
    scores = scoring.score_run(runs.build_run("t", {"q": {"a": 1.0}}), {}, [NDCG], with_ranges=True)
    assert not scores.measures[NDCG].range.mean_at_lowest.is_defined


def test_holes_with_chances_count_with_their_expected_gain():
    dcg = registry.parse("DCG(gain=exp)@1")
    run = runs.build_run("t", {"q1": {"u": 1.0}, "q2": {"b": 1.0}})
    probabilities = {"q1": {"u": [0.5, 0.0, 0.0, 0.5]}, "q9": {"u": [1.0, 0.0, 0.0, 0.0]}}
    scores = scoring.score_run(run, {"q1": {"a": 1}, "q2": {"b": 1}}, [dcg, JUDGED], probabilities=probabilities)
    assert scores.measures[dcg].by_topic == {"q1": 3.5, "q2": 1.0}
    assert scores.measures[JUDGED].by_topic == {"q1": 0.1, "q2": 0.1}


def test_topics_ranked_less_deep_than_the_cut_off_are_counted_apart_from_missing_ones():
    run = runs.build_run("t", {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}, "q9": {"a": 1.0}})
    chosen = registry.parse_list("P@1,P@2,P@3,AP,nDCG(unjudged=condensed)@2")
    scores = scoring.score_run(run, {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}, chosen)
    assert [found.short_topics for found in scores.measures.values()] == [0, 1, 2, 0, 1]
    assert scores.missing_topics == ("q3",)


def test_short_topics_are_said_in_a_sentence():
    run = runs.build_run("t", {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    scores = scoring.score_run(run, {"q1": {"a": 1}, "q2": {"a": 1}}, [NDCG, registry.parse("P@1")])
    ten, one = (found.short_words for found in scores.measures.values())
    assert ten == "2 topics have fewer than 10 ranked passages; the missing ranks count as nothing"
    assert one == ""
    alone = scoring.score_run(run, {"q1": {"a": 1}}, [NDCG]).measures[NDCG]
    assert alone.short_words.startswith("1 topic has fewer than 10")


def test_what_is_judged_is_told_at_the_cut_off_of_the_measure_and_at_10_where_it_has_none():
    run = runs.build_run("t", {"q": {f"d{rank}": -float(rank) for rank in range(20)}})
    qrels = {"q": {"d0": 1, "d4": 0, "d11": 2}}
    found = scoring.score_run(run, qrels, registry.parse_list("nDCG@2,AP,P(unjudged=condensed)@20")).measures
    assert [(scores.judged_cutoff, scores.judged.value) for scores in found.values()] == [
        (2, 1 / 2),
        (10, 2 / 10),
        (20, 3 / 20),
    ]


def test_several_runs_are_scored_as_each_alone_in_parts_of_any_size(monkeypatch):
    found = [
        runs.build_run("one", {"q1": {"a": 2.0, "u": 1.0}, "q9": {"a": 1.0}}),
        runs.build_run("two", {"q2": {"b": 1.0}}),
        runs.build_run("three", {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"a": 1.0}}),
    ]
    qrels, measures = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}}, registry.parse_list("nDCG@2,AP,RBP")
    alone = [scoring.score_run(run, qrels, measures, with_ranges=True) for run in found]
    monkeypatch.setattr(pair_index, "_CELLS_AT_ONCE", 1)
    together = scoring.score_runs(found, qrels, measures, with_ranges=True)
    assert [scores.run_tag for scores in together] == ["one", "two", "three"]
    for one, same in zip(alone, together, strict=True):
        assert (one.missing_topics, one.ignored_topics) == (same.missing_topics, same.ignored_topics)
        for measure in measures:
            assert one.measures[measure].by_topic == pytest.approx(same.measures[measure].by_topic, abs=1e-15)
            assert one.measures[measure].range.by_topic.keys() == same.measures[measure].range.by_topic.keys()


def test_no_run_has_no_scores():
    assert scoring.score_runs([], {"q": {"a": 1}}, [NDCG]) == ()


def test_a_threshold_above_the_scale_is_refused_in_a_sentence():
    run, qrels = runs.build_run("t", {"q": {"a": 1.0}}), {"q": {"a": 1}}
    with pytest.raises(CannotMeasure, match=r"P\(rel=3\)@5 calls .* relevant from grade 3, but the scale goes to 2"):
        scoring.score_run(run, qrels, [registry.parse("P(rel=3)@5")], highest=2)
    assert scoring.score_run(run, qrels, [registry.parse("P(rel=2)@5")], highest=2).measures
