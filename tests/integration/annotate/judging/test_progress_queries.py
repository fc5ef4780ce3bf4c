import pytest

from annotate.collections.operations import collections
from annotate.judging.operations import turns
from annotate.judging.queries import activity
from tests import factories


@pytest.fixture
def assessor(db):
    return factories.make_assessor(factories.make_holes(factories.make_collection(), topics=2, passages=5))


def test_what_was_skipped_is_not_done_and_what_cannot_be_judged_is(assessor):
    turns.skip(assessor=assessor, token=factories.claim(assessor).token, now=factories.NOW, claims_next=False)
    for number in range(9):
        factories.judge(assessor, grade=None if number == 0 else 2)

    assert activity.read_own_progress(assessor) == activity.OwnProgress(judged=9, total=10, skipped=1)
    assessor.collection.refresh_from_db()
    assert activity.count_done(assessor.collection) == (9, 10)


def test_nobody_s_progress_counts_the_judgments_of_others(assessor):
    other = factories.make_assessor(assessor.collection)
    for _ in range(4):
        factories.judge(other)

    assert activity.read_own_progress(assessor) == activity.OwnProgress(judged=0, total=6, skipped=0)
    collections.change_judging(collection=assessor.collection, changes={"target": 2})
    assert activity.read_own_progress(assessor).total == 10
