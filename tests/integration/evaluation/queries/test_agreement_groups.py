from datetime import timedelta

import pytest

from annotate.models import Collection
from evaluation.queries import agreement, agreement_groups, raters
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


def grouped(collection, first, second):
    sides = agreement.compared(raters.named(collection, first), raters.named(collection, second))
    return agreement_groups.of(collection, sides)


def test_each_topic_has_its_own_figures():
    collection = small.with_qrels("q1 a 0, q1 b 1, q2 a 2, q2 b 3", "q1 a 0, q1 b 1, q2 a 3, q2 b 2, q2 c 1")
    found = grouped(collection, "nist", "gpt")
    assert [(group.key, group.figures.n, group.figures.share_equal.value) for group in found.topics] == [
        ("q1", 2, 1.0),
        ("q2", 2, 0.0),
    ]
    assert found.topics[0].figures.alpha["ordinal"].value == 1.0
    assert found.periods == ()


def test_a_topic_without_a_common_pair_is_left_out():
    assert grouped(small.with_qrels("q1 a 0, q2 a 1", "q1 a 0"), "nist", "gpt").topics[0].key == "q1"
    assert grouped(small.with_qrels("q1 a 0", "q2 a 0"), "nist", "gpt").topics == ()


@pytest.mark.parametrize(
    ("days", "periods"),
    [
        ((0, 0, 13), ["2026-03-01", "2026-03-14"]),
        ((0, 2, 40), ["2026-W09", "2026-W10", "2026-W15"]),
        ((0, 20, 300), ["2026-03", "2026-12"]),
    ],
)
def test_time_goes_by_days_weeks_or_months_that_are_few_enough(days, periods):
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    Collection.objects.filter(pk=collection.pk).update(claim_minutes=30)
    assessor = factories.make_assessor(collection)
    for day in days:
        factories.judge(assessor, 1, now=NOW + timedelta(days=day))
    found = grouped(collection, "people", "model-a")
    assert [group.key for group in found.periods] == periods
    assert sum(group.figures.n for group in found.periods) == 3


def test_of_two_assessors_a_pair_belongs_to_the_later_one():
    collection = factories.make_holes(factories.make_collection(target=2), topics=1, passages=1)
    factories.judge(factories.make_assessor(collection), 1)
    factories.judge(factories.make_assessor(collection), 1, now=NOW + timedelta(days=1))
    assert [group.key for group in grouped(collection, "assessor-1", "assessor-2").periods] == ["2026-03-02"]
