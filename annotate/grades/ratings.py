"""The grades of a rater as plain mappings (query_id, passage_id) -> grade, whoever the rater is.

A rater's text name: `reference` or the name of a rater, `dropped` (what the draw of synthetic holes took from the
reference), `adjudicated` (decisions), `people` (consensus of final grades), `people:blind` (of grades given without a
suggestion in view).
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from annotate.formats import whole_files
from annotate.models import Adjudication, Collection, HoleDraw, Judgment, Pair, Rater, ReferenceGrade, Suggestion
from annotate.rules import assignment, completion

PairId = tuple[str, str]
ByAssessor = Mapping[str, Mapping[PairId, int]]
NAMES = ("pair__topic__query_id", "pair__passage_id")


def reference_grades(rater: Rater, *, with_dropped: bool = False) -> dict[PairId, int]:
    """Grades of a reference rater; those that a draw of holes dropped are left out unless asked for."""
    rows = _published(rater)
    return _mapping(rows if with_dropped else rows.filter(dropped_by=None))


def dropped_grades(collection: Collection) -> dict[PairId, int]:
    """What the draws in force took away: for the researcher only."""
    return _mapping(
        ReferenceGrade.objects.filter(
            rater=collection.reference_rater_id, source__state="PUBLISHED", dropped_by__isnull=False
        )
    )


def hole_draw_in_force(collection: Collection) -> HoleDraw | None:
    draws = HoleDraw.objects.filter(collection=collection, undone_at=None).select_related("rater", "created_by")
    return draws.first()


def model_grades(rater: Rater) -> dict[PairId, int]:
    """Grades of a model where it gave one; of several answers to a pair the first."""
    return _mapping(_answers(rater))


def model_probabilities(rater: Rater) -> dict[PairId, list[float]]:
    """How likely each grade is to whoever scores, from the lowest up, by the answers of `model_grades` that say so:
    their probabilities, or others that the judge means for scoring."""
    found = _answers(rater).values_list(*NAMES, "probabilities", "for_scoring")
    by_pair = {(query_id, passage_id): scoring or own for query_id, passage_id, own, scoring in found}
    return {pair: probabilities for pair, probabilities in by_pair.items() if probabilities}


def model_labels(rater: Rater) -> dict[PairId, int | list[float]]:
    """All that a model says of each pair: how likely each grade is by its own account, else the shares of its several
    answers, else its grade."""
    found = _answers(rater).values_list(*NAMES, "probabilities", "votes", "grade")
    return {(query_id, passage_id): own or votes or grade for query_id, passage_id, own, votes, grade in found}


def _answers(rater: Rater) -> QuerySet[Suggestion]:
    """What a model answered with a grade, the first answer to a pair last."""
    return Suggestion.objects.visible().filter(rater=rater, state=Suggestion.State.DONE).order_by("-draw")


def rater_grades(rater: Rater) -> dict[PairId, int]:
    return model_grades(rater) if rater.kind == Rater.Kind.MODEL else reference_grades(rater)


def consensus_grades(
    collection: Collection, rule: str | None = None, *, blind: bool = False, given: ByAssessor | None = None
) -> dict[PairId, int]:
    """The consensus of people's first-round grades: final ones, or with `blind` those given before any suggestion.
    They are read, unless the caller has them (`given`).

    Under the rule ADJUDICATED the grades that were decided, and with `blind` none: who decides has seen all of them.
    """
    if (rule or collection.consensus) == completion.ADJUDICATED_ONLY:
        return {} if blind else adjudicated_grades(collection)
    by_pair: dict[PairId, list[int]] = defaultdict(list)
    for grades in (assessor_grades(collection, blind=blind) if given is None else given).values():
        for pair, grade in grades.items():
            by_pair[pair].append(grade)
    found = {pair: completion.find_consensus(rule or collection.consensus, each) for pair, each in by_pair.items()}
    return {pair: grade for pair, grade in found.items() if grade is not None}


def adjudicated_grades(collection: Collection, *, blind: bool = False) -> dict[PairId, int]:
    """The grades of the decisions in force; with `blind` of those that were made without a suggestion in view."""
    return {pair: grade for pair, grade in decisions(collection, blind=blind).items() if grade is not None}


def decisions(collection: Collection, *, blind: bool = False) -> dict[PairId, int | None]:
    """What the decisions in force say; None where nobody can judge the pair, which stays a hole."""
    rows = Adjudication.objects.filter(pair__collection=collection, is_current=True)
    if blind:
        rows = rows.filter(suggestion=None)
    return {(query_id, passage_id): grade for query_id, passage_id, grade in rows.values_list(*NAMES, "grade")}


def assessor_grades(collection: Collection, *, blind: bool = False) -> dict[str, dict[PairId, int]]:
    """Of each assessor's pseudonym the first-round grades; with `blind` those of the hidden arm and before a reveal,
    without calibration pairs, which the reference graded and which are compared with it apart."""
    rows = current_judgments(collection).filter(outcome=Judgment.Outcome.GRADED)
    if blind:
        rows = rows.filter(
            is_suggestion_seen=False, is_calibration=False, arm__in=[assignment.HIDDEN, assignment.REVEAL]
        )
    column = "first_grade" if blind else "grade"
    grades: dict[str, dict[PairId, int]] = defaultdict(dict)
    for pseudonym, query_id, passage_id, grade in rows.values_list("assessor__pseudonym", *NAMES, column):
        grades[pseudonym][query_id, passage_id] = grade
    return dict(sorted(grades.items()))


def current_judgments(collection: Collection) -> QuerySet[Judgment]:
    """The judgments in force of the first round."""
    return Judgment.objects.filter(assessor__collection=collection, round=1, is_current=True)


def _mapping(rows: QuerySet[ReferenceGrade] | QuerySet[Suggestion]) -> dict[PairId, int]:
    return {(query_id, passage_id): grade for query_id, passage_id, grade in rows.values_list(*NAMES, "grade")}


def settled_grades(collection: Collection) -> dict[PairId, int]:
    """What was decided, else the consensus by the collection's rule; what nobody can judge is not in it."""
    found = consensus_grades(collection) | decisions(collection)
    return propagate_grades(
        {pair: grade for pair, grade in found.items() if grade is not None}, propagation_origins(collection)
    )


def propagation_origins(collection: Collection) -> dict[PairId, PairId]:
    """Of each near-duplicate the pair whose grade it has, unless it was decided itself; none where the collection
    propagates nothing."""
    if not collection.propagates_duplicates:
        return {}
    decided = Adjudication.objects.filter(pair=OuterRef("pk"), is_current=True)
    rows = Pair.objects.filter(~Exists(decided), collection=collection, duplicate_of__isnull=False)
    named = rows.values_list("topic__query_id", "passage_id", "duplicate_of__passage_id")
    return {(query_id, passage_id): (query_id, origin) for query_id, passage_id, origin in named}


def propagate_grades(given: Mapping[PairId, int], origins: Mapping[PairId, PairId]) -> dict[PairId, int]:
    """The grades, with those of near-duplicates following the pairs that they duplicate where these have one."""
    return dict(given) | {pair: given[origin] for pair, origin in origins.items() if origin in given}


@dataclass(frozen=True)
class GradeDigest:
    """`grades`: how many. `digest`: SHA-256 over them in the order of the bytes of their lines."""

    rater: str
    grades: int
    digest: str


def digest_reference(rater: Rater) -> GradeDigest:
    """Of the grades in force: without those that a draw of holes dropped."""
    rows = _published(rater).filter(dropped_by=None).values_list(*NAMES, "grade")
    return _digest(rater, [" ".join(map(str, row)) for row in rows])


def digest_model(rater: Rater) -> GradeDigest:
    """Of all answers with a grade, each with its probabilities where it has some, and others for scoring if it has."""
    columns = ("draw", "grade", "probabilities", "for_scoring")
    rows = Suggestion.objects.visible().filter(rater=rater, state=Suggestion.State.DONE).values_list(*NAMES, *columns)
    return _digest(rater, [_line(named, own, scoring) for *named, own, scoring in rows.iterator()])


def reference_revision(rater: Rater) -> dict[str, int | None]:
    """What differs once grades of a reference came, went, were dropped or came back; one statement."""
    return _published(rater).aggregate(Count("pk"), Max("pk"), Count("dropped_by"))


def _published(rater: Rater) -> QuerySet[ReferenceGrade]:
    return ReferenceGrade.objects.filter(rater=rater, source__state="PUBLISHED")


def _line(named: list[object], probabilities: list[float] | None, scoring: list[float] | None) -> str:
    return " ".join([*map(str, named), json.dumps(probabilities), *([json.dumps(scoring)] if scoring else [])])


def _digest(rater: Rater, lines: list[str]) -> GradeDigest:
    return GradeDigest(rater.name, len(lines), whole_files.digest_lines(sorted(lines)))
