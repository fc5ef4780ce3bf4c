"""From pairs that a person names to the rows that they mean; what cannot be meant is refused by its line."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from annotate.formats.faults import Faults
from annotate.formats.named_pairs import NAME, NamedPair
from annotate.models import Collection, Pair, Passage, Topic

BATCH = 500


@dataclass(frozen=True)
class Known:
    """Of named pairs: the topics that the collection has, the passages with a text, the rows of pairs."""

    topics: dict[str, Topic]
    texts: set[str]
    rows: dict[NamedPair, Pair]

    def fault(self, pair: NamedPair) -> str:
        """Why people cannot be asked about a pair; empty where they can, once it is in the pool."""
        if pair.query_id not in self.topics:
            return f"topic {pair.query_id!r} is not in the collection"
        if pair.passage_id not in self.texts:
            return f"the collection has no text of passage {pair.passage_id!r}"
        is_withdrawn = pair in self.rows and self.rows[pair].is_withdrawn
        return f"{pair} is withdrawn; restore it instead" if is_withdrawn else ""


def look_up(collection: Collection, named: Sequence[NamedPair]) -> Known:
    wanted = {pair.query_id for pair in named}
    topics = Topic.objects.published().filter(collection=collection)
    return Known(
        {topic.query_id: topic for topic in topics if topic.query_id in wanted},
        _with_text(collection, named),
        rows(collection, named),
    )


def rows(collection: Collection, named: Sequence[NamedPair]) -> dict[NamedPair, Pair]:
    """The rows of the named pairs that have one."""
    found: dict[tuple[str, str], Pair] = {}
    for part in parts(named):
        known = Pair.objects.filter(
            collection=collection,
            topic__query_id__in={pair.query_id for pair in part},
            passage_id__in={pair.passage_id for pair in part},
        )
        found |= {(row.topic.query_id, row.passage_id): row for row in known.select_related("topic")}
    return {pair: found[pair[1:]] for pair in named if pair[1:] in found}


def check(named: Sequence[NamedPair], reason: Callable[[NamedPair], str]) -> None:
    """Raise FileRefused with the lines of the pairs for which there is a `reason`; it is empty for a good one."""
    faults = Faults(NAME)
    for pair in named:
        if said := reason(pair):
            faults.add(pair.line, said)
    faults.raise_if_any()


def parts(named: Sequence[NamedPair]) -> Iterator[tuple[NamedPair, ...]]:
    rest = iter(named)
    while part := tuple(itertools.islice(rest, BATCH)):
        yield part


def _with_text(collection: Collection, named: Sequence[NamedPair]) -> set[str]:
    """The named passages that the collection has the text of."""
    found: set[str] = set()
    for part in parts(named):
        texts = Passage.objects.published().filter(collection=collection, passage_id__in={p.passage_id for p in part})
        found.update(texts.values_list("passage_id", flat=True))
    return found
