"""Where a pair comes from: a hole of the pool, a hole that was drawn, the reference with or without a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from django.db.models import Count, Q, Sum

from annotate.grades import ratings
from annotate.models import Collection, Pair
from evaluation.inputs.facts import Fingerprint


class Origin(Enum):
    """In the order in which they are shown."""

    HOLE = "hole: a pooled run retrieved it, the reference has no grade"
    DRAWN = "synthetic hole: its grade of the reference was dropped"
    BOTH = "graded by the reference, retrieved by a pooled run"
    REFERENCE = "graded by the reference, retrieved by no pooled run"
    OUTSIDE = "neither in the pool nor graded by the reference"


@dataclass(frozen=True, order=True)
class Source:
    """An origin as the key of a group."""

    place: int
    words: str

    def __str__(self) -> str:
        return self.words


SOURCES = {origin: Source(place, origin.value) for place, origin in enumerate(Origin)}


def fingerprint_sources(collection: Collection) -> Fingerprint:
    """While it is the same, so are all sources: imports, draws and a pool that is built change it, judging does not."""
    is_in = {"closed": Q(is_reference_closed=True), "pooled": Q(is_pooled=True, best_rank__isnull=False)}
    counts = {name: Count("pk", filter=which) for name, which in is_in.items()}
    sums = {f"{name}_sum": Sum("pk", filter=which) for name, which in is_in.items()}
    return tuple(Pair.objects.filter(collection=collection).aggregate(Count("pk"), **counts, **sums).values())


@lru_cache(maxsize=2)
def list_sources(collection: Collection, _stamp: Fingerprint) -> Mapping[ratings.PairId, Source]:
    """The source of each pair of the collection, as it is under this stamp."""
    dropped = ratings.dropped_grades(collection).keys()
    rows = Pair.objects.filter(collection=collection).values_list(
        "topic__query_id", "passage_id", "best_rank", "is_pooled", "is_reference_closed"
    )
    return {
        (query_id, passage_id): SOURCES[
            Origin.DRAWN
            if (query_id, passage_id) in dropped
            else _origin(is_pooled and best_rank is not None, is_closed)
        ]
        for query_id, passage_id, best_rank, is_pooled, is_closed in rows.iterator()
    }


def _origin(is_retrieved: bool, is_closed: bool) -> Origin:
    if is_closed:
        return Origin.BOTH if is_retrieved else Origin.REFERENCE
    return Origin.HOLE if is_retrieved else Origin.OUTSIDE
