"""What was imported, what overlaps with a file that is half-way, which queries no built-in system has ranked."""

from collections.abc import Collection as Names
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from annotate.formats.faults import Fault, FileRefused
from annotate.formats.records import Qrel, Variant
from annotate.grades import rankings
from annotate.models import Collection, ImportedFile, Rater, Run, Topic, Work
from annotate.work import progress as work_progress
from annotate.work.progress import Progress


@dataclass(frozen=True)
class Import:
    """`is_live`: its work still goes on; `is_resumable`: its work ended before the file was all in, or all out."""

    file: ImportedFile
    about: str
    progress: Progress | None

    @property
    def is_live(self) -> bool:
        return self.progress is not None and not self.progress.work.is_over

    @property
    def is_resumable(self) -> bool:
        if self.progress is None or self.file.state == ImportedFile.State.REFUSED:
            return False
        return self.progress.work.state in (Work.State.STOPPED, Work.State.FAILED)

    @property
    def is_withdrawable(self) -> bool:
        """Imported, or stopped half-way; whether something rests on it is seen when it is asked for."""
        return not self.is_live and self.file.state in (
            ImportedFile.State.PUBLISHED,
            ImportedFile.State.WAITING,
            ImportedFile.State.STAGING,
        )


def list_files(collection: Collection) -> QuerySet[ImportedFile]:
    rows = ImportedFile.objects.filter(collection=collection).select_related("work", "created_by")
    rows = rows.prefetch_related("runs")
    return rows.order_by("-created_at", "-pk")


def describe_import(imported: ImportedFile, now: datetime) -> Import:
    progress = work_progress.measure_progress(imported.work, now) if imported.work else None
    return Import(imported, _about(imported), progress)


def first_missing_kind(collection: Collection) -> str:
    """The kind of file that the collection needs next: topics, passages, qrels, else runs."""
    kinds = ImportedFile.Kind
    there = ImportedFile.objects.filter(collection=collection).exclude(state=ImportedFile.State.REFUSED)
    known = set(there.exclude(state=ImportedFile.State.WITHDRAWN).values_list("kind", flat=True))
    return next((kind for kind in (kinds.TOPICS, kinds.PASSAGES, kinds.QRELS) if kind not in known), kinds.RUN)


def _family(imported: ImportedFile) -> str:
    """That of the run, which may have been corrected since; before there is one, as it was said with the file."""
    return next((run.model_family for run in imported.runs.all()), imported.options.get("model_family", ""))


def _about(imported: ImportedFile) -> str:
    """The options in words."""
    options = imported.options
    if imported.kind == ImportedFile.Kind.QRELS:
        return f"grades of {options['rater']} ({Rater.Kind(options['rater_kind']).label})"
    if imported.kind == ImportedFile.Kind.GRADES:
        return f"grades of {rater}" if (rater := options.get("rater")) else ""
    if imported.kind == ImportedFile.Kind.RUN:
        group, family = options.get("group"), _family(imported)
        is_pooled = options.get("is_pooled", True)
        parts = [
            options.get("is_retrieved") and "retrieved here",
            options.get("ranks_variants") and "of query variants",
            group and f"group {group}",
            family and f"model family {family}",
            not is_pooled and "not pooled",
        ]
        return ", ".join(words for words in parts if words)
    if imported.kind == ImportedFile.Kind.VARIANTS and "texts" in options:
        return f"texts from {options['texts']['name']}"
    return ""


def check_overlap(imported: ImportedFile, source_ids: Iterable[int | None]) -> None:
    """Raise FileRefused where what the file has came with another file that is half-way.

    It would count as there already, and be gone, or come, with that file.
    """
    others = ImportedFile.objects.filter(pk__in=filter(None, source_ids)).exclude(pk=imported.pk)
    if other := others.exclude(state=ImportedFile.State.PUBLISHED).first():
        reason = f"{other.name} has some of it and is {other.get_state_display()}: take that up again or withdraw it"
        raise FileRefused([Fault(imported.name, None, reason)])


def find_topics(imported: ImportedFile, batch: Iterable[Qrel | Variant]) -> dict[str, Topic]:
    """The topics of these records that the collection has."""
    query_ids = {record.query_id for record in batch}
    rows = Topic.objects.published().filter(collection=imported.collection, query_id__in=query_ids)
    return {row.query_id: row for row in rows}


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


def find_unranked(collection: Collection, systems: Names[str], *, with_variants: bool, most: int) -> Unranked:
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
    return [(each.variant_id, each.text) for each in rankings.variant_records(collection) if each.text]


def _missing(variants: list[Query], runs: list[Run]) -> list[Query]:
    ranked: set[str] = set()
    for run in runs:
        if run.ranks_variants:
            ranked |= rankings.ranked_query_ids(run)
    return [query for query in variants if query[0] not in ranked]


def _chunks(queries: list[Query], most: int) -> Iterator[list[Query]]:
    return (queries[start : start + most] for start in range(0, len(queries), most))


def _bytes_of_id(query: Query) -> bytes:
    return query[0].encode()
