"""How far each assessor agrees with himself, with the others, and with the reference on its pairs mixed in."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.models import Collection, ReferenceGrade
from annotate.rules import grades
from evaluation.agreement import against_others
from evaluation.findings.assessors import judgments
from evaluation.findings.assessors.judgments import Ints, Judgments
from evaluation.statistics import couple_agreement
from evaluation.statistics.couple_agreement import Couples

Told = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Beside:
    """Grades beside those of somebody else: `place` is that of the judgment of each couple."""

    couples: Couples
    place: Ints


def with_others(given: Judgments) -> Beside:
    """Final grades, beside which stand those of others on the same pair."""
    graded = np.flatnonzero(given.is_graded)
    found = against_others.of(given.pair[graded])
    own, other = graded[found.own], graded[found.other]
    return Beside(Couples(given.grade[other], given.grade[own], found.weight), own)


def with_themselves(given: Judgments, collection: Collection) -> Beside:
    """Second grades of pairs that came again unannounced, beside the first ones."""
    place, second = judgments.again(collection, given)
    return Beside(Couples(given.first_grade[place], second, np.ones(len(place))), place)


def with_reference(given: Judgments, collection: Collection) -> Beside:
    """Grades given at the save to pairs of the reference that were mixed in blind. Where the reference grades a pair no
    more, it has nothing to say."""
    reference = _reference(collection)
    mixed_in = np.flatnonzero(given.is_calibration & given.is_graded)
    known = [place for place in mixed_in.tolist() if int(given.pair[place]) in reference]
    place = np.array(known, dtype=np.int64)
    first = np.array([reference[int(pair)] for pair in given.pair[place]], dtype=np.int64)
    return Beside(Couples(first, given.first_grade[place], np.ones(len(place))), place)


def by_assessor(given: Judgments, beside: Beside, scale: range) -> list[Told]:
    """The figures of each assessor, in the order of the pseudonyms, with intervals over topics. The mean difference is
    the assessor's grade less the other one."""
    assessor = given.assessor[beside.place]
    groups = len(given.pseudonyms)
    figures = couple_agreement.by_group(beside.couples, assessor, groups, scale)
    chosen = [np.flatnonzero(assessor == each) for each in range(groups)]
    return [
        {**found.as_json(), **_intervals(given, beside, places, scale)}
        for found, places in zip(figures, chosen, strict=True)
    ]


def of_all(given: Judgments, beside: Beside, scale: range) -> Told:
    """The same of all assessors as one."""
    everything = np.arange(len(beside.place))
    (found,) = couple_agreement.by_group(beside.couples, np.zeros_like(everything), 1, scale)
    return {**found.as_json(), **_intervals(given, beside, everything, scale)}


def _intervals(given: Judgments, beside: Beside, places: Ints, scale: range) -> Told:
    topic = given.topic[beside.place[places]]
    found = couple_agreement.intervals(beside.couples.at(places), topic, scale)
    names = ("kappa", "alpha", "mean_difference")
    return {"intervals": {name: interval.as_json() for name, interval in zip(names, found, strict=True)}}


def _reference(collection: Collection) -> dict[int, int]:
    """By row id of the pair, the reference's grades in force of pairs that were mixed in."""
    rows = ReferenceGrade.objects.filter(
        rater=collection.reference_rater_id,
        source__state="PUBLISHED",
        dropped_by=None,
        pair__judgments__is_calibration=True,
    )
    return {pair: grade for pair, grade in rows.values_list("pair", "grade") if grades.is_judged(grade)}
