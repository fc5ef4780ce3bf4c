"""Statistics of assessors: how much, which grades, how long, how consistently; by pseudonym, never ranked."""

from dataclasses import asdict, dataclass
from typing import NotRequired, TypedDict, cast

import numpy as np
from django.db.models import Min

from annotate.grades import ratings
from annotate.models import Collection, ReferenceGrade
from annotate.rules import completion
from evaluation.agreement import pairing
from evaluation.agreement.value import Value, as_json, undefined
from evaluation.findings.agreement import groups as agreement_groups
from evaluation.inputs import judgments as inputs_judgments
from evaluation.inputs.choices import Question
from evaluation.inputs.judgments import NO_GRADE, Flags, Floats, Ints, Judgments
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import CoupleAgreementJson, Couples
from evaluation.statistics.bootstrap import IntervalJson


class SecondsJson(TypedDict):
    """Medians, of the seconds while the page was visible and the person not idle, and by the clock on the wall."""

    visible: float | None
    wall: float | None
    reason: NotRequired[dict[str, str]]


class GradeJson(SecondsJson):
    """`grade` is None of what could not be judged."""

    grade: int | None
    n: int


class AgreementJson(CoupleAgreementJson):
    """`intervals` of kappa, alpha and the mean difference, over topics."""

    intervals: dict[str, IntervalJson]


class SessionJson(SecondsJson):
    sitting: int
    began_at: str
    judged: int
    mean_grade: float | None
    others: CoupleAgreementJson


class AssessorJson(SecondsJson):
    """`self`: second grades beside the first, of pairs that came again."""

    pseudonym: str
    judged: int
    cannot: int
    unsure: int
    by_grade: list[GradeJson]
    reveals: dict[str, int] | None
    self: AgreementJson
    others: AgreementJson
    reference: AgreementJson
    sittings: list[SessionJson]


class Statistics(TypedDict):
    """All assessors with judgments, by their pseudonyms; under `reference` the drift of all of them as one."""

    judgments: int
    scale: list[int]
    reference: AgreementJson
    assessors: list[AssessorJson]


class StatisticsQuestion(Question[Statistics]):
    kind = "assessors"
    page = "assessor_statistics"

    def compute(self, collection: Collection) -> Statistics:
        return compute_statistics(collection)


QUESTION = StatisticsQuestion((), "statistics of each assessor")


@dataclass(frozen=True, eq=False)
class Beside:
    """Grades beside those of somebody else: `place` is that of the judgment of each couple."""

    couples: Couples
    place: Ints


def pair_with_others(given: Judgments) -> Beside:
    """Final grades, beside which stand those of others on the same pair."""
    graded = np.flatnonzero(given.is_graded)
    found = pairing.compare_with_others(given.pair[graded])
    own, other = graded[found.own], graded[found.other]
    return Beside(Couples(given.grade[other], given.grade[own], found.weight), own)


def pair_with_themselves(given: Judgments, collection: Collection) -> Beside:
    """Second grades of pairs that came again unannounced, beside the first ones."""
    place, second = inputs_judgments.read_repeats(collection, given)
    return Beside(Couples(given.first_grade[place], second, np.ones(len(place))), place)


def pair_with_reference(given: Judgments, collection: Collection) -> Beside:
    """Grades given at the save to pairs of the reference that were mixed in blind. Where the reference grades a pair no
    more, it has nothing to say."""
    reference = _reference_grades(collection)
    mixed_in = np.flatnonzero(given.is_calibration & given.is_graded)
    known = [place for place in mixed_in.tolist() if int(given.pair[place]) in reference]
    place = np.array(known, dtype=np.int64)
    first = np.array([reference[int(pair)] for pair in given.pair[place]], dtype=np.int64)
    return Beside(Couples(first, given.first_grade[place], np.ones(len(place))), place)


def agreement_by_assessor(given: Judgments, beside: Beside, scale: range) -> list[AgreementJson]:
    """The figures of each assessor, in the order of the pseudonyms, with intervals over topics. The mean difference is
    the assessor's grade less the other one."""
    assessor = given.assessor[beside.place]
    groups = len(given.pseudonyms)
    figures = agreement_intervals.by_group(beside.couples, assessor, groups, scale)
    chosen = [np.flatnonzero(assessor == each) for each in range(groups)]
    return [
        {**found.as_json(), "intervals": _intervals(given, beside, places, scale)}
        for found, places in zip(figures, chosen, strict=True)
    ]


def agreement_of_all(given: Judgments, beside: Beside, scale: range) -> AgreementJson:
    """The same of all assessors as one."""
    everything = np.arange(len(beside.place))
    (found,) = agreement_intervals.by_group(beside.couples, np.zeros_like(everything), 1, scale)
    return {**found.as_json(), "intervals": _intervals(given, beside, everything, scale)}


def _intervals(given: Judgments, beside: Beside, places: Ints, scale: range) -> dict[str, IntervalJson]:
    topic = given.topic[beside.place[places]]
    found = agreement_intervals.intervals(beside.couples.at(places), topic, scale)
    names = ("kappa", "alpha", "mean_difference")
    return {name: interval.as_json() for name, interval in zip(names, found, strict=True)}


def _reference_grades(collection: Collection) -> dict[int, int]:
    """By row id of the pair, the reference's grades in force of pairs that were mixed in."""
    rows = ReferenceGrade.objects.filter(
        rater=collection.reference_rater_id,
        source__state="PUBLISHED",
        dropped_by=None,
        pair__judgments__is_calibration=True,
    )
    return {pair: grade for pair, grade in rows.values_list("pair", "grade") if completion.is_judged(grade)}


NO_SECONDS = "no judgment of these tells its seconds"


def count_by_grade(given: Judgments, own: Flags, scale: range) -> list[GradeJson]:
    """Of each grade of the scale, and at the end of what could not be judged (None)."""
    rows = [(grade, own & (given.grade == grade)) for grade in scale]
    rows.append((NO_GRADE, own & ~given.is_graded))
    return [
        {"grade": None if grade == NO_GRADE else grade, "n": int(of_grade.sum()), **_seconds(given, of_grade)}
        for grade, of_grade in rows
    ]


def median_seconds(given: Judgments, chosen: Flags | Ints) -> tuple[Value, Value]:
    """Of the seconds while the page was visible and the person not idle, and of those by the clock on the wall."""
    return _median(given.visible[chosen]), _median(given.wall[chosen])


def _seconds(given: Judgments, chosen: Flags) -> SecondsJson:
    return cast(SecondsJson, as_json(dict(zip(("visible", "wall"), median_seconds(given, chosen), strict=True))))


def _median(values: Floats) -> Value:
    known = values[~np.isnan(values)]
    return Value(float(np.median(known))) if len(known) else undefined(NO_SECONDS)


NOTHING_GRADED = "nothing was graded"


def list_sessions(collection: Collection, given: Judgments, others: Beside, scale: range) -> list[list[SessionJson]]:
    """Of each assessor, in the order of the pseudonyms, all sessions with their first moment, the mean grade, median
    seconds, and the agreement with others (`pair_with_others`) on what was judged then."""
    if not len(given):
        return []
    width = int(given.session.max()) + 1
    codes, session = np.unique(given.assessor * width + given.session, return_inverse=True)
    figures = agreement_intervals.by_group(others.couples, session[others.place], len(codes), scale)
    began = _session_starts(collection)
    judgments = np.split(np.argsort(session, kind="stable"), np.bincount(session).cumsum()[:-1])
    found: list[list[SessionJson]] = [[] for _ in given.pseudonyms]
    for code, judged, beside in zip(codes.tolist(), judgments, figures, strict=True):
        assessor, number = divmod(code, width)
        facts = {
            "sitting": number,
            "began_at": began[given.pseudonyms[assessor], number],
            "judged": len(judged),
            "others": beside.as_json(),
        }
        found[assessor].append(cast(SessionJson, {**facts, **_means(given, judged)}))
    return found


def _means(given: Judgments, judged: Ints) -> dict[str, object]:
    graded = given.grade[judged][given.is_graded[judged]]
    visible, wall = median_seconds(given, judged)
    mean = Value(float(graded.mean())) if len(graded) else undefined(NOTHING_GRADED)
    return as_json({"mean_grade": mean, "visible": visible, "wall": wall})


def _session_starts(collection: Collection) -> dict[tuple[str, int], str]:
    rows = (
        ratings.current_judgments(collection)
        .values_list("assessor__pseudonym", "session")
        .annotate(at=Min("created_at"))
    )
    return {(name, session): at.isoformat() for name, session, at in rows.order_by()}


def compute_statistics(collection: Collection) -> Statistics:
    given, scale = inputs_judgments.read_judgments(collection), collection.scale.grades
    others = pair_with_others(given)
    reference = pair_with_reference(given, collection)
    again = pair_with_themselves(given, collection)
    revealed = agreement_groups.count_for_everybody(collection)
    parts = zip(
        given.pseudonyms,
        *(agreement_by_assessor(given, beside, scale) for beside in (again, others, reference)),
        list_sessions(collection, given, others, scale),
        strict=True,
    )
    return {
        "judgments": len(given),
        "scale": list(scale),
        "reference": agreement_of_all(given, reference, scale),
        "assessors": [
            {
                "pseudonym": name,
                "judged": int((own := given.assessor == place).sum()),
                "cannot": int((own & ~given.is_graded).sum()),
                "unsure": int((own & given.is_unsure).sum()),
                **_seconds(given, own),
                "by_grade": count_by_grade(given, own, scale),
                "reveals": asdict(revealed[name]) if name in revealed else None,
                "self": beside_self,
                "others": beside_others,
                "reference": beside_reference,
                "sittings": sittings,
            }
            for place, (name, beside_self, beside_others, beside_reference, sittings) in enumerate(parts)
        ],
    }
