"""The queries of a collection that its built-in retrieval systems have not ranked yet."""

from collections.abc import Collection as Names
from collections.abc import Iterator
from dataclasses import dataclass

from annotate.grades import rankings, variant_records
from annotate.models import Collection, Run, Topic

Query = tuple[str, str]


@dataclass(frozen=True)
class Part:
    """Queries of one run: ids and texts, by the bytes of the ids; of topics or of query variants."""

    system: str
    ranks_variants: bool
    queries: list[Query]


@dataclass(frozen=True)
class Unranked:
    """`taken`: systems whose name is the tag of an imported run, which is not theirs."""

    parts: list[Part]
    taken: tuple[str, ...]

    @property
    def queries(self) -> int:
        return sum(len(part.queries) for part in self.parts)


def of(collection: Collection, systems: Names[str], *, with_variants: bool, most: int) -> Unranked:
    """For each system in turn its topics, if it has no run of them, and its query variants that no run of it ranks,
    at most so many a part."""
    rows = Run.objects.filter(collection=collection, tag__in=systems).select_related("source")
    topics, variants, parts = _topics(collection), _variants(collection) if with_variants else [], []
    taken = {run.tag for run in rows if run.ranks_variants and not run.source.options.get("is_retrieved")}
    for system in systems:
        own = [run for run in rows if run.tag == system]
        if topics and all(run.ranks_variants for run in own):
            parts.append(Part(system, False, topics))
        if system not in taken:
            parts += [Part(system, True, chunk) for chunk in _chunks(_missing(variants, own), most)]
    return Unranked(parts, tuple(sorted(taken)) if variants else ())


def _topics(collection: Collection) -> list[Query]:
    rows = Topic.objects.published().filter(collection=collection)
    return sorted(rows.values_list("query_id", "text"), key=_bytes_of_id)


def _variants(collection: Collection) -> list[Query]:
    """Those of which only the mapping was imported cannot be asked."""
    return [(each.variant_id, each.text) for each in variant_records.records(collection) if each.text]


def _missing(variants: list[Query], runs: list[Run]) -> list[Query]:
    ranked: set[str] = set()
    for run in runs:
        if run.ranks_variants:
            ranked |= rankings.query_ids(run)
    return [query for query in variants if query[0] not in ranked]


def _chunks(queries: list[Query], most: int) -> Iterator[list[Query]]:
    return (queries[start : start + most] for start in range(0, len(queries), most))


def _bytes_of_id(query: Query) -> bytes:
    return query[0].encode()
