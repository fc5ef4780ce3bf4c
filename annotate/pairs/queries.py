"""What the states of pairs follow from, and the settings by which they do, in one statement."""

from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from annotate.models import Collection, Pair

SETTINGS = (
    "order",
    "seed",
    "target",
    "target_several",
    "share_several",
    "consensus",
    "propagates_duplicates",
    "reference_rater_id",
)
COLUMNS = (
    "pk",
    "query_id",
    "held",
    *SETTINGS,
    *("said", "grade", "is_extra"),
    *("decided", "decision", "has_new_evidence"),
)
# A row for each judgment of a pair with each of its claims: few people judge one pair. Written out, since it is asked
# with each judgment: to put it together from objects takes longer than to answer it.
ROWS = f"""
    SELECT p.id, t.query_id, held.id, {", ".join(f'c."{name}"' for name in SETTINGS)},
           said.id, said.grade, said.is_extra, decided.id, decided.grade, decided.has_new_evidence
    FROM annotate_pair p
    JOIN annotate_topic t ON t.id = p.topic_id
    JOIN annotate_collection c ON c.id = p.collection_id
    LEFT JOIN annotate_judgment said ON said.pair_id = p.id AND said.round = 1 AND said.is_current
    LEFT JOIN annotate_claim held ON held.pair_id = p.id AND held.round = 1 AND held.state = 'OPEN'
    LEFT JOIN annotate_adjudication decided ON decided.pair_id = p.id AND decided.is_current
    WHERE p.id IN
"""


@dataclass
class Facts:
    """Of one pair: the decision in force (`is_decided`; `decision` is None where nobody can judge the pair), and of
    people's first round who holds it and what was said, by the row ids of claims and judgments."""

    query_id: str
    is_decided: bool
    decision: int | None
    has_new_evidence: bool
    held: set[int] = field(default_factory=set)
    said: dict[int, int | None] = field(default_factory=dict)
    extra: set[int] = field(default_factory=set)

    @property
    def given(self) -> list[int]:
        """The final grades."""
        return [grade for grade in self.said.values() if grade is not None]

    @property
    def counted(self) -> int:
        """How many judgments count towards the target."""
        return len(self.said) - len(self.extra)


def read(pairs: list[Pair]) -> tuple[Collection, dict[int, Facts]]:
    """The settings of the collection of these pairs (one or more), and their facts by row id."""
    facts: dict[int, Facts] = {}
    settings: dict[str, object] = {}
    for row in _rows([pair.pk for pair in pairs]):
        settings = {name: row[name] for name in SETTINGS}
        _add(facts.setdefault(row["pk"], _nothing_said(row)), row)
    return Collection(**settings), facts


def _rows(pair_ids: list[int]) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(f"{ROWS} ({', '.join(['%s'] * len(pair_ids))})", pair_ids)
        return [dict(zip(COLUMNS, row, strict=True)) for row in cursor.fetchall()]


def _nothing_said(row: dict[str, Any]) -> Facts:
    return Facts(
        query_id=row["query_id"],
        is_decided=row["decided"] is not None,
        decision=row["decision"],
        has_new_evidence=bool(row["has_new_evidence"]),
    )


def _add(facts: Facts, row: dict[str, Any]) -> None:
    if row["held"]:
        facts.held.add(row["held"])
    if judgment := row["said"]:
        facts.said[judgment] = row["grade"]
        if row["is_extra"]:
            facts.extra.add(judgment)
