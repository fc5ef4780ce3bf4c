"""Fixed lists: exactly these pairs in this order."""

import pytest

from annotate.draws.operations import changes, draws
from annotate.formats import named_pairs
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.models import Collection, PairDraw
from annotate.rules import drawing
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    made = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.import_text(made, "PASSAGES", "d9\tnine\n")
    factories.import_qrels(made, "q1 0 d1.1 2\n")
    return made


def draw(collection, text):
    named = named_pairs.parse_pairs(text.encode())
    made = draws.draw_list(collection=collection, named=named, by=None, now=NOW)
    collection.refresh_from_db()
    return made


def test_exactly_the_listed_pairs_are_judged_in_their_order(collection):
    made = draw(collection, "q2 d2.2\nq1 d1.3\nq2 d2.1\n")
    assessor = factories.make_assessor(collection)
    judged = [factories.judge(assessor) for _ in range(3)]
    assert [judgment.pair.passage_id for judgment in judged] == ["d2.2", "d1.3", "d2.1"]
    assert factories.claim(assessor) is None
    assert {(judgment.order, judgment.pair_draw) for judgment in judged} == {("LIST", made)}
    made.refresh_from_db()
    assert (made.size, made.design["pairs"]) == (3, [["q2", "d2.2"], ["q1", "d1.3"], ["q2", "d2.1"]])


def test_a_pair_that_the_pool_lacks_is_added_to_it(collection):
    draw(collection, "q1 d9\n")
    added = collection.pairs.get(passage_id="d9")
    assert (added.is_pooled, added.is_added, added.target, added.frame_version) == (True, True, 1, 2)
    factories.build_pool(collection)
    added.refresh_from_db()
    assert (added.is_pooled, added.is_drawn, collection.pairs_wanted) == (True, True, 1)


def test_a_list_that_is_refused_in_the_last_moment_leaves_the_pool_as_it_was(collection, monkeypatch):
    """Near-duplicates are switched on while the pair is added: the draw is refused then."""
    add_pairs = changes.add_pairs

    def add_and_change(**asked):
        add_pairs(**asked)
        Collection.objects.update(propagates_duplicates=True)

    monkeypatch.setattr(changes, "add_pairs", add_and_change)
    frame = collection.frame_version
    with pytest.raises(drawing.CannotDraw):
        draw(collection, "q1 d9\n")
    collection.refresh_from_db()
    assert not collection.pairs.filter(passage_id="d9").exists()
    assert (collection.frame_version, collection.order) == (frame, "TOPIC")
    assert not PairDraw.objects.exists()


def test_every_line_that_nobody_could_judge_is_refused_and_nothing_happens(collection):
    factories.import_text(collection, "RUN", "q1 Q0 unknown 1 9 second\n")
    factories.build_pool(collection)
    changes.withdraw_pairs(collection=collection, named=[NamedPair(1, "q2", "d2.1")], reason="torn", now=NOW)
    with pytest.raises(FileRefused) as refused:
        draw(collection, "q1 d9\nq7 d1.1\nq1 unknown\nq1 d77\nq2 d2.1\nq1 d1.1\n")
    assert [(fault.line, fault.reason) for fault in refused.value.faults] == [
        (2, "topic 'q7' is not in the collection"),
        (3, "the collection has no text of passage 'unknown'"),
        (4, "the collection has no text of passage 'd77'"),
        (5, "passage 'd2.1' of topic 'q2' is withdrawn; restore it instead"),
        (6, "the reference graded passage 'd1.1' of topic 'q1'; mix reference pairs in to have them judged again"),
    ]
    assert not PairDraw.objects.exists()
    assert not collection.pairs.filter(passage_id="d9").exists()


def test_a_list_and_near_duplicates_judged_once_do_not_go_together(collection):
    Collection.objects.filter(pk=collection.pk).update(propagates_duplicates=True)
    collection.refresh_from_db()
    with pytest.raises(drawing.CannotDraw, match="leave listed pairs unjudged"):
        draw(collection, "q1 d1.3\n")


def test_a_list_too_long_is_refused(collection, monkeypatch):
    monkeypatch.setattr(draws, "MOST_LISTED", 1)
    with pytest.raises(drawing.BadValue, match="at most 1 pairs"):
        draw(collection, "q1 d1.3\nq1 d1.2\n")
