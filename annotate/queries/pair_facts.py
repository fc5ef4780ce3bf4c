"""What the states of pairs follow from, and the settings by which they do, in one statement."""

from dataclasses import dataclass, field

from django.db.models import FilteredRelation, Q

from annotate.models import Claim, Collection, Pair

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
    "topic__query_id",
    "held__pk",
    *(f"collection__{name}" for name in SETTINGS),
    *(f"said__{name}" for name in ("pk", "grade", "is_extra")),
    *(f"decided__{name}" for name in ("pk", "grade", "has_new_evidence")),
)


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
    for row in _rows(pairs):
        settings = {name: row[f"collection__{name}"] for name in SETTINGS}
        _add(facts.setdefault(row["pk"], _nothing_said(row)), row)
    return Collection(**settings), facts


def _rows(pairs: list[Pair]):  # type: ignore[no-untyped-def]
    """A row for each judgment of a pair with each of its claims: few people judge one pair."""
    rows = Pair.objects.filter(pk__in=[pair.pk for pair in pairs]).annotate(
        said=FilteredRelation("judgments", condition=Q(judgments__round=1, judgments__is_current=True)),
        held=FilteredRelation("claims", condition=Q(claims__round=1, claims__state=Claim.State.OPEN)),
        decided=FilteredRelation("adjudications", condition=Q(adjudications__is_current=True)),
    )
    return rows.values(*COLUMNS)


def _nothing_said(row: dict[str, object]) -> Facts:
    return Facts(
        query_id=row["topic__query_id"],
        is_decided=row["decided__pk"] is not None,
        decision=row["decided__grade"],
        has_new_evidence=bool(row["decided__has_new_evidence"]),
    )


def _add(facts: Facts, row: dict[str, object]) -> None:
    if row["held__pk"]:
        facts.held.add(row["held__pk"])
    if judgment := row["said__pk"]:
        facts.said[judgment] = row["said__grade"]
        if row["said__is_extra"]:
            facts.extra.add(judgment)
