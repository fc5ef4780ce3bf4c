"""Near-duplicates of a topic, found in the background."""

import pytest

from annotate.collections.operations import collections
from annotate.draws.operations import changes
from annotate.draws.operations import changes as draws_withdrawals
from annotate.formats.named_pairs import NamedPair
from annotate.imports.operations import withdrawals as imports_withdrawals
from annotate.work import engine
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db
TEXT = "the quick brown fox jumps over the lazy dog near the river"


@pytest.fixture
def collection():
    """q1: c is the best of three of the same words, x is its own; q2 has the same words once."""
    made = factories.make_collection()
    factories.import_text(made, "TOPICS", "q1\tone\nq2\ttwo\n")
    passages = {"a": TEXT, "b": TEXT.upper() + "!", "c": TEXT + ".", "x": "something else altogether"}
    factories.import_text(made, "PASSAGES", "".join(f"{name}\t{text}\n" for name, text in passages.items()))
    ranked = ["q1 c", "q1 b", "q1 a", "q1 x", "q2 a"]
    lines = (f"{p.split()[0]} Q0 {p.split()[1]} {n} {9 - n} r" for n, p in enumerate(ranked, start=1))
    factories.import_text(made, "RUN", "\n".join(lines))
    factories.build_pool(made)
    return made


def find(collection):
    queued = changes.request_finding(collection=collection, by=None, now=NOW)
    engine.run_waiting()
    queued.refresh_from_db()
    collection.refresh_from_db()
    return queued


def found(collection):
    rows = collection.pairs.filter(duplicate_of__isnull=False).select_related("topic", "duplicate_of__topic")
    return {(p.topic.query_id, p.passage_id): (p.duplicate_of.topic.query_id, p.duplicate_of.passage_id) for p in rows}


def test_they_follow_the_best_ranked_of_their_topic_and_never_cross_topics(collection):
    queued = find(collection)
    assert (queued.state, queued.done, queued.total) == ("DONE", 2, 2)
    assert found(collection) == {("q1", "a"): ("q1", "c"), ("q1", "b"): ("q1", "c")}


def test_they_are_only_shown_until_the_collection_judges_them_once(collection):
    find(collection)
    assert collection.pairs_wanted == 5
    collections.change_judging(collection=collection, changes={"propagates_duplicates": True})
    collection.refresh_from_db()
    assert collection.pairs_wanted == 3


def test_where_they_are_judged_once_the_grade_goes_on_to_them(collection):
    collections.change_judging(collection=collection, changes={"propagates_duplicates": True})
    find(collection)
    assessor = factories.make_assessor(collection)
    judged = {judgment.pair.passage_id: judgment for judgment in (factories.judge(assessor, 3) for _ in range(3))}
    assert set(judged) == {"c", "x", "a"}
    assert factories.claim(assessor) is None
    grades = collection.pairs.filter(topic__query_id="q1").values_list("passage_id", "consensus_grade")
    assert dict(grades) == {"a": 3, "b": 3, "c": 3, "x": 3}


def test_what_people_judged_comes_before_a_better_rank_and_follows_no_other(collection):
    assessor = factories.make_assessor(collection)
    while (judgment := factories.judge(assessor)).pair.passage_id not in "ab":
        pass
    first = judgment.pair.passage_id
    find(collection)
    leaders = {leader for _, leader in found(collection).values()}
    judged = set(assessor.judgments.filter(pair__topic__query_id="q1").values_list("pair__passage_id", flat=True))
    assert first in judged
    assert leaders <= judged
    assert not judged & {name for _, name in found(collection)}


def test_what_the_reference_graded_takes_no_part(collection):
    factories.import_qrels(collection, "q1 0 c 2\n")
    find(collection)
    assert found(collection) == {("q1", "a"): ("q1", "b")}


def test_finding_them_again_forgets_what_is_no_longer_so(collection):
    collections.change_judging(collection=collection, changes={"propagates_duplicates": True})
    find(collection)
    assert collection.pairs_wanted == 3
    for name in ("b", "c"):
        draws_withdrawals.withdraw_pairs(
            collection=collection, named=[NamedPair(1, "q1", name)], reason="torn", now=NOW
        )
    find(collection)
    assert found(collection) == {}
    assert (collection.pairs_wanted, collection.pairs.get(passage_id="a", topic__query_id="q1").target) == (3, 1)


def test_it_goes_on_after_the_topics_that_are_done(collection):
    queued = changes.request_finding(collection=collection, by=None, now=NOW)
    first = collection.topics.order_by("pk").first()
    queued.cursor = [first.pk, 1]
    assert [step.done for step in changes.run(queued)] == [2]
    assert found(collection) == {}


@pytest.mark.parametrize("withdrawn", ["a", "b"])
def test_another_text_under_the_name_of_one_or_the_other_is_near_to_nothing_until_it_is_compared(withdrawn):
    made = factories.make_collection(propagates_duplicates=True)
    factories.import_text(made, "TOPICS", "q1\tone\n")
    files = {name: factories.import_text(made, "PASSAGES", f"{name}\t{TEXT}\n") for name in "ab"}
    factories.import_text(made, "RUN", "q1 Q0 a 1 9 r\nq1 Q0 b 2 8 r\n")
    factories.build_pool(made)
    find(made)
    assert found(made) == {("q1", "b"): ("q1", "a")}

    imports_withdrawals.request_withdrawal(imported=files[withdrawn], by=None, now=NOW)
    engine.run_waiting()
    factories.import_text(made, "PASSAGES", f"{withdrawn}\tof other things altogether\n")

    assert found(made) == {}
    assert list(made.pairs.order_by("passage_id").values_list("passage_id", "target")) == [("a", 1), ("b", 1)]
