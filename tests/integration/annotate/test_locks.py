"""Who waits for whom on PostgreSQL: two who wait for each other would both be refused by the database."""

import uuid

import pytest
from django.db import connection, transaction

from annotate.adjudication import operations as adjudication_operations
from annotate.adjudication import queries as adjudication_queries
from annotate.draws.operations import changes
from annotate.formats.named_pairs import NamedPair
from annotate.judging.operations import judgments as judging_judgments
from annotate.judging.operations import turns
from annotate.models import Adjudication, Collection, Pair
from annotate.pairs import pair_states
from tests import at_once, factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "the quick brown fox jumps over the lazy dog near the river"
MANY = 12


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_who_changes_pairs_keeps_nobody_waiting_who_only_names_them():
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=3)
    assessor = factories.make_assessor(collection)
    first, *_ = pairs = list(collection.pairs.order_by("pk"))

    def act(who):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '3s'")
        first.suggestions.create(rater=rater, grade=1, source=source, state="DONE", created_at=NOW)

    rater = factories.make_suggestions(collection)
    source = first.suggestions.get().source
    first.suggestions.all().delete()
    with transaction.atomic():
        pair_states.lock_pairs([pair.pk for pair in pairs])
        list(Collection.objects.select_for_update(no_key=True).filter(pk=collection.pk))
        _, faults = at_once.run(act, [assessor])
    assert faults == []


def test_people_judge_decide_and_withdraw_near_duplicates_at_once():
    collection = factories.make_collection(propagates_duplicates=True, target=2)
    names = [f"p{n}" for n in range(MANY)]
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    factories.import_text(collection, "PASSAGES", "".join(f"{name}\t{TEXT}\n" for name in names))
    ranked = "".join(f"q1 Q0 {name} {rank} {MANY - rank} r\n" for rank, name in enumerate(names, start=1))
    factories.import_text(collection, "RUN", ranked)
    factories.build_pool(collection, depth=MANY)
    list(changes.run(changes.request_finding(collection=collection, by=None, now=NOW)))
    judgments = [factories.judge(factories.make_assessor(collection), grade) for grade in (0, 1)]
    adjudicator = factories.make_adjudicator(collection)

    def change(judgment):
        for turn in range(MANY):
            said = {"key": uuid.uuid4(), "answer": judging_judgments.Answer(grade=turn % 4)}
            turns.change(assessor=judgment.assessor, judgment_id=judgment.pk, **said, now=NOW, claims_next=False)

    def decide(pair):
        for turn in range(MANY):
            card = adjudication_queries.build_card(adjudicator, pair.pk, NOW)
            decision = adjudication_operations.Decision(turn % 4, "so it is")
            adjudication_operations.decide(
                adjudicator=adjudicator,
                pair_id=pair.pk,
                key=card.card.key,
                shown=card.shown,
                decision=decision,
                now=NOW,
            )

    def withdraw(pairs):
        for _ in range(MANY):
            changes.withdraw_pairs(collection=collection, named=pairs, reason="torn", now=NOW)
            changes.restore_pairs(collection=collection, named=pairs, now=NOW)

    named = [NamedPair(line, "q1", name) for line, name in enumerate(names, start=1)]
    acts = [(change, judgments[0]), (change, judgments[1]), (decide, judgments[0].pair)]
    acts += [(withdraw, named[:5]), (withdraw, named[3:])]
    _, faults = at_once.run(lambda act: act[0](act[1]), acts)

    assert faults == []
    assert Adjudication.objects.count() == MANY
    before = {pair.pk: pair_states._state(pair) for pair in Pair.objects.all()}
    with transaction.atomic():
        pair_states.refresh(collection=collection, pairs=pair_states.lock_pairs(list(before)))
    assert {pair.pk: pair_states._state(pair) for pair in Pair.objects.all()} == before
