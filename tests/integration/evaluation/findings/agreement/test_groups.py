from datetime import timedelta

import pytest

from annotate.models import Collection
from evaluation.findings.agreement import agreement, groups
from evaluation.inputs import raters
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


def grouped(collection, first, second):
    sides = agreement.make_sides(raters.find_rater(collection, first), raters.find_rater(collection, second))
    return groups.compare_in_groups(collection, sides)


def test_each_topic_has_its_own_figures():
    collection = small.with_qrels("q1 a 0, q1 b 1, q2 a 2, q2 b 3", "q1 a 0, q1 b 1, q2 a 3, q2 b 2, q2 c 1")
    found = grouped(collection, "nist", "gpt")
    assert [(group.key, group.figures.n, group.figures.values["equal"].value) for group in found.topics] == [
        ("q1", 2, 1.0),
        ("q2", 2, 0.0),
    ]
    assert found.topics[0].figures.values["alpha"].value == 1.0
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


@pytest.mark.postgresql
def test_of_two_assessors_a_pair_belongs_to_the_later_one():
    collection = factories.make_holes(factories.make_collection(target=2), topics=1, passages=1)
    factories.judge(factories.make_assessor(collection), 1)
    factories.judge(factories.make_assessor(collection), 1, now=NOW + timedelta(days=1))
    assert [group.key for group in grouped(collection, "assessor-1", "assessor-2").periods] == ["2026-03-02"]


def test_each_grade_of_the_first_rater_is_a_group():
    collection = small.with_qrels("q1 a 0, q1 b 0, q2 a 2", "q1 a 1, q1 b 2, q2 a 2")
    found = grouped(collection, "nist", "gpt").grades
    assert [(group.key, group.figures.n, group.figures.values["difference"].value) for group in found] == [
        ("0", 2, 1.5),
        ("2", 1, 0.0),
    ]


def test_people_among_themselves_stand_beside_the_groups_in_which_two_judged_a_pair():
    collection = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    for grade in (0, 1, 2, 3):
        factories.judge(first, grade)
    for grade in (0, 1):
        factories.judge(second, grade)
    found = grouped(collection, "people", "model-a")
    topics = {group.key: group for group in found.topics}
    assert (topics["q1"].among.n, topics["q1"].among.values["equal"].value) == (2, 1.0)
    assert (topics["q2"].among.n, topics["q2"].among.values["kappa"].reason) == (0, "no pair was judged by two people")
    assert [group.among.n for group in found.periods] == [2]
    assert grouped(collection, "assessor-1", "assessor-2").topics[0].among is None


def test_a_model_stands_apart_on_holes_and_on_what_the_reference_graded():
    collection = factories.make_holes(factories.make_collection(), topics=1)
    factories.import_qrels(collection, "q1 0 d1.1 1\nq1 0 x 1\n")
    factories.build_pool(collection)
    factories.make_suggestions(collection, grade=1)
    factories.import_qrels(collection, "q1 0 d1.1 1\nq1 0 d1.2 2\nq1 0 x 1\nq1 0 y 1\n", rater="other", kind="MODEL")
    factories.import_qrels(collection, "q1 0 y 1\n", rater="third", kind="MODEL")
    found = grouped(collection, "model-a", "other").sources
    assert [(group.key.partition(":")[0].partition(",")[0], group.figures.n) for group in found] == [
        ("hole", 1),
        ("graded by the reference", 1),
        ("graded by the reference", 1),
    ]
    assert [group.key for group in grouped(collection, "other", "third").sources] == [
        "neither in the pool nor graded by the reference"
    ]


def test_a_pool_that_is_built_moves_pairs_to_another_source_and_judging_reads_them_no_second_time(monkeypatch):
    collection = factories.make_holes(factories.make_collection(), topics=1)
    factories.import_qrels(collection, "q1 0 d1.1 1\n")
    factories.build_pool(collection, depth=1)
    for rater in ("one", "two"):
        factories.import_qrels(collection, "q1 0 d1.2 1\n", rater=rater, kind="MODEL")

    def source():
        (group,) = grouped(collection, "one", "two").sources
        return group.key.partition(":")[0]

    assert source() == "neither in the pool nor graded by the reference"
    factories.build_pool(collection)
    assert source() == "hole"
    monkeypatch.setattr(groups, "_origin", None)
    factories.judge(factories.make_assessor(collection), 1)
    assert source() == "hole"
