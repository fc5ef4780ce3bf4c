"""The pairs behind a cell of the confusion table: what was graded, by whom how, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotate.grades import ratings
from annotate.grades.ratings import PairId
from annotate.models import Collection, Judgment, Passage, Suggestion, Topic
from evaluation.findings.agreement.agreement import Sides, read_grades
from evaluation.inputs.raters import Kind, NamedRater


@dataclass(frozen=True)
class GradedPair:
    query_id: str
    passage_id: str
    first: int
    second: int

    @property
    def difference(self) -> int:
        """The second grade less the first."""
        return self.second - self.first


@dataclass(frozen=True)
class Statement:
    """What one model or person said of a pair beside the grade."""

    name: str
    grade: int
    reason: str


@dataclass(frozen=True)
class DescribedPair:
    """A pair with its texts (empty where they were not imported) and what models and people said of it."""

    pair: GradedPair
    query: str
    title: str
    text: str
    statements: list[Statement] = field(default_factory=list)


def list_pairs(
    collection: Collection, sides: Sides, *, first: int | None = None, second: int | None = None, query_id: str = ""
) -> list[GradedPair]:
    """The pairs that both graded, in their order; only those with these grades and of this topic, where given."""
    a, b = read_grades(collection, sides)
    return [
        GradedPair(*pair, a[pair], b[pair])
        for pair in sorted(a.keys() & b.keys())
        if first in (None, a[pair]) and second in (None, b[pair]) and query_id in ("", pair[0])
    ]


def describe_pairs(collection: Collection, sides: Sides, pairs: Sequence[GradedPair]) -> list[DescribedPair]:
    """The given pairs with texts and reasons: meant for one page of them."""
    query_ids, passage_ids = {pair.query_id for pair in pairs}, {pair.passage_id for pair in pairs}
    topics = Topic.objects.published().filter(collection=collection, query_id__in=query_ids)
    queries = dict(topics.values_list("query_id", "text"))
    passages = Passage.objects.published().filter(collection=collection, passage_id__in=passage_ids)
    texts = {name: (title, text) for name, title, text in passages.values_list("passage_id", "title", "text")}
    statements = _statements(collection, sides, query_ids, passage_ids)
    return [
        DescribedPair(
            pair,
            queries.get(pair.query_id, ""),
            *texts.get(pair.passage_id, ("", "")),
            statements.get((pair.query_id, pair.passage_id), []),
        )
        for pair in pairs
    ]


def _statements(
    collection: Collection, sides: Sides, query_ids: set[str], passage_ids: set[str]
) -> dict[PairId, list[Statement]]:
    wanted = {"pair__topic__query_id__in": query_ids, "pair__passage_id__in": passage_ids}
    found: dict[PairId, list[Statement]] = {}
    for rater in (sides.first, sides.second):
        rows = _suggestions(rater, wanted) if rater.kind is Kind.MODEL else _judgments(collection, rater, wanted)
        for query_id, passage_id, statement in rows:
            found.setdefault((query_id, passage_id), []).append(statement)
    return found


def _suggestions(rater: NamedRater, wanted: dict[str, set[str]]) -> list[tuple[str, str, Statement]]:
    rows = Suggestion.objects.visible().filter(rater=rater.row, draw=0, state=Suggestion.State.DONE, **wanted)
    columns = (*ratings.NAMES, "grade", "reason")
    return [
        (query, passage, Statement(rater.name, grade, reason))
        for query, passage, grade, reason in rows.values_list(*columns)
    ]


def _judgments(
    collection: Collection, rater: NamedRater, wanted: dict[str, set[str]]
) -> list[tuple[str, str, Statement]]:
    """What people wrote beside their grades; nothing of a reference."""
    if not rater.is_person:
        return []
    rows = ratings.current_judgments(collection).filter(outcome=Judgment.Outcome.GRADED, **wanted)
    if rater.kind is Kind.ASSESSOR:
        rows = rows.filter(assessor__pseudonym=rater.name)
    column = "first_grade" if rater.is_blind else "grade"
    columns = (*ratings.NAMES, "assessor__pseudonym", column, "comment")
    return [
        (query, passage, Statement(name, grade, comment))
        for query, passage, name, grade, comment in rows.order_by("assessor__pseudonym").values_list(*columns)
    ]
