"""People who leave: what they judged stays, under their pseudonym."""

import pytest
from django.db.models import ProtectedError

from annotate.collections.operations import people
from annotate.exports import operations as exports_operations
from annotate.models import Judgment
from annotate.rules import completion
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessor():
    assessor = factories.make_assessor(factories.make_holes(factories.make_collection("here")), "ann")
    for grade in (0, 3, None):
        factories.judge(assessor, grade=grade, comment="so")
    return assessor


def exported(collection):
    """The digest of the qrels, and who judged as the provenance tells it."""
    frozen = exports_operations.freeze(
        collection=collection, rule=completion.parse_rule("people"), by=None, now=factories.NOW
    )
    return frozen.digest, frozen.number


def test_an_export_is_the_same_after_a_person_has_left(assessor):
    before = exported(assessor.collection)
    people.deactivate_member(membership=assessor, by=assessor.collection.created_by, now=factories.NOW)

    assert exported(assessor.collection) == before
    assert list(Judgment.objects.values_list("assessor__pseudonym", flat=True)) == ["assessor-1"] * 3


def test_an_account_with_judgments_cannot_be_deleted_by_anybody(assessor):
    with pytest.raises(ProtectedError):
        assessor.user.delete()
    with pytest.raises(ProtectedError):
        assessor.delete()
