"""Pairs that a person puts into the pool while others judge."""

import pytest

from annotate.draws.operations import changes
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.pool.operations import pooling
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    made = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.import_text(made, "PASSAGES", "d8\teight\nd9\tnine\n")
    return made


def add(collection, *pairs):
    named = [NamedPair(line, *pair.split()) for line, pair in enumerate(pairs, start=1)]
    added = changes.add_pairs(collection=collection, named=named)
    collection.refresh_from_db()
    return added


def test_added_pairs_are_asked_about_and_the_counters_follow(collection):
    assert add(collection, "q1 d9", "q2 d8", "q1 d1.1") == changes.Added(pooled=2, there=1, settled=0)
    assert (collection.pairs_wanted, collection.pairs_open, collection.frame_version) == (8, 8, 2)
    frames = dict(collection.pairs.values_list("passage_id", "frame_version"))
    assert (frames["d9"], frames["d1.1"]) == (2, 1)


def test_adding_them_again_changes_nothing(collection):
    add(collection, "q1 d9")
    assert add(collection, "q1 d9") == changes.Added(pooled=0, there=1, settled=0)
    assert (collection.pairs_wanted, collection.frame_version) == (7, 2)


def test_a_pool_built_anew_keeps_them_and_what_a_run_brings_besides_has_its_rank(collection):
    add(collection, "q1 d9", "q2 d2.3")
    factories.build_pool(collection, depth=1)
    pooled = dict(collection.pairs.filter(is_pooled=True).values_list("passage_id", "best_rank"))
    assert pooled == {"d1.1": 1, "d2.1": 1, "d9": None, "d2.3": None}


def test_what_the_reference_graded_is_pooled_but_not_asked(collection):
    factories.import_qrels(collection, "q1 0 d9 2\n")
    assert add(collection, "q1 d9") == changes.Added(pooled=1, there=0, settled=1)
    assert collection.pairs_wanted == 6
    pooling.draw_holes(collection=collection, fraction=1, chosen=[2], seed=1, by=None, now=NOW)
    collection.refresh_from_db()
    assert collection.pairs_wanted == 7


def test_unknown_lines_are_named_and_nothing_is_added(collection):
    with pytest.raises(FileRefused) as refused:
        add(collection, "q1 d9", "q3 d9", "q1 none")
    assert [fault.line for fault in refused.value.faults] == [2, 3]
    assert collection.pairs.count() == 6


def test_more_than_fit_at_once_come_in_parts(collection, monkeypatch):
    monkeypatch.setattr(changes, "MOST_AT_ONCE", 1)
    with pytest.raises(changes.TooMany, match="At most 1 pairs are changed at once"):
        add(collection, "q1 d8", "q1 d9")


def test_who_is_judging_meanwhile_keeps_the_pair_and_gets_the_new_ones(collection):
    assessor = factories.make_assessor(collection)
    held = factories.claim(assessor)
    add(collection, "q1 d9", "q1 d8")
    assert factories.claim(assessor) == held
    assert {factories.judge(assessor).pair.passage_id for _ in range(8)} >= {"d8", "d9"}
