"""How people came to the grade of a pair, in a word or two; and the provenance of a frozen export as CSV for people."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotate.rules import completion

ADJUDICATED = "adjudicated"
UNANIMOUS = "unanimous"
UNRESOLVED = "unresolved"


def name_provenance(rule: str, grades: Sequence[int], *, is_adjudicated: bool = False) -> str:
    """`adjudicated` where somebody decided; `unanimous` where all grades are equal (one grade alone is); else the name
    of the consensus rule that gave a grade (`majority`, `median`, `maximum`); `unresolved` where it gave none.

    >>> name_provenance("MAJORITY", [2, 2, 1]), name_provenance("MAJORITY", [1, 2]), name_provenance("MEDIAN", [1, 2])
    ('majority', 'unresolved', 'median')
    """
    if is_adjudicated:
        return ADJUDICATED
    if completion.find_consensus(rule, grades) is None:
        return UNRESOLVED
    return UNANIMOUS if len(set(grades)) == 1 else rule.lower()


def name_propagation(passage_id: str) -> str:
    """Of a near-duplicate, which has the grade of the pair that it duplicates."""
    return f"propagated from {passage_id}"


PAIR = ("query_id", "passage_id", "grade", "source", "rater", "provenance")
ADJUDICATION = ("adjudicator", "grade", "reason", "judgments", "has_new_evidence", "has_judged", "decided_at")
JUDGMENT = (
    "assessor",
    "outcome",
    "grade",
    "first_grade",
    "is_unsure",
    "comment",
    "reason",
    "is_extra",
    "arm",
    "is_suggestion_seen",
    "suggestion",
    "suggested_by",
    "backstory_version",
    "guidelines_version",
    "judged_at",
    "visible_ms",
    "wall_ms",
)
SUGGESTION = ("probabilities", "for_scoring", "reason")
HEADER = [
    *PAIR,
    *(f"adjudication_{name}" for name in ADJUDICATION),
    *(f"judgment_{name}" for name in JUDGMENT),
    *(f"suggestion_{name}" for name in SUGGESTION),
]
# A cell that starts so is a formula to a spreadsheet.
COMPUTES = ("=", "+", "-", "@", "\t", "\r")


def provenance_csv(provenance: Path) -> Iterator[str]:
    """The CSV of a file of provenance records, line by line."""
    yield _line(HEADER)
    with provenance.open(encoding="utf-8") as stream:
        for text in stream:
            record = json.loads(text)
            for judgment in record.get("judgments") or [{}]:
                yield _line(_cells(record, judgment))


def table_csv(names: Sequence[str], records: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Records that have these names as CSV, line by line."""
    yield _line(names)
    for record in records:
        yield _line([record[name] for name in names])


def _cells(record: dict[str, Any], judgment: dict[str, Any]) -> list[object]:
    suggestion, decision = record.get("suggestion") or {}, record.get("adjudication") or {}
    return [
        *(record.get(name) for name in PAIR),
        *(decision.get(name) for name in ADJUDICATION),
        *(judgment.get(name) for name in JUDGMENT),
        *(suggestion.get(name) for name in SUGGESTION),
    ]


def _line(cells: Sequence[object]) -> str:
    stream = io.StringIO(newline="")
    # Lines end with CR LF: only what is in the line's end gets quoted, and a comment may hold a CR alone.
    csv.writer(stream, lineterminator="\r\n").writerow(_plain(cell) for cell in cells)
    return stream.getvalue()


def _plain(cell: object) -> object:
    """Text that would compute gets a leading apostrophe; numbers stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(COMPUTES) else cell
