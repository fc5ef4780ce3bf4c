"""The ranks of a collection's runs, read from their array files, and the query variants that runs rank."""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Collection as Names
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Collate

from annotate.formats import run_store, runs, whole_files
from annotate.formats.faults import FileRefused
from annotate.formats.records import Variant
from annotate.formats.whole_files import Damaged, Gone
from annotate.models import Collection, QueryVariant, Run
from annotate.work import kept_files

_KEPT_DEPTH = 100
Found = TypeVar("Found")
_CHUNK = 2000


def published_runs(collection: Collection) -> list[Run]:
    """The collection's runs of topics, by the bytes of their tags: those of a leaderboard."""
    return _rankings_published(collection, ranks_variants=False)


def published_variant_runs(collection: Collection) -> list[Run]:
    """The runs of query variants, by the bytes of their tags, of which several may have one, and the order in which
    they came."""
    return _rankings_published(collection, ranks_variants=True)


def model_families(collection: Collection) -> dict[str, str]:
    """What the runs of topics say of the model families of their systems, by run tag."""
    return {run.tag: run.model_family for run in published_runs(collection)}


def load_top(run: Run, depth: int) -> runs.Run:
    """The first ranks of each topic of a run.

    The file never changes, so it is read once a process, but for depths at which many runs would fill the memory, and
    for runs of query variants, each of which would.
    """
    is_kept = depth <= _KEPT_DEPTH and not run.ranks_variants
    return _read(run.path, partial(_top if is_kept else run_store.load_top_ranks, depth=depth))


def load_frozen_top(frozen: Mapping[str, str], depth: int) -> runs.Run:
    """The same of a run that a manifest tells of, which may be withdrawn since."""
    return _read(frozen["path"], partial(run_store.load_top_ranks, depth=depth))


def ranked_query_ids(run: Run) -> set[str]:
    """The topics, or query variants, that a run ranks, those that the collection does not know among them."""
    return set(_read(run.path, run_store.load_query_ids))


def load_tops(
    collection: Collection, depth: int, known: Names[str], *, pooled_only: bool = False
) -> Iterator[dict[str, list[str]]]:
    """Of each run of topics query_id -> passage ids to the depth, for the topics that are known."""
    for row in published_runs(collection):
        if row.is_pooled or not pooled_only:
            run = load_top(row, depth)
            yield {query_id: run.ranking(query_id, depth) for query_id in run.query_ids if query_id in known}


def load_variant_tops(
    collection: Collection, depth: int, topic_of: Mapping[str, str], *, pooled_only: bool = False
) -> Iterator[dict[str, list[str]]]:
    """Of each ranking of a query variant the query_id of its topic -> passage ids to the depth, for the variants of
    which `topic_of` knows the topic. One run after the other is read."""
    for row in published_variant_runs(collection):
        if row.is_pooled or not pooled_only:
            run = load_top(row, depth)
            for variant_id in run.query_ids:
                if variant_id in topic_of:
                    yield {topic_of[variant_id]: run.ranking(variant_id, depth)}


def _read(relative: str, read: Callable[[Path], Found]) -> Found:
    """What is read of a run's array file. One that is damaged or gone is made again of the file that was imported.

    Raises Damaged, and Gone where there is none, if that one is no better.
    """
    path = kept_files.path(relative)
    try:
        return read(path)
    except (FileRefused, FileNotFoundError) as reason:
        make_again(path, reason)
        return read(path)


def make_again(path: Path, reason: Exception) -> None:
    """Write a run's array file anew, of the file that was imported. Raises Damaged, and Gone, if that is no better."""
    digest = path.stem  # of the imported file
    imported = kept_files.path(f"imports/{digest}")
    if whole_files.is_whole(imported, digest):
        run_store.save_run(runs.read_run(imported), path)
        return
    kind, what = (Gone, "gone from") if isinstance(reason, FileNotFoundError) else (Damaged, "damaged in")
    raise kind(
        f"A run is {what} the data folder ({path.name}), and the file that it was imported from is no better: "
        "put both back from a backup, or withdraw the import and import the file again."
    )


def _rankings_published(collection: Collection, *, ranks_variants: bool) -> list[Run]:
    rows = Run.objects.filter(collection=collection, source__state="PUBLISHED", ranks_variants=ranks_variants)
    return sorted(rows, key=lambda run: (run.tag.encode(), run.pk))


@lru_cache(maxsize=256)
def _top(path: Path, depth: int) -> runs.Run:
    return run_store.load_top_ranks(path, depth)


def variant_records(collection: Collection) -> Iterator[Variant]:
    """By the bytes of their ids, read a few at a time."""
    columns = ("variant_id", "topic__query_id", "profile__name", "number", "text")
    rows = _variant_records_published(collection).order_by(_bytes_of_id()).values_list(*columns)
    return (Variant(*row) for row in rows.iterator(chunk_size=_CHUNK))


def variant_topics(collection: Collection) -> dict[str, str]:
    """The query id of the topic of each variant."""
    return dict(
        _variant_records_published(collection).values_list("variant_id", "topic__query_id").iterator(chunk_size=_CHUNK)
    )


def _variant_records_published(collection: Collection) -> QuerySet[QueryVariant]:
    """Of topics that are imported, too."""
    return QueryVariant.objects.published().filter(collection=collection, topic__source__state="PUBLISHED")


def _bytes_of_id() -> F | Collate:
    """SQLite compares the bytes by itself."""
    return Collate("variant_id", "C") if connection.vendor == "postgresql" else F("variant_id")
