"""All judgments in force of a collection as columns, for statistics that go over many of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.grades import ratings
from annotate.models import Collection, Judgment, Membership

NO_GRADE = -1
COLUMNS = (
    "assessor",
    "pair",
    "pair__topic",
    "grade",
    "first_grade",
    "is_unsure",
    "is_calibration",
    "sitting",
    "visible_ms",
    "wall_ms",
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Judgments:
    """First-round judgments in force, (judgments,). `assessor` is a place in `pseudonyms`, which rise; `pair` and
    `topic` are row ids. Grades are NO_GRADE where a pair could not be judged; seconds NaN where nobody told them."""

    pseudonyms: tuple[str, ...]
    assessor: Ints
    pair: Ints
    topic: Ints
    grade: Ints
    first_grade: Ints
    is_unsure: Flags
    is_calibration: Flags
    sitting: Ints
    visible: Floats
    wall: Floats

    def __len__(self) -> int:
        return len(self.pair)

    @property
    def is_graded(self) -> Flags:
        return self.grade != NO_GRADE


def of(collection: Collection) -> Judgments:
    rows = list(ratings.current(collection).values_list(*COLUMNS))
    authors, pair, topic, grade, first, unsure, calibration, sitting, visible, wall = (
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
        sitting=np.array(sitting, dtype=np.int64),
        visible=np.array(visible, dtype=np.float64) / 1000,
        wall=np.array(wall, dtype=np.float64) / 1000,
    )


def again(collection: Collection, given: Judgments) -> tuple[Ints, Ints]:
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
