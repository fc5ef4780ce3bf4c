"""The ranks of a collection's runs, read from their array files."""

from collections.abc import Collection as Names
from collections.abc import Iterator
from functools import lru_cache

from annotate.models import Collection, Run
from annotate.queries import kept_files
from annotate.trec import run_store, runs

_KEPT_DEPTH = 100


def published_runs(collection: Collection) -> list[Run]:
    """The collection's runs, by the bytes of their tags."""
    rows = Run.objects.filter(collection=collection, source__state="PUBLISHED").select_related("source")
    return sorted(rows, key=lambda run: run.tag.encode())


def top(run: Run, depth: int) -> runs.Run:
    """The first ranks of each topic of a run.

    The file never changes, so it is read once a process, but for depths at which many runs would fill the memory.
    """
    path = str(kept_files.path(run.path))
    return _top(path, depth) if depth <= _KEPT_DEPTH else run_store.load_top(path, depth)


def tops(
    collection: Collection, depth: int, known: Names[str], *, pooled_only: bool = False
) -> Iterator[dict[str, list[str]]]:
    """Of each run query_id -> passage ids to the depth, for the topics that are known."""
    for row in published_runs(collection):
        if row.is_pooled or not pooled_only:
            run = top(row, depth)
            yield {query_id: run.ranking(query_id, depth) for query_id in run.query_ids if query_id in known}


@lru_cache(maxsize=256)
def _top(path: str, depth: int) -> runs.Run:
    return run_store.load_top(path, depth)
