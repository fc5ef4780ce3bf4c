"""Statistics of each assessor, worked out by hand where they are small."""

import json
from datetime import timedelta

import pytest

from annotate.draws.operations import draws
from annotate.models import Judgment
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings import assessors
from evaluation.findings.agreement import agreement
from evaluation.inputs import raters
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection(target=2))


def of(collection, assessor):
    told = json.loads(json.dumps(assessors.compute_statistics(collection)))
    return next(each for each in told["assessors"] if each["pseudonym"] == assessor.pseudonym)


def both(collection):
    """Two people on six pairs in the same order; the first cannot judge the fifth, and both give 0, 1, 3 and 1 to
    others; of the third one says 2, the other 3."""
    people = [factories.make_assessor(collection) for _ in range(2)]
    for assessor, grades in zip(people, ([0, 1, 2, 3, None, 1], [0, 1, 3, 3, 2, 1]), strict=True):
        for grade in grades:
            factories.judge(assessor, grade)
    return people


def test_judgments_are_counted_by_grade(collection):
    first = factories.make_assessor(collection)
    for grade, is_unsure in ((0, False), (2, True), (2, False), (None, False)):
        factories.judge(first, grade, is_unsure=is_unsure)
    told = of(collection, first)
    assert (told["judged"], told["cannot"], told["unsure"]) == (4, 1, 1)
    assert [(each["grade"], each["n"]) for each in told["by_grade"]] == [(0, 1), (1, 0), (2, 2), (3, 0), (None, 1)]


def test_seconds_are_medians_and_a_person_who_tells_none_has_none(collection):
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    for grade, visible in ((0, 1_000), (2, 4_000), (2, 8_000)):
        factories.judge(first, grade, visible_ms=visible, wall_ms=3 * visible)
    factories.judge(second, 0)
    told = of(collection, first)
    assert (told["visible"], told["wall"]) == (4, 12)
    assert [each["visible"] for each in told["by_grade"]] == [1, None, 6, None, None]
    told = of(collection, second)
    assert (told["visible"], told["reason"]["visible"]) == (None, "no judgment of these tells its seconds")


def test_agreement_with_others_is_that_of_the_agreement_page(collection):
    first, second = both(collection)
    told = of(collection, first)["others"]
    assert (told["n"], told["share_equal"]) == (5, pytest.approx(0.8))
    assert told["mean_difference"] == pytest.approx(-0.2)
    assert of(collection, second)["others"]["mean_difference"] == pytest.approx(0.2)
    sides = agreement.make_sides(*(raters.find_rater(collection, each.pseudonym) for each in (first, second)))
    expected: RaterAgreement = agreement.compare_raters(collection, sides).figures
    assert told["kappa"] == pytest.approx(expected.kappa["unweighted"].value)
    assert told["alpha"] == pytest.approx(expected.alpha["ordinal"].value)
    assert told["intervals"]["alpha"]["n"] == 2


def test_a_pair_counts_once_however_many_others_judged_it():
    collection = factories.make_holes(factories.make_collection(target=3), topics=1, passages=2)
    people = [factories.make_assessor(collection) for _ in range(3)]
    for assessor, grades in zip(people, ([0, 1], [0, 2], [1, 1]), strict=True):
        for grade in grades:
            factories.judge(assessor, grade)
    told = of(collection, people[0])["others"]
    assert (told["n"], told["share_equal"], told["mean_difference"]) == (2, 0.5, pytest.approx(-0.5))


def test_pairs_that_came_again_stand_against_the_first_time(collection):
    assessor = factories.make_assessor(collection)
    for grade, again in ((0, 0), (1, 2), (3, 3)):
        small.repeat(factories.judge(assessor, grade), again)
    told = of(collection, assessor)["self"]
    assert (told["n"], told["share_equal"]) == (3, pytest.approx(2 / 3))
    assert told["mean_difference"] == pytest.approx(1 / 3)
    assert of(collection, assessor)["judged"] == 3


def test_what_happened_after_a_reveal_is_told_with_its_direction(collection):
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    small.show_suggestions(collection, reveal=1)
    assessor = factories.make_assessor(collection)
    for grade, decision in ((3, 2), (0, 0)):
        small.decide(assessor, factories.judge(assessor, grade), decision)
    told = of(collection, assessor)["reveals"]
    assert (told["decided"], told["changed"], told["raised"], told["lowered"]) == (2, 1, 0, 1)
    assert (told["towards"], told["away"]) == (1, 0)


def test_drift_from_the_reference_is_told_for_each_and_for_all():
    collection = factories.make_holes(factories.make_collection(target=2), topics=2, passages=3)
    factories.import_qrels(collection, small.lines("q1 d1.1 0, q1 d1.2 1, q2 d2.1 2, q2 d2.2 3"))
    factories.build_pool(collection)
    draws.draw_calibration(collection=collection, number=1, seed=1, by=None, now=NOW)
    reference = {"d1.1": 0, "d1.2": 1, "d2.1": 2, "d2.2": 3}
    people = [factories.make_assessor(collection) for _ in range(2)]
    for assessor, more in zip(people, (0, 1), strict=True):
        while claim := factories.claim(assessor):
            factories.judge(assessor, min(3, reference.get(claim.pair.passage_id, 0) + more))
    assert Judgment.objects.filter(is_calibration=True).count() == 8
    same, generous = (of(collection, assessor)["reference"] for assessor in people)
    assert (same["n"], same["kappa"], same["mean_difference"]) == (4, 1.0, 0.0)
    assert (generous["n"], generous["mean_difference"]) == (4, 0.75)
    told = assessors.compute_statistics(collection)["reference"]
    assert (told["n"], told["mean_difference"]) == (8, 0.375)


def test_sittings_show_drift(collection):
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    for hours, grades in ((0, [0, 1]), (5, [3, 2, 3, 3])):
        for grade in grades:
            factories.judge(first, grade, now=NOW + timedelta(hours=hours))
    for _ in range(3):
        factories.judge(second, 0)
    early, late = of(collection, first)["sittings"]
    assert (early["sitting"], early["judged"], early["mean_grade"]) == (1, 2, 0.5)
    assert (late["sitting"], late["judged"], late["mean_grade"]) == (2, 4, 2.75)
    assert early["began_at"] < late["began_at"]
    assert (early["others"]["n"], early["others"]["mean_difference"]) == (2, 0.5)
    assert (late["others"]["n"], late["others"]["mean_difference"]) == (1, 3)


def test_where_nobody_has_judged_there_is_nothing_to_tell(collection):
    told = assessors.compute_statistics(collection)
    assert (told["judgments"], told["assessors"], told["reference"]["n"]) == (0, [], 0)
