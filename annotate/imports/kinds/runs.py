"""A run of a file: kept as an array file named by its digest; one row tells about it."""

from collections.abc import Iterator
from pathlib import Path

from annotate.formats import run_store, runs
from annotate.formats.faults import Faults
from annotate.formats.runs import Run
from annotate.grades import rankings
from annotate.imports.kinds.file_kind import FileKind
from annotate.models import ImportedFile, QueryVariant, Topic
from annotate.models import Run as RunRow
from annotate.work import kept_files

MOST_IN_TAG = 200


class Runs(FileKind[Run]):
    """A run of a file, which is its one record."""

    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Run]]:
        """The run stands for its first line, which has its tag. Its own faults refuse it at once."""
        yield 1, runs.read_run(path, name=imported.name)

    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, Run]], faults: Faults) -> None:
        """Note a tag that is too long or taken, and that no topic, or query variant, is known, or some of both are."""
        for line, run in batch:
            if len(run.tag) > MOST_IN_TAG:
                faults.add(
                    line, f"the run tag {run.tag[:20]!r}... has {len(run.tag)} characters; it may have {MOST_IN_TAG}"
                )
            if reason := _taken(imported, run):
                faults.add(line, reason)
            if reason := _misfit(imported, run):
                faults.add(None, reason)

    def stage_batch(self, imported: ImportedFile, batch: list[Run]) -> None:
        for run in batch:
            save_run(run, imported.digest)
            enter_run(imported, run)

    def count_added(self, imported: ImportedFile) -> int:
        return imported.runs.get().ranks

    def publish(self, imported: ImportedFile, total: int) -> None:
        row = imported.runs.get()
        all_topics = len(run_store.load_query_ids(kept_files.path(row.path)))
        imported.added = row.ranks
        if row.topics < all_topics:
            noun = "query variants" if row.ranks_variants else "topics"
            imported.note = f"{row.topics} of its {all_topics} {noun} are in the collection; the others are kept aside."

    def remove_batch(self, imported: ImportedFile) -> int:
        return RunRow.objects.filter(source=imported).delete()[0]


def save_run(run: Run, digest: str) -> None:
    """Keep a run as the array file of the digest of its file."""
    kept_files.folder("runs")
    run_store.save_run(run, kept_files.path(_path(digest)))


def enter_run(imported: ImportedFile, run: Run) -> None:
    """The row of a run that is saved."""
    RunRow.objects.update_or_create(
        source=imported,
        defaults={
            "collection": imported.collection,
            "tag": run.tag,
            "group": imported.options.get("group", ""),
            "model_family": imported.options.get("model_family", ""),
            "ranks_variants": _ranks_variants(imported),
            "is_pooled": imported.options.get("is_pooled", True),
            "path": _path(imported.digest),
            "digest": imported.digest,
            "topics": len(_known(imported, _ranks_variants(imported)) & set(run.query_ids)),
            "ranks": len(run),
        },
    )


def _taken(imported: ImportedFile, run: Run) -> str:
    """Why the tag cannot be used. Files of one system may rank several sets of query variants, none of them twice."""
    same = RunRow.objects.filter(
        collection=imported.collection, tag=run.tag, ranks_variants=_ranks_variants(imported)
    ).exclude(source=imported)
    for there in same.select_related("source").order_by("pk"):
        if not there.ranks_variants:
            return f"the run {run.tag!r} is in the collection already, from {there.source.name}"
        if twice := rankings.ranked_query_ids(there) & set(run.query_ids):
            return f"the run {run.tag!r} ranks query variant {min(twice)!r} already, in {there.source.name}"
    return ""


def _misfit(imported: ImportedFile, run: Run) -> str:
    """Why the ids of the run cannot be what it is said to rank; empty where they can."""
    ids = set(run.query_ids)
    topics, variants = _known(imported, False) & ids, _known(imported, True) & ids
    if topics - variants and variants - topics:
        one, other = min(topics - variants), min(variants - topics)
        return f"it ranks both topics ({one!r}) and query variants ({other!r}): make two files of it, two runs"
    if _ranks_variants(imported) and not variants:
        hint = "they are topics: import it as a run of topics" if topics else "import the query variants first"
        return f"none of its query ids is a query variant of the collection; {hint}"
    if not _ranks_variants(imported) and not topics:
        hint = (
            "they are query variants: import it as a run of query variants" if variants else "import the topics first"
        )
        return f"none of its topics is in the collection; {hint}"
    return ""


def _known(imported: ImportedFile, are_variants: bool) -> set[str]:
    if are_variants:
        variants = QueryVariant.objects.published().filter(collection=imported.collection)
        return set(variants.values_list("variant_id", flat=True))
    return set(Topic.objects.published().filter(collection=imported.collection).values_list("query_id", flat=True))


def _path(digest: str) -> str:
    return f"runs/{digest}.run"


def _ranks_variants(imported: ImportedFile) -> bool:
    return bool(imported.options.get("ranks_variants", False))
