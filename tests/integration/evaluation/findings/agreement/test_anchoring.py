import pytest

from evaluation.findings.agreement import groups
from evaluation.inputs import raters
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """Six holes; the model gives each grade 1 and is revealed after the save."""
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    small.show_suggestions(collection, reveal=1)
    return collection


def of(collection, person="people"):
    return groups.count_decisions(
        collection, raters.find_rater(collection, person), raters.find_rater(collection, "model-a")
    )


def decide(assessor, before, after):
    small.decide(assessor, factories.judge(assessor, before), after)


def test_changes_after_a_reveal_are_counted_by_their_direction(collection):
    assessor = factories.make_assessor(collection)
    for before, after in ((3, 1), (3, 2), (0, 0), (1, 2), (1, 1)):
        decide(assessor, before, after)
    factories.judge(assessor, 2)
    found = of(collection)
    assert (found.decided, found.undecided, found.differing, found.changed) == (5, 1, 3, 3)
    assert (found.towards, found.onto, found.away, found.raised, found.lowered) == (2, 1, 1, 1, 2)
    assert (found.share_changed.value, found.share_of_differing.value) == (0.6, pytest.approx(2 / 3))


def test_a_change_to_the_other_side_at_the_same_distance_is_neither_towards_nor_away(collection):
    decide(factories.make_assessor(collection), 0, 2)
    found = of(collection)
    assert (found.changed, found.towards, found.away, found.raised) == (1, 0, 0, 1)


@pytest.mark.postgresql
def test_each_assessor_has_decisions_of_his_own(collection):
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    decide(first, 3, 1)
    decide(second, 3, 3)
    assert (of(collection, first.pseudonym).changed, of(collection, second.pseudonym).changed) == (1, 0)


def test_what_another_model_suggested_does_not_count(collection):
    decide(factories.make_assessor(collection), 3, 1)
    factories.make_suggestions(collection, grade=0, rater="model-b")
    assert (
        groups.count_decisions(
            collection, raters.find_rater(collection, "people"), raters.find_rater(collection, "model-b")
        ).decided
        == 0
    )


def test_without_a_decision_the_shares_are_undefined_and_say_why(collection):
    assert of(collection).share_changed.reason == "nobody has decided after a reveal"
    decide(factories.make_assessor(collection), 1, 1)
    assert of(collection).share_of_differing.reason == "no grade differed from its suggestion"


def test_decisions_are_told_apart_by_assessor(collection):
    for before, after in ((3, 1), (3, 3)):
        decide(factories.make_assessor(collection), before, after)
    found = groups.count_by_assessor(
        collection, raters.find_rater(collection, "people"), raters.find_rater(collection, "model-a")
    )
    assert {name: (each.decided, each.changed) for name, each in found.items()} == {
        "assessor-1": (1, 1),
        "assessor-2": (1, 0),
    }
