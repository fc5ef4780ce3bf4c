"""The grades of a rater as plain mappings (query_id, passage_id) -> grade, whoever the rater is.

A rater's text name: `reference` or the name of a rater, `dropped` (what the draw of synthetic holes took from the
reference), `adjudicated` (decisions), `people` (consensus of final grades), `people:blind` (of grades given without a
suggestion in view).
"""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet

from annotate.models import Adjudication, Collection, Judgment, Rater, ReferenceGrade, Suggestion
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
    return _mapping(_answers(rater))


def model_chances(rater: Rater) -> dict[Pair, list[float]]:
    """How likely each grade is to whoever scores, from the lowest up, by the answers of `model_grades` that say so:
    their probabilities, or others that the judge means for scoring."""
    found = _answers(rater).values_list(*NAMES, "probabilities", "for_scoring")
    by_pair = {(query_id, passage_id): meant or chances for query_id, passage_id, chances, meant in found}
    return {pair: chances for pair, chances in by_pair.items() if chances}


def model_opinions(rater: Rater) -> dict[Pair, int | list[float]]:
    """All that a model says of each pair: how likely each grade is by its own account, else the shares of its several
    answers, else its grade."""
    found = _answers(rater).values_list(*NAMES, "probabilities", "votes", "grade")
    return {(query_id, passage_id): chances or votes or grade for query_id, passage_id, chances, votes, grade in found}


def _answers(rater: Rater) -> QuerySet[Suggestion]:
    """What a model answered with a grade, the first answer to a pair last."""
    rows = Suggestion.objects.filter(rater=rater, state=Suggestion.State.DONE)
    hidden = ["WAITING", "STAGING", "WITHDRAWING", "WITHDRAWN", "REFUSED"]
    return rows.exclude(source__state__in=hidden).order_by("-draw")


def grades_of(rater: Rater) -> dict[Pair, int]:
    return model_grades(rater) if rater.kind == Rater.Kind.MODEL else reference_grades(rater)


def people(collection: Collection, rule: str | None = None, *, blind: bool = False) -> dict[Pair, int]:
    """The consensus of people's first-round grades: final ones, or with `blind` those given before any suggestion.

    Under the rule ADJUDICATED the grades that were decided, and with `blind` none: who decides has seen all of them.
    """
    if (rule or collection.consensus) == consensus.ADJUDICATED:
        return {} if blind else adjudicated(collection)
    given: dict[Pair, list[int]] = defaultdict(list)
    for grades in by_assessor(collection, blind=blind).values():
        for pair, grade in grades.items():
            given[pair].append(grade)
    found = {pair: consensus.consensus(rule or collection.consensus, grades) for pair, grades in given.items()}
    return {pair: grade for pair, grade in found.items() if grade is not None}


def adjudicated(collection: Collection, *, blind: bool = False) -> dict[Pair, int]:
    """The grades of the decisions in force; with `blind` of those that were made without a suggestion in view."""
    return {pair: grade for pair, grade in decisions(collection, blind=blind).items() if grade is not None}


def decisions(collection: Collection, *, blind: bool = False) -> dict[Pair, int | None]:
    """What the decisions in force say; None where nobody can judge the pair, which stays a hole."""
    rows = Adjudication.objects.filter(pair__collection=collection, is_current=True)
    if blind:
        rows = rows.filter(suggestion=None)
    return {(query_id, passage_id): grade for query_id, passage_id, grade in rows.values_list(*NAMES, "grade")}


def by_assessor(collection: Collection, *, blind: bool = False) -> dict[str, dict[Pair, int]]:
    """Of each assessor's pseudonym the first-round grades; with `blind` those of the hidden arm and before a reveal,
    without calibration pairs, which the reference graded and which are compared with it apart."""
    rows = current(collection).filter(outcome=Judgment.Outcome.GRADED)
    if blind:
        rows = rows.filter(is_suggestion_seen=False, is_calibration=False, arm__in=[blinding.HIDDEN, blinding.REVEAL])
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
