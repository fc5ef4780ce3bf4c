"""People's grades by what they saw of a suggestion when they gave them."""

from collections import defaultdict
from enum import Enum

from annotate.grades import ratings
from annotate.grades.ratings import Pair
from annotate.models import Collection, Judgment
from annotate.rules import blinding, consensus
from evaluation.inputs.raters import Kind, NamedRater


class Part(Enum):
    """The parts of people's grades that are never mixed in one figure."""

    HIDDEN = "suggestion hidden"
    BEFORE = "before the reveal"
    SHOWN = "suggestion in view"
    AFTER = "after the reveal"


ByAssessor = dict[str, dict[Pair, int]]


def by_part(collection: Collection) -> dict[Part, ByAssessor]:
    """Of each part the first-round grades by assessor. AFTER has the final grades, the others those at the save.
    Reference pairs that were mixed in are no part: they are compared with the reference apart."""
    parts: dict[Part, ByAssessor] = {part: defaultdict(dict) for part in Part}
    rows = ratings.current(collection).filter(outcome=Judgment.Outcome.GRADED, is_calibration=False)
    columns = (
        "assessor__pseudonym",
        *ratings.NAMES,
        "arm",
        "is_suggestion_seen",
        "revealed_at",
        "first_grade",
        "grade",
    )
    for assessor, query_id, passage_id, arm, is_seen, revealed_at, first_grade, grade in rows.values_list(*columns):
        pair = (query_id, passage_id)
        if (part := _at_the_save(arm, is_seen)) is not None:
            parts[part][assessor][pair] = first_grade
        if revealed_at is not None:
            parts[Part.AFTER][assessor][pair] = grade
    return parts


def of_rater(given: ByAssessor, rater: NamedRater, rule: str) -> dict[Pair, int]:
    """What a part holds of an assessor, or of all under a consensus rule."""
    if rater.kind is Kind.ASSESSOR:
        return given.get(rater.name, {})
    gathered: dict[Pair, list[int]] = defaultdict(list)
    for grades in given.values():
        for pair, grade in grades.items():
            gathered[pair].append(grade)
    settled = {pair: consensus.consensus(rule, grades) for pair, grades in gathered.items()}
    return {pair: grade for pair, grade in settled.items() if grade is not None}


def _at_the_save(arm: str, is_seen: bool) -> Part | None:
    """None: shown first, but there was nothing to show; or graded for the first time after a reveal."""
    if arm == blinding.SHOWN:
        return Part.SHOWN if is_seen else None
    if is_seen:
        return None
    return Part.HIDDEN if arm == blinding.HIDDEN else Part.BEFORE
