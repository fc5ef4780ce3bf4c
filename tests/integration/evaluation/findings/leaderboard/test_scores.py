import pytest

from annotate.grades.completed_qrels import NoSuchRater
from annotate.pool.operations import pooling
from annotate.rules import completion
from evaluation.engine import scoring
from evaluation.findings.leaderboard import scores
from evaluation.measures.registry import MeasureRefused
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
REFERENCE = completion.parse_rule("reference")
FILLED = completion.parse_rule("reference,model:gpt")


def mean(system, measure="nDCG@10"):
    return round(system.by_measure[measure].mean.number, 4)


def test_the_ideal_is_of_all_judged_passages_and_not_of_those_retrieved():
    collection = small.with_qrels("q1 d1 1, q1 d9 3")
    small.add_run(collection, "d1")
    found = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10", "nDCG(dcg='exp-log2')@10"])
    assert found.measures == ("nDCG@10", "nDCG(gain=exp)@10")
    assert [mean(found.systems[0], measure) for measure in found.measures] == [0.2754, 0.1310]


def test_systems_stand_by_their_means_and_tied_ones_share_a_place():
    collection = small.with_qrels("q1 d1 3, q1 d2 0, q1 d3 0")
    for tag in ("d3>d2>d1", "d1>d3>d2", "d1>d2>d3"):
        small.add_run(collection, tag)
    found = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"])
    assert [(s.run_tag, s.place, mean(s)) for s in found.systems] == [
        ("d1>d2>d3", 1, 1.0),
        ("d1>d3>d2", 1, 1.0),
        ("d3>d2>d1", 3, 0.5),
    ]


def test_a_topic_without_relevant_passages_counts_0_and_is_counted():
    collection = small.with_qrels("q1 d1 3, q2 d1 0")
    small.add_run(collection, "d1")
    found = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"])
    assert found.topics == ("q1", "q2")
    assert found.without_relevant == {"nDCG@10": 1}
    assert mean(found.systems[0]) == 0.5
    assert found.systems[0].by_measure["nDCG@10"].mean_with_relevant.value == 1.0


def test_a_topic_that_a_draw_left_without_a_grade_stays_and_counts_0():
    collection = small.with_qrels("q1 d1 3, q2 d1 2")
    small.add_run(collection, "d1")
    pooling.draw_holes(collection=collection, fraction=1, chosen=[2], seed=1, by=None, now=factories.NOW)
    for rule in (REFERENCE, completion.parse_rule("reference,people")):
        found = scores.compute_leaderboard(collection, rule, ["nDCG@10"])
        assert (found.topics, found.without_relevant, mean(found.systems[0])) == (("q1", "q2"), {"nDCG@10": 1}, 0.5)
    assert scores.compute_leaderboard(collection, completion.parse_rule("people"), ["nDCG@10"]).topics == ()
    assert (
        mean(scores.compute_leaderboard(collection, completion.parse_rule("original"), ["nDCG@10"]).systems[0]) == 1.0
    )


def test_a_topic_that_the_run_lacks_counts_0_and_is_named():
    collection = small.with_qrels("q1 d1 3, q2 d1 3")
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 9 short\n")
    system = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"]).systems[0]
    assert (mean(system), system.missing_topics) == (0.5, ("q2",))
    assert dict(system.by_measure["nDCG@10"].by_topic) == {"q1": 1.0, "q2": 0.0}


def test_the_share_of_models_is_of_the_judged_passages_in_the_top_ten():
    collection = small.with_qrels("q1 d1 3, q1 d5 -2", "q1 d1 0, q1 d2 1, q1 d3 1")
    small.add_run(collection, "d1>d2>d3>d4>d5")
    alone = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"]).systems[0]
    filled = scores.compute_leaderboard(collection, FILLED, ["nDCG@10"])
    assert (alone.judged.value, alone.model_share.value) == (0.1, 0.0)
    assert (filled.systems[0].judged.value, filled.systems[0].model_share.value) == (0.3, pytest.approx(2 / 3))
    assert (filled.graded, filled.graded_by_models) == (4, 2)


@pytest.mark.parametrize(("measure", "name", "judged"), [("nDCG@2", "Judged@2", 0.5), ("AP", "Judged@10", 0.2)])
def test_what_is_judged_follows_the_cut_off_of_the_measure(measure, name, judged):
    collection = small.with_qrels("q1 d1 3, q1 d3 1", "q1 d1 0, q1 d3 1, q1 d4 1")
    small.add_run(collection, "d1>d2>d3>d4")
    found = scores.compute_leaderboard(collection, REFERENCE, [measure])
    assert (found.judged_measure, found.systems[0].judged.value) == (name, judged)
    share = scores.compute_leaderboard(collection, FILLED, [measure]).systems[0].model_share.value
    assert share == (0.0 if measure == "nDCG@2" else pytest.approx(1 / 3))


def test_topics_that_a_run_ranks_less_deep_than_the_cut_off_are_counted():
    collection = small.with_qrels("q1 d1 3, q2 d1 3")
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 9 short\n")
    system = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"]).systems[0]
    assert (system.by_measure["nDCG@10"].short_topics, system.missing_topics) == (1, ("q2",))


def test_nothing_judged_in_the_top_ten_leaves_the_share_of_models_undefined():
    collection = small.with_qrels("q1 d9 3")
    small.add_run(collection, "d1")
    assert scores.compute_leaderboard(collection, REFERENCE, ["P@5"]).systems[0].model_share.value is None


def test_a_measure_without_cut_off_reads_all_ranks():
    collection = small.with_qrels("q1 p11 1")
    small.add_run(collection, ">".join(f"p{rank}" for rank in range(1, 12)))
    found = scores.compute_leaderboard(collection, REFERENCE, ["AP", "P@10"])
    assert [mean(found.systems[0], measure) for measure in ("AP", "P@10")] == [0.0909, 0.0]


def test_without_grades_the_mean_is_undefined_and_nobody_has_a_place():
    collection = small.with_qrels("q1 d1 3")
    small.add_run(collection, "d1")
    found = scores.compute_leaderboard(collection, completion.parse_rule("people"), ["nDCG@10", "AP", "bpref", "RBP"])
    assert found.topics == ()
    assert found.systems[0].place is None
    assert found.systems[0].by_measure["nDCG@10"].mean.reason == scoring.NO_TOPIC


def test_without_runs_there_are_no_systems():
    assert scores.compute_leaderboard(small.with_qrels("q1 d1 3"), REFERENCE, ["nDCG@10"]).systems == ()


def test_an_unknown_measure_and_an_unknown_model_are_refused_by_name():
    collection = small.with_qrels("q1 d1 3")
    with pytest.raises(MeasureRefused, match="unknown measure 'XYZ'"):
        scores.compute_leaderboard(collection, REFERENCE, ["XYZ@10"])
    with pytest.raises(NoSuchRater, match="nobody"):
        scores.compute_leaderboard(collection, completion.parse_rule("model:nobody"), ["nDCG@10"])


def test_the_share_of_gains_from_models_is_of_the_measures_own_gains():
    collection = small.with_qrels("q1 d1 3, q1 d5 -2", "q1 d1 0, q1 d2 1, q1 d3 0, q1 d9 3")
    small.add_run(collection, "d1>d2>d3>d4>d5")

    def share(measure, rule=FILLED):
        return scores.compute_leaderboard(collection, rule, [measure]).systems[0].model_gains.value

    assert share("nDCG@10") == pytest.approx(1 / (3 + 1))
    assert share("nDCG(gain=exp)@10") == pytest.approx(1 / (7 + 1))
    assert share("P@10") == share("AP") == pytest.approx(1 / 2)
    assert share("P(rel=2)@10") == 0.0
    assert share("nDCG@1") == 0.0
    assert share("nDCG@10", REFERENCE) == 0.0


def test_a_system_that_gains_nothing_has_no_share_of_gains():
    collection = small.with_qrels("q1 d1 0, q1 d9 3")
    small.add_run(collection, "d1")
    assert (
        scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"]).systems[0].model_gains.reason
        == "it gains nothing"
    )


def test_the_interval_of_a_mean_is_over_the_topics():
    collection = small.with_qrels("q1 d1 1, q2 d1 0, q2 d2 1")
    small.add_run(collection, "d1")
    interval = scores.compute_leaderboard(collection, REFERENCE, ["P@1"]).systems[0].interval
    assert (interval.low, interval.high, interval.n, interval.resampling.over) == (0.0, 1.0, 2, "topics")


def test_one_topic_has_no_interval_and_none_at_all_neither():
    collection = small.with_qrels("q1 d1 1")
    small.add_run(collection, "d1")
    assert scores.compute_leaderboard(collection, REFERENCE, ["P@1"]).systems[0].interval.reason
    assert scores.compute_leaderboard(collection, completion.parse_rule("people"), ["P@1"]).systems[0].interval is None


def test_what_holes_leave_open_is_a_bound_of_precision_and_none_of_ndcg():
    collection = small.with_qrels("q1 d1 3, q1 d2 0, q2 d1 3")
    small.add_run(collection, "d1>d9")

    def holes(measure):
        board = scores.compute_leaderboard(collection, REFERENCE, [measure], with_ranges=True)
        return board.systems[0].by_measure[measure].range

    assert (holes("P@2").name, holes("P@2").mean_at_lowest.value, holes("P@2").mean_at_highest.value) == (
        "bounds",
        0.5,
        1.0,
    )
    assert holes("nDCG@2").name == "sensitivity range"
    assert holes("Judged@10") is None
    assert holes("P(unjudged=condensed)@2") is None


def test_what_holes_leave_open_is_computed_only_where_it_is_asked_for():
    collection = small.with_qrels("q1 d1 3")
    small.add_run(collection, "d1>d9")
    assert scores.compute_leaderboard(collection, REFERENCE, ["P@2"]).systems[0].by_measure["P@2"].range is None
