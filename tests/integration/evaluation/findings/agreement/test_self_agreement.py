import pytest

from evaluation.findings.agreement import matrix
from evaluation.inputs import facts
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection())


def of(collection, assessor):
    return matrix.compare_all_with_self(collection).get(assessor.pseudonym)


def test_the_first_grades_stand_against_those_of_the_second_round(collection):
    assessor = factories.make_assessor(collection)
    for before, again in ((0, 0), (1, 2), (3, 3)):
        small.repeat(factories.judge(assessor, before), again)
    factories.judge(assessor, 2)
    found = of(collection, assessor)
    assert (found.n, found.only_first) == (3, 0)
    assert found.confusion.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert found.share_equal.value == pytest.approx(2 / 3)


def test_what_another_person_was_given_again_does_not_count(collection):
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    small.repeat(factories.judge(first, 1), 1)
    factories.judge(second, 1)
    assert of(collection, second) is None
    assert list(matrix.compare_all_with_self(collection)) == [first.pseudonym]


@pytest.mark.postgresql
def test_a_pair_that_could_not_be_judged_the_first_time_is_not_compared(collection):
    assessor = factories.make_assessor(collection)
    small.repeat(factories.judge(assessor, None), 1, outcome="GRADED", reason="")
    assert of(collection, assessor).n == 0


def test_a_repeat_makes_findings_stale(collection):
    judgment = factories.judge(factories.make_assessor(collection), 1)
    before = facts.fingerprint(collection, ())
    small.repeat(judgment, 1)
    assert facts.fingerprint(collection, ()) != before
