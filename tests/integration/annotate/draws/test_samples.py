"""Recorded random samples: only their pairs are asked about, and all that an analysis needs is written down."""

from collections import Counter

import pytest

from annotate.collections.operations import collections
from annotate.draws import queries as draws_queries
from annotate.draws.operations import changes, draws
from annotate.draws.queries import Plan
from annotate.formats import named_pairs
from annotate.formats.named_pairs import NamedPair
from annotate.grades import ratings
from annotate.models import Collection, Pair, PairDraw, Rater
from annotate.pairs import refresh
from annotate.rules import drawing
from annotate.work import engine
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """Three topics of six pooled passages; the reference graded two of q1 and all of q3."""
    made = factories.make_holes(factories.make_collection(), topics=3, passages=6)
    graded = "q1 0 d1.1 2\nq1 0 d1.2 0\n" + "".join(f"q3 0 d3.{n} 1\n" for n in range(1, 7))
    factories.import_qrels(made, graded)
    return made


def draw(collection, **said):
    made = draws.draw_sample(collection=collection, plan=Plan(**{"number": 3, **said}), by=None, now=NOW)
    collection.refresh_from_db()
    return made


def wanted(collection):
    rows = collection.pairs.filter(target__gt=0).order_by("order_key")
    return list(rows.values_list("topic__query_id", "passage_id"))


def strata(made):
    return {t["query_id"]: (t["frame"], t["sample"]) for t in made.design["topics"]}


def test_exactly_the_sampled_pairs_are_asked_about(collection):
    made = draw(collection)
    assert strata(made) == {"q1": (4, 3), "q2": (6, 3), "q3": (0, 0)}
    sampled = {(t["query_id"], name) for t in made.design["topics"] for name in t["passage_ids"]}
    assert set(wanted(collection)) == sampled
    assert (len(sampled), made.size, collection.pairs_wanted, collection.pairs_open) == (6, 6, 6, 6)
    assert (collection.order, collection.pair_draw) == ("SAMPLE", made)


def test_they_are_judged_in_rounds_over_the_topics_and_know_their_draw(collection):
    made = draw(collection)
    assessor = factories.make_assessor(collection)
    judged = [factories.judge(assessor) for _ in range(6)]
    assert factories.claim(assessor) is None
    asked = [(judgment.pair.topic.query_id, judgment.pair.passage_id) for judgment in judged]
    topics = [query_id for query_id, _ in asked]
    assert all(Counter(topics[start : start + 2]) == {"q1": 1, "q2": 1} for start in (0, 2, 4))
    assert {(j.order, j.pair_draw_id, j.frame_version) for j in judged} == {("SAMPLE", made.pk, 1)}
    assert [j.order_key for j in judged] == list(range(6))


def test_a_share_draws_at_least_that_share_of_each_topic(collection):
    assert strata(draw(collection, number=None, share=0.5)) == {"q1": (4, 2), "q2": (6, 3), "q3": (0, 0)}


def test_the_design_records_the_digests_of_what_must_not_change(collection):
    model = factories.make_suggestions(collection)
    made = draw(collection, model=model)
    design = made.design
    assert design["runs"] == [{"run_tag": run.tag, "digest": run.digest} for run in collection.runs.all()]
    assert design["model"] == {"rater": "model-a", "grades": 18, "digest": ratings.digest_model(model).digest}
    assert design["reference"]["grades"] == 8
    frame = [("q1", f"d1.{n}") for n in range(3, 7)] + [("q2", f"d2.{n}") for n in range(1, 7)]
    assert design["frame"] == {"pairs": 10, "graded": 8, "digest": named_pairs.digest_pairs(frame)}
    assert (made.seed, made.frame_version, design["unit"], design["depth"]) == (1, 1, "pair", 10)


def test_other_grades_of_a_model_have_another_digest(collection):
    first, second = (factories.make_suggestions(collection, grade=g, rater=f"m{g}") for g in (1, 2))
    assert ratings.digest_model(first).digest != ratings.digest_model(second).digest
    before = ratings.digest_model(first)
    first.suggestions.filter(pair__passage_id="d1.1").update(probabilities=[0, 1, 0, 0])
    assert ratings.digest_model(first).digest != before.digest


def test_the_same_seed_draws_the_same_sample_and_another_one_another(collection):
    first, again, other = (draw(collection, seed=seed).design["topics"] for seed in (5, 5, 6))
    assert first == again != other


def test_whole_topics_are_sampled_with_all_of_their_open_pairs(collection):
    made = draw(collection, unit="topic", number=2)
    sampled = {t["query_id"]: (t["is_sampled"], t["frame"], t["sample"]) for t in made.design["topics"]}
    assert sum(is_sampled for is_sampled, *_ in sampled.values()) == 2
    assert {q for q, _ in wanted(collection)} == {q for q, (is_s, size, _) in sampled.items() if is_s and size}
    assert all(sample == (size if is_s else 0) for is_s, size, sample in sampled.values())
    topics = [query_id for query_id, _ in wanted(collection)]
    assert topics == sorted(topics, key=topics.index)  # a topic is finished before the next


def test_ending_it_asks_about_all_holes_again_topic_by_topic(collection):
    before = wanted(collection)
    made = draw(collection)
    draws.end_draw(collection=collection, by=None, now=NOW)
    collection.refresh_from_db()
    made.refresh_from_db()
    assert (collection.order, collection.pair_draw, made.ended_at) == ("TOPIC", None, NOW)
    assert wanted(collection) == before
    assert not Pair.objects.filter(is_drawn=True).exists()


def test_ending_nothing_says_so(collection):
    with pytest.raises(drawing.CannotDraw, match="No sample, list or order"):
        draws.end_draw(collection=collection, by=None, now=NOW)


def test_a_new_draw_ends_the_one_before_and_judgments_keep_theirs(collection):
    first = draw(collection, seed=1)
    judged = factories.judge(factories.make_assessor(collection))
    second = draw(collection, seed=2, number=2)
    first.refresh_from_db()
    judged.refresh_from_db()
    assert (first.ended_at, second.ended_at, judged.pair_draw) == (NOW, None, first)
    assert collection.pairs.filter(is_drawn=True).count() == second.size == 4
    is_drawn_again = collection.pairs.get(pk=judged.pair_id).is_drawn
    assert (collection.pairs_wanted, collection.pairs_open) == (4, 4 - is_drawn_again)


def test_what_nobody_can_judge_is_refused_or_left_out_and_counted(collection):
    factories.import_text(collection, "RUN", "q1 Q0 unknown 1 9 second\n")
    factories.build_pool(collection)
    changes.withdraw_pairs(collection=collection, named=[NamedPair(1, "q2", "d2.1")], reason="torn", now=NOW)
    with pytest.raises(drawing.CannotDraw, match="Of the frame's 11 pairs 1 have no text and 1 are withdrawn"):
        draw(collection)
    assert not PairDraw.objects.exists()
    made = draw(collection, leaves_out=True, number=99)
    assert strata(made) == {"q1": (4, 4), "q2": (5, 5), "q3": (0, 0)}
    assert made.design["left_out"] == {"without_text": 1, "withdrawn": 1}
    assert [(t["without_text"], t["withdrawn"]) for t in made.design["topics"]] == [(1, 0), (0, 1), (0, 0)]


def test_the_frame_is_the_top_of_the_runs_whatever_else_is_pooled(collection):
    factories.import_text(collection, "PASSAGES", "d9\tnine\n")
    changes.add_pairs(collection=collection, named=[NamedPair(1, "q1", "d9")])
    assert strata(draw(collection, depth=3, number=99)) == {"q1": (1, 1), "q2": (3, 3), "q3": (0, 0)}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"number": 1}, "2 pairs or more"),
        ({"number": None, "share": 0.0}, "above 0 and at most 1"),
        ({"number": None, "share": float("nan")}, "above 0 and at most 1"),
        ({"number": None}, draws_queries.SHARE_OR_NUMBER),
        ({"share": 0.5}, draws_queries.SHARE_OR_NUMBER),
        ({"unit": "passage"}, "pairs or topics"),
        ({"depth": 0}, "pairs or topics"),
        ({"seed": 2**63}, "63 bits"),
        ({"unit": "topic", "number": 4}, "between 2 and all 3 topics"),
    ],
)
def test_what_can_never_be_drawn_is_a_bad_value(collection, said, sentence):
    with pytest.raises(drawing.BadValue, match=sentence):
        draw(collection, **said)
    assert not PairDraw.objects.exists()


def test_a_pool_that_lacks_a_part_of_the_frame_is_built_anew_first(collection):
    factories.build_pool(collection, depth=2)
    with pytest.raises(drawing.CannotDraw, match="The pool lacks 8 of the 18 pairs in the top 10"):
        draw(collection)


def test_nothing_to_draw_from_is_said():
    with pytest.raises(drawing.CannotDraw, match="import runs that are pooled"):
        draw(factories.make_collection())


def test_nothing_left_to_judge_is_said(collection):
    factories.import_qrels(collection, "".join(f"q2 0 d2.{n} 1\n" for n in range(1, 7)))
    factories.import_qrels(collection, "".join(f"q1 0 d1.{n} 1\n" for n in range(3, 7)))
    with pytest.raises(drawing.CannotDraw, match="nothing is left to judge"):
        draw(collection)


def test_a_sample_and_near_duplicates_judged_once_do_not_go_together(collection):
    Collection.objects.filter(pk=collection.pk).update(propagates_duplicates=True)
    collection.refresh_from_db()
    with pytest.raises(drawing.CannotDraw, match="leave sampled pairs unjudged"):
        draw(collection)


def test_nor_are_they_judged_once_while_a_sample_is_in_force(collection):
    draw(collection)
    with pytest.raises(collections.CannotChange, match="end it before near-duplicates are judged once"):
        collections.change_judging(collection=collection, changes={"propagates_duplicates": True})


def test_a_model_of_another_collection_or_a_reference_is_no_model_here(collection):
    stranger = factories.make_suggestions(factories.make_holes(factories.make_collection()))
    for rater in (stranger, Rater.objects.get(collection=collection, name="nist")):
        with pytest.raises(drawing.BadValue, match="model rater of this collection"):
            draw(collection, model=rater)


@pytest.mark.postgresql
def test_a_change_while_it_was_worked_out_refuses_the_draw(collection, monkeypatch):
    work_out = draws_queries.plan_sample

    def slowly(*arguments):
        sample = work_out(*arguments)
        factories.import_qrels(collection, "q2 0 d2.1 1\n")
        return sample

    monkeypatch.setattr(draws_queries, "plan_sample", slowly)
    with pytest.raises(drawing.CannotDraw, match="changed just now: draw again"):
        draw(collection)
    assert not PairDraw.objects.exists()
    assert not Pair.objects.filter(is_drawn=True).exists()


def test_the_pairs_of_a_large_collection_follow_in_the_background(collection, monkeypatch):
    monkeypatch.setattr(refresh, "AT_ONCE", 5)
    made = draw(collection)
    assert collection.order == "SAMPLE"
    assert len(wanted(collection)) == 10
    engine.run_waiting()
    collection.refresh_from_db()
    assert len(wanted(collection)) == collection.pairs_wanted == made.size == 6
    draws.end_draw(collection=collection, by=None, now=NOW)
    engine.run_waiting()
    assert len(wanted(collection)) == 10


def test_a_change_of_the_settings_leaves_the_order_of_a_sample_alone(collection):
    draw(collection)
    before = wanted(collection)
    collections.change_judging(collection=collection, changes={"target": 2})
    assert wanted(collection) == before
