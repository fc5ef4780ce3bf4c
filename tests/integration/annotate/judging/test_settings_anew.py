"""Settings that were changed while somebody held an older reading of them: the change is not undone."""

import uuid

import pytest

from annotate.collections.operations import collections
from annotate.judging.operations import judgments, turns
from annotate.models import Collection, Membership, Pair, Topic
from annotate.pairs import pair_states
from annotate.rules import drawing
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection())


def test_work_that_goes_on_after_a_change_keeps_the_new_target(collection):
    read_before = Collection.objects.get(pk=collection.pk)
    collections.change_judging(collection=collection, changes={"target": 3})
    pair_states.refresh(collection=read_before, pairs=list(Pair.objects.all()))
    assert set(Pair.objects.values_list("target", "places_open")) == {(3, 3)}


@pytest.mark.postgresql
def test_pairs_made_after_a_change_of_the_order_stand_in_the_new_order(collection):
    read_before = Collection.objects.get(pk=collection.pk)
    collections.change_judging(collection=collection, changes={"order": "RANDOM", "seed": 9})
    [pair] = pair_states.ensure_rows(collection=read_before, named=[(Topic.objects.get(query_id="q1"), "new")])
    assert pair.order_key == drawing.order_key("RANDOM", 9, "q1", "new") != drawing.order_key("TOPIC", 1, "q1", "new")


def test_a_person_who_waited_for_a_turn_is_served_by_the_new_settings(collection):
    assessor = factories.make_assessor(collection)
    read_before = Membership.objects.select_related("collection").get(pk=assessor.pk)
    factories.make_suggestions(collection)
    collections.change_judging(collection=collection, changes={"share_hidden": 0, "share_shown": 1})
    claim = turns.begin(assessor=read_before, now=NOW).claim
    assert (claim.arm, claim.suggestion.rater.name) == ("SHOWN", "model-a")


@pytest.mark.postgresql
def test_who_held_a_pair_of_the_reveal_arm_is_asked_for_the_decision_though_the_arms_have_changed(collection):
    assessor = factories.make_assessor(collection)
    factories.make_suggestions(collection)
    collections.change_judging(collection=collection, changes={"share_hidden": 0, "share_reveal": 1})
    claim = factories.claim(Membership.objects.select_related("collection").get(pk=assessor.pk))
    collections.change_judging(collection=collection, changes={"share_hidden": 1, "share_reveal": 0})
    turn = turns.save(
        by=assessor.user,
        slug=collection.slug,
        token=claim.token,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=2),
        now=NOW,
    )
    assert turn.undecided.suggestion.rater.name == "model-a"
