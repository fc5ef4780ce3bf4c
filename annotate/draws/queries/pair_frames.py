"""The frame of pairs that a sample is drawn from: what the reference left open of the pairs that are in question."""

from collections import Counter
from dataclasses import dataclass, field

from annotate.formats import named_pairs
from annotate.grades import rankings, ratings
from annotate.models import Collection, Pair, Topic
from annotate.rules import drawing, grades, pooling


@dataclass(frozen=True)
class Frame:
    """`topics`: query_id -> the passage ids that can be drawn, by their bytes; a topic that is all graded has none.
    `graded`: pairs that the reference closed. Nobody can judge `without_text` and `withdrawn`, by topic."""

    topics: dict[str, list[str]]
    graded: int = 0
    without_text: Counter[str] = field(default_factory=Counter)
    withdrawn: Counter[str] = field(default_factory=Counter)

    @property
    def pairs(self) -> int:
        return sum(map(len, self.topics.values()))

    @property
    def left_out(self) -> int:
        return self.without_text.total() + self.withdrawn.total()

    @property
    def digest(self) -> str:
        return named_pairs.digest((query_id, name) for query_id, names in self.topics.items() for name in names)


def of_top(collection: Collection, depth: int) -> Frame:
    """Of the pairs that a pooled run ranks within the depth. Raises CannotDraw where the pool lacks some of them."""
    known = set(Topic.objects.published().filter(collection=collection).values_list("query_id", flat=True))
    tops = pooling.pool(rankings.tops(collection, depth, known, pooled_only=True), depth)
    if not tops:
        raise drawing.CannotDraw("There is nothing to draw from: import runs that are pooled, and build the pool.")
    rows = _rows(collection)
    if missing := sum(pair not in rows for pair in tops):
        raise drawing.CannotDraw(
            f"The pool lacks {missing:,} of the {len(tops):,} pairs in the top {depth} of the runs: "
            f"build it anew, to a depth of {depth} or more."
        )
    return _frame(collection, {pair: rows[pair] for pair in tops})


def of_pool(collection: Collection) -> Frame:
    """Of all pooled pairs. Raises CannotDraw without any."""
    rows = _rows(collection)
    if not rows:
        raise drawing.CannotDraw("There is nothing to draw from: build the pool first.")
    return _frame(collection, rows)


def _rows(collection: Collection) -> dict[ratings.Pair, tuple[bool, bool]]:
    """Pooled pairs: whether they have a text, whether they are withdrawn."""
    rows = Pair.objects.filter(collection=collection, is_pooled=True, topic__in=Topic.objects.published())
    columns = ("topic__query_id", "passage_id", "passage_text", "is_withdrawn")
    return {(q, p): (text is not None, is_withdrawn) for q, p, text, is_withdrawn in rows.values_list(*columns)}


def _frame(collection: Collection, rows: dict[ratings.Pair, tuple[bool, bool]]) -> Frame:
    rater = collection.reference_rater
    closed = {p for p, g in ratings.reference_grades(rater).items() if grades.closes_hole(g)} if rater else set()
    frame = Frame({query_id: [] for query_id in sorted({query_id for query_id, _ in rows})}, len(closed & rows.keys()))
    for pair in sorted(rows.keys() - closed):
        query_id, passage_id = pair
        has_text, is_withdrawn = rows[pair]
        if is_withdrawn:
            frame.withdrawn[query_id] += 1
        elif not has_text:
            frame.without_text[query_id] += 1
        else:
            frame.topics[query_id].append(passage_id)
    return frame
