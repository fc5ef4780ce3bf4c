"""A run of a file: kept as an array file named by its digest; one row tells about it."""

from collections.abc import Iterator
from pathlib import Path

from annotate.models import ImportedFile, Topic
from annotate.models import Run as RunRow
from annotate.operations.steps import Step
from annotate.queries import kept_files
from annotate.trec import run_store, runs
from annotate.trec.faults import Faults
from annotate.trec.runs import Run

MOST_IN_TAG = 200


def read(imported: ImportedFile, path: Path) -> Iterator[Run]:
    """One record: the whole run."""
    yield runs.read(path, name=imported.name)


def numbered(imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Run]]:
    """The run stands for its first line, which has its tag. Its own faults refuse it at once."""
    yield 1, runs.read(path, name=imported.name)


def check(imported: ImportedFile, batch: list[tuple[int, Run]], faults: Faults) -> None:
    """Note a tag that is too long or taken, and that no topic is known."""
    for line, run in batch:
        there = RunRow.objects.filter(collection=imported.collection, tag=run.tag).exclude(source=imported).first()
        if len(run.tag) > MOST_IN_TAG:
            faults.add(
                line, f"the run tag {run.tag[:20]!r}... has {len(run.tag)} characters; it may have {MOST_IN_TAG}"
            )
        if there:
            faults.add(line, f"the run {run.tag!r} is in the collection already, from {there.source.name}")
        if not _known(imported, run):
            faults.add(None, "none of its topics is in the collection; import the topics first")


def stage(imported: ImportedFile, batch: list[Run]) -> None:
    kept_files.folder("runs")
    for run in batch:
        path = f"runs/{imported.digest}.run"
        run_store.save(run, kept_files.path(path))
        RunRow.objects.update_or_create(
            collection=imported.collection,
            tag=run.tag,
            defaults={
                "source": imported,
                "group": imported.options.get("group", ""),
                "model_family": imported.options.get("model_family", ""),
                "is_pooled": imported.options.get("is_pooled", True),
                "path": path,
                "digest": imported.digest,
                "topics": _known(imported, run),
                "ranks": len(run),
            },
        )


def publish(imported: ImportedFile, total: int) -> None:
    row = imported.runs.get()
    all_topics = len(run_store.load_top(kept_files.path(row.path), 1).query_ids)
    imported.added = row.ranks
    if row.topics < all_topics:
        imported.note = f"{row.topics} of its {all_topics} topics are in the collection; the others are kept aside."


def settle(imported: ImportedFile) -> Iterator[Step]:
    """Nothing to settle: a pool is built when the researcher says so."""
    return iter(())


def _known(imported: ImportedFile, run: Run) -> int:
    there = Topic.objects.published().filter(collection=imported.collection).values_list("query_id", flat=True)
    return len(set(there) & set(run.query_ids))
