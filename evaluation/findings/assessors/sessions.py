"""How an assessor drifts from sitting to sitting; a pause of half an hour starts a new one."""

from typing import Any

import numpy as np
from django.db.models import Min

from annotate.grades import ratings
from annotate.models import Collection
from evaluation.agreement.value import Value, as_json, undefined
from evaluation.findings.assessors import grades
from evaluation.findings.assessors.agreement import Beside
from evaluation.findings.assessors.judgments import Ints, Judgments
from evaluation.statistics import couple_agreement

Told = dict[str, Any]
NO_GRADE = "nothing was graded"


def of_all(collection: Collection, given: Judgments, others: Beside, scale: range) -> list[list[Told]]:
    """Of each assessor, in the order of the pseudonyms, all sittings with their first moment, the mean grade, median
    seconds, and the agreement with others (`assessor_agreement.with_others`) on what was judged then."""
    if not len(given):
        return []
    width = int(given.sitting.max()) + 1
    codes, sitting = np.unique(given.assessor * width + given.sitting, return_inverse=True)
    figures = couple_agreement.by_group(others.couples, sitting[others.place], len(codes), scale)
    began = _began(collection)
    judgments = np.split(np.argsort(sitting, kind="stable"), np.bincount(sitting).cumsum()[:-1])
    found: list[list[Told]] = [[] for _ in given.pseudonyms]
    for code, judged, beside in zip(codes.tolist(), judgments, figures, strict=True):
        assessor, number = divmod(code, width)
        found[assessor].append(
            {
                "sitting": number,
                "began_at": began[given.pseudonyms[assessor], number],
                "judged": len(judged),
                **_means(given, judged),
                "others": beside.as_json(),
            }
        )
    return found


def _means(given: Judgments, judged: Ints) -> Told:
    graded = given.grade[judged][given.is_graded[judged]]
    visible, wall = grades.medians(given, judged)
    mean = Value(float(graded.mean())) if len(graded) else undefined(NO_GRADE)
    return as_json({"mean_grade": mean, "visible": visible, "wall": wall})


def _began(collection: Collection) -> dict[tuple[str, int], str]:
    rows = ratings.current(collection).values_list("assessor__pseudonym", "sitting").annotate(at=Min("created_at"))
    return {(name, sitting): at.isoformat() for name, sitting, at in rows.order_by()}
