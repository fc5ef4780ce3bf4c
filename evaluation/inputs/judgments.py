"""People's judgments: all in force as columns, for statistics; their grades by what they saw of a suggestion."""

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from annotate.grades import ratings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Judgment, Membership
from annotate.rules import assignment, completion
from evaluation.inputs.raters import Kind, NamedRater

NO_GRADE = -1
COLUMNS = (
    "assessor",
    "pair",
    "pair__topic",
    "grade",
    "first_grade",
    "is_unsure",
    "is_calibration",
    "session",
    "visible_ms",
    "wall_ms",
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Judgments:
    """First-round judgments in force, (judgments,). `assessor` is a place in `pseudonyms`, which rise; `pair` and
    `topic` are row ids. Grades are NO_GRADE where a pair could not be judged; seconds NaN where they are not known."""

    pseudonyms: tuple[str, ...]
    assessor: Ints
    pair: Ints
    topic: Ints
    grade: Ints
    first_grade: Ints
    is_unsure: Flags
    is_calibration: Flags
    session: Ints
    visible: Floats
    wall: Floats

    def __len__(self) -> int:
        return len(self.pair)

    @property
    def is_graded(self) -> Flags:
        graded: Flags = self.grade != NO_GRADE
        return graded


def read_judgments(collection: Collection) -> Judgments:
    rows = list(ratings.current_judgments(collection).values_list(*COLUMNS))
    authors, pair, topic, grade, first, unsure, calibration, session, visible, wall = (
        zip(*rows, strict=True) if rows else [()] * len(COLUMNS)
    )
    names = _names(collection, set(authors))
    places = {author: place for place, author in enumerate(names)}
    return Judgments(
        pseudonyms=tuple(names.values()),
        assessor=np.array([places[author] for author in authors], dtype=np.int64),
        pair=np.array(pair, dtype=np.int64),
        topic=np.array(topic, dtype=np.int64),
        grade=_grades(grade),
        first_grade=_grades(first),
        is_unsure=np.array(unsure, dtype=np.bool_),
        is_calibration=np.array(calibration, dtype=np.bool_),
        session=np.array(session, dtype=np.int64),
        visible=np.array(visible, dtype=np.float64) / 1000,
        wall=np.array(wall, dtype=np.float64) / 1000,
    )


def read_repeats(collection: Collection, given: Judgments) -> tuple[Ints, Ints]:
    """Of hidden repeats the places of the first judgments, where both were graded, and the second grades, all as given
    at the save."""
    rows = Judgment.objects.filter(
        assessor__collection=collection, round=2, is_current=True, outcome=Judgment.Outcome.GRADED
    )
    seconds = rows.values_list("assessor__pseudonym", "pair", "first_grade")
    firsts = zip(given.assessor.tolist(), given.pair.tolist(), strict=True)
    place = {(given.pseudonyms[assessor], pair): place for place, (assessor, pair) in enumerate(firsts)}
    found = [(place[name, pair], grade) for name, pair, grade in seconds if (name, pair) in place]
    places, second = zip(*found, strict=True) if found else ((), ())
    both = np.array(places, dtype=np.int64), np.array(second, dtype=np.int64)
    is_graded = given.is_graded[both[0]]
    return both[0][is_graded], both[1][is_graded]


def _names(collection: Collection, authors: set[int]) -> dict[int, str]:
    """Of those who judged, by row id, the pseudonyms in their order."""
    rows = Membership.objects.filter(collection=collection, pk__in=authors).order_by("pseudonym")
    return dict(rows.values_list("pk", "pseudonym"))


def _grades(given: tuple[int | None, ...]) -> Ints:
    return np.array([NO_GRADE if grade is None else grade for grade in given], dtype=np.int64)


class Part(Enum):
    """The parts of people's grades that are never mixed in one figure."""

    HIDDEN = "suggestion hidden"
    BEFORE = "before the reveal"
    SHOWN = "suggestion in view"
    AFTER = "after the reveal"


ByAssessor = dict[str, dict[PairId, int]]


def read_grades_by_part(collection: Collection) -> dict[Part, ByAssessor]:
    """Of each part the first-round grades by assessor. AFTER has the final grades, the others those at the save.
    Reference pairs that were mixed in are no part: they are compared with the reference apart."""
    parts: dict[Part, ByAssessor] = {part: defaultdict(dict) for part in Part}
    rows = ratings.current_judgments(collection).filter(outcome=Judgment.Outcome.GRADED, is_calibration=False)
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
        if (part := _part_at_save(arm, is_seen)) is not None:
            parts[part][assessor][pair] = first_grade
        if revealed_at is not None:
            parts[Part.AFTER][assessor][pair] = grade
    return parts


def grades_of_rater(given: ByAssessor, rater: NamedRater, rule: str) -> dict[PairId, int]:
    """What a part holds of an assessor, or of all under a consensus rule."""
    if rater.kind is Kind.ASSESSOR:
        return given.get(rater.name, {})
    gathered: dict[PairId, list[int]] = defaultdict(list)
    for grades in given.values():
        for pair, grade in grades.items():
            gathered[pair].append(grade)
    settled = {pair: completion.find_consensus(rule, grades) for pair, grades in gathered.items()}
    return {pair: grade for pair, grade in settled.items() if grade is not None}


def _part_at_save(arm: str, is_seen: bool) -> Part | None:
    """None: shown first, but there was nothing to show; or graded for the first time after a reveal."""
    if arm == assignment.SHOWN:
        return Part.SHOWN if is_seen else None
    if is_seen:
        return None
    return Part.HIDDEN if arm == assignment.HIDDEN else Part.BEFORE
