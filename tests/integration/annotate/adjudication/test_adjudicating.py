"""Decisions of adjudicators: stored once, changed by a new version, flagged by what comes later and never undone."""

import uuid
from datetime import timedelta

import pytest

from annotate.adjudication import operations as adjudication_operations
from annotate.adjudication import queries as adjudication_queries
from annotate.adjudication.operations import Decision
from annotate.collections.operations import collections, people
from annotate.judging.operations import judgments, turns
from annotate.models import Adjudication, Collection, Judgment, Membership, Pair
from annotate.rules import permissions
from tests import at_once, factories

NOW = factories.NOW


@pytest.fixture
def collection(db):
    return factories.make_judged([2, 1], [0, 1])[0]


@pytest.fixture
def pair(collection) -> Pair:
    """With the grades 2 and 0: unresolved."""
    return Pair.objects.select_related("topic").get(collection=collection, is_disputed=True)


@pytest.fixture
def adjudicator(collection) -> Membership:
    return factories.make_adjudicator(collection)


def again(pair: Pair) -> Pair:
    pair.refresh_from_db()
    return pair


def decide(adjudicator, pair, shown=None, key=None, grade=1, reason="so it is", now=NOW):
    shown = shown or adjudication_queries.build_card(adjudicator, pair.pk, NOW).shown
    return adjudication_operations.decide(
        adjudicator=adjudicator,
        pair_id=pair.pk,
        key=key or uuid.uuid4(),
        shown=shown,
        decision=Decision(grade, reason),
        now=now,
    )


def test_a_decision_gives_the_pair_its_grade_and_takes_it_from_the_queue(adjudicator, pair):
    made = decide(adjudicator, pair, grade=1, reason=" the middle ")

    assert (made.version, made.grade, made.reason, made.judgments) == (1, 1, "the middle", 2)
    assert (made.has_new_evidence, made.has_judged, made.names_shown, made.suggestion) == (False, False, False, None)
    assert (again(pair).consensus_grade, pair.is_disputed, pair.is_hole) == (1, False, False)
    assert adjudication_queries.find_next(adjudicator) is None


def test_a_pair_that_nobody_can_judge_stays_a_hole_and_is_settled(adjudicator, pair):
    decide(adjudicator, pair, grade=None)

    assert (again(pair).consensus_grade, pair.is_disputed, pair.is_hole) == (None, False, True)


def test_a_repeated_save_is_one_decision(adjudicator, pair):
    shown, key = adjudication_queries.build_card(adjudicator, pair.pk, NOW).shown, uuid.uuid4()
    first = decide(adjudicator, pair, shown, key)

    assert decide(adjudicator, pair, shown, key, grade=3) == first
    assert Adjudication.objects.count() == 1


def test_one_key_serves_two_pairs_and_two_people(adjudicator, pair, collection):
    other, key = Pair.objects.filter(collection=collection).exclude(pk=pair.pk).first(), uuid.uuid4()
    decide(adjudicator, pair, key=key)
    decide(adjudicator, other, key=key)
    decide(factories.make_adjudicator(collection), pair, key=key)

    assert Adjudication.objects.count() == 3


def test_a_change_is_a_new_version_with_its_own_author_and_the_earlier_one_stays(adjudicator, pair, collection):
    decide(adjudicator, pair, grade=1)
    other = factories.make_adjudicator(collection)
    decide(other, pair, grade=2)

    rows = Adjudication.objects.order_by("version")
    assert [(row.version, row.grade, row.adjudicator, row.is_current) for row in rows] == [
        (1, 1, adjudicator, False),
        (2, 2, other, True),
    ]
    assert again(pair).consensus_grade == 2


def test_a_decision_that_was_not_seen_is_not_overwritten(adjudicator, pair, collection):
    shown = adjudication_queries.build_card(adjudicator, pair.pk, NOW).shown
    first = decide(factories.make_adjudicator(collection), pair, grade=3)

    with pytest.raises(
        adjudication_operations.DecidedMeanwhile, match=adjudication_operations.DECIDED_MEANWHILE
    ) as refused:
        decide(adjudicator, pair, shown, grade=0)
    assert refused.value.decision == first
    assert Adjudication.objects.get() == first


# Fault 10: discarding finished curation when judgments come in. Fault 100: an edit that takes a judgment over.
def test_a_later_judgment_flags_the_decision_and_never_undoes_it(adjudicator, pair, collection):
    before = list(Judgment.objects.order_by("pk").values())
    decide(adjudicator, pair, grade=1)
    assert list(Judgment.objects.order_by("pk").values()) == before

    factories.judge_once_more(pair, 0)

    assert Adjudication.objects.get().has_new_evidence
    assert (again(pair).consensus_grade, pair.is_disputed) == (1, True)
    assert adjudication_queries.count_disputes(collection).flagged == 1


def test_a_change_of_a_judgment_flags_the_decision_too(adjudicator, pair):
    decide(adjudicator, pair)
    judgment = Judgment.objects.filter(pair=pair).first()
    turns.change(
        assessor=judgment.assessor,
        judgment_id=judgment.pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=3),
        now=NOW + timedelta(hours=1),
        claims_next=False,
    )

    assert Adjudication.objects.get().has_new_evidence


def test_deciding_again_takes_the_new_evidence_in(adjudicator, pair, collection):
    decide(adjudicator, pair)
    factories.judge_once_more(pair, 0)
    decide(adjudicator, pair)

    assert [row.has_new_evidence for row in Adjudication.objects.order_by("version")] == [True, False]
    assert Adjudication.objects.get(is_current=True).judgments == 3
    assert not again(pair).is_disputed


def test_what_was_said_while_the_pair_was_open_flags_the_decision_at_once(adjudicator, pair, collection):
    shown = adjudication_queries.build_card(adjudicator, pair.pk, NOW).shown
    factories.judge_once_more(pair, 0)

    assert decide(adjudicator, pair, shown).has_new_evidence
    assert again(pair).is_disputed


def test_a_grade_off_the_scale_and_a_pair_of_another_collection_are_refused(adjudicator, pair):
    elsewhere = factories.make_adjudicator(factories.make_collection())

    with pytest.raises(judgments.NotOnScale, match="4 is not a grade of this collection"):
        decide(adjudicator, pair, grade=4)
    with pytest.raises(Pair.DoesNotExist):
        decide(elsewhere, pair, adjudication_queries.build_card(adjudicator, pair.pk, NOW).shown)
    assert not Adjudication.objects.exists()


def test_a_decision_has_a_reason():
    with pytest.raises(ValueError, match="has a reason"):
        Decision(2, "  ")


def test_a_pair_that_nobody_judged_is_not_decided(db):
    collection = factories.make_holes(factories.make_collection())
    adjudicator = factories.make_adjudicator(collection)

    with pytest.raises(adjudication_operations.NothingToDecide, match="Nobody has judged this pair"):
        decide(adjudicator, collection.pairs.first())


@pytest.mark.postgresql
def test_who_judged_the_pair_decides_it_only_as_a_researcher_which_is_stored(pair, collection):
    judge = Judgment.objects.filter(pair=pair).first().assessor
    mine = people.add_member(collection=collection, user=judge.user, role="ADJUDICATOR", now=NOW)
    with pytest.raises(permissions.NotAllowed, match=permissions.JUDGED_YOURSELF):
        decide(mine, pair)
    assert adjudication_queries.find_next(mine) is None

    researcher = people.add_member(collection=collection, user=judge.user, role="RESEARCHER", now=NOW)
    assert decide(researcher, pair).has_judged


def test_a_pair_that_one_is_still_to_judge_is_neither_shown_nor_decided(pair, collection):
    for role in ("ADJUDICATOR", "RESEARCHER"):
        assessor = factories.make_assessor(collection)
        mine = people.add_member(collection=collection, user=assessor.user, role=role, now=NOW)
        shown = adjudication_queries.build_card(mine, pair.pk, NOW).shown  # its target is met: nobody is asked
        Pair.objects.filter(pk=pair.pk).update(target=3, places_open=1)

        assert adjudication_queries.find_next(mine) is None
        with pytest.raises(permissions.NotAllowed, match="left to other adjudicators"):
            decide(mine, pair, shown)
        Pair.objects.filter(pk=pair.pk).update(target=2, places_open=0)


def test_who_decided_a_pair_is_not_asked_about_it_and_may_change_the_decision(pair, collection):
    researcher = Membership.objects.get(collection=collection, role="RESEARCHER")
    decide(researcher, pair)
    mine = people.add_member(collection=collection, user=researcher.user, role="ASSESSOR", now=NOW)
    collections.change_judging(collection=collection, changes={"target": 3})
    asked = {factories.judge(mine).pair_id for _ in range(collection.pairs.filter(places_open__gt=0).count() - 1)}

    assert pair.pk not in asked
    assert factories.claim(mine) is None
    assert factories.claim(factories.make_assessor(collection)).pair_id == pair.pk
    assert decide(researcher, pair).version == 2


def test_what_is_held_or_undecided_or_comes_again_is_still_to_judge(pair, collection):
    judgment = Judgment.objects.filter(pair=pair).first()
    mine = people.add_member(collection=collection, user=judgment.assessor.user, role="RESEARCHER", now=NOW)
    Collection.objects.filter(pk=collection.pk).update(share_repeated=50)
    mine.refresh_from_db()

    for change in ({"revealed_at": NOW}, {"repeat_from": 5}):
        Judgment.objects.filter(pk=judgment.pk).update(**change)
        assert adjudication_queries.find_next(mine) is None, change
        Judgment.objects.filter(pk=judgment.pk).update(**dict.fromkeys(change))
    assert adjudication_queries.find_next(mine) == pair


@pytest.mark.postgresql
def test_a_repeat_that_cannot_come_keeps_nobody_from_deciding(pair, collection):
    judgment = Judgment.objects.filter(pair=pair).first()
    mine = people.add_member(collection=collection, user=judgment.assessor.user, role="RESEARCHER", now=NOW)
    factories.make_suggestions(collection)
    collections.change_judging(collection=collection, changes={"share_repeated": 50})
    mine.refresh_from_db()
    Judgment.objects.filter(pk=judgment.pk).update(repeat_from=5)
    assert adjudication_queries.find_next(mine) is None

    Judgment.objects.filter(pk=judgment.pk).update(suggestion=pair.suggestions.get())  # seen: it never comes again
    assert adjudication_queries.find_next(mine) == pair
    Judgment.objects.filter(pk=judgment.pk).update(suggestion=None)
    Collection.objects.filter(pk=collection.pk).update(share_repeated=0)
    mine.refresh_from_db()
    assert adjudication_queries.find_next(mine) == pair

    decide(mine, pair)
    Collection.objects.filter(pk=collection.pk).update(share_repeated=50)
    Membership.objects.filter(pk=judgment.assessor_id).update(judged=9)
    assert factories.claim(judgment.assessor) is None


@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_is_told():
    collection, pairs = factories.make_judged([2], [0])
    adjudicators = [factories.make_adjudicator(collection) for _ in range(2)]
    shown = [adjudication_queries.build_card(each, pairs[0].pk, NOW).shown for each in adjudicators]

    def act(place: int) -> Adjudication:
        return decide(adjudicators[place], pairs[0], shown[place], grade=place)

    stored, refused = at_once.run(act, range(2))

    assert [type(fault) for fault in refused] == [adjudication_operations.DecidedMeanwhile]
    assert list(Adjudication.objects.all()) == stored
