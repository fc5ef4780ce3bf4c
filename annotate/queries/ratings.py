"""The grades of a rater as plain mappings (query_id, passage_id) -> grade, whoever the rater is.

A rater's text name: `reference` or the name of a rater, `dropped` (what the draw of synthetic holes took from the
reference), `people` (consensus of final grades), `people:blind` (of grades given without a suggestion in view).
"""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet

from annotate.models import Collection, Judgment, Rater, ReferenceGrade, Suggestion
from annotate.rules import blinding, consensus

Pair = tuple[str, str]
NAMES = ("pair__topic__query_id", "pair__passage_id")


def reference_grades(rater: Rater, *, with_dropped: bool = False) -> dict[Pair, int]:
    """Grades of a reference rater; those that a draw of holes dropped are left out unless asked for."""
    rows = ReferenceGrade.objects.filter(rater=rater, source__state="PUBLISHED")
    return _mapping(rows if with_dropped else rows.filter(dropped_by=None))


def dropped_grades(collection: Collection) -> dict[Pair, int]:
    """What the draws in force took away: for the researcher only."""
    return _mapping(
        ReferenceGrade.objects.filter(
            rater=collection.reference_rater_id, source__state="PUBLISHED", dropped_by__isnull=False
        )
    )


def model_grades(rater: Rater) -> dict[Pair, int]:
    """Grades of a model where it gave one; of several answers to a pair the first."""
    rows = Suggestion.objects.filter(rater=rater, state=Suggestion.State.DONE).exclude(
        source__state__in=["WAITING", "STAGING", "WITHDRAWING", "WITHDRAWN", "REFUSED"]
    )
    return _mapping(rows.order_by("-draw"))


def grades_of(rater: Rater) -> dict[Pair, int]:
    return model_grades(rater) if rater.kind == Rater.Kind.MODEL else reference_grades(rater)


def people(collection: Collection, rule: str | None = None, *, blind: bool = False) -> dict[Pair, int]:
    """The consensus of people's first-round grades: final ones, or with `blind` those given before any suggestion."""
    given: dict[Pair, list[int]] = defaultdict(list)
    for grades in by_assessor(collection, blind=blind).values():
        for pair, grade in grades.items():
            given[pair].append(grade)
    found = {pair: consensus.consensus(rule or collection.consensus, grades) for pair, grades in given.items()}
    return {pair: grade for pair, grade in found.items() if grade is not None}


def by_assessor(collection: Collection, *, blind: bool = False) -> dict[str, dict[Pair, int]]:
    """Of each assessor's pseudonym the first-round grades; with `blind` those of the hidden arm and before a reveal."""
    rows = current(collection).filter(outcome=Judgment.Outcome.GRADED)
    if blind:
        rows = rows.filter(is_suggestion_seen=False, arm__in=[blinding.HIDDEN, blinding.REVEAL])
    column = "first_grade" if blind else "grade"
    grades: dict[str, dict[Pair, int]] = defaultdict(dict)
    for pseudonym, query_id, passage_id, grade in rows.values_list("assessor__pseudonym", *NAMES, column):
        grades[pseudonym][query_id, passage_id] = grade
    return dict(sorted(grades.items()))


def current(collection: Collection) -> QuerySet[Judgment]:
    """The judgments in force of the first round."""
    return Judgment.objects.filter(assessor__collection=collection, round=1, is_current=True)


def _mapping(rows: QuerySet[ReferenceGrade] | QuerySet[Suggestion]) -> Mapping[Pair, int] | dict[Pair, int]:
    return {(query_id, passage_id): grade for query_id, passage_id, grade in rows.values_list(*NAMES, "grade")}
