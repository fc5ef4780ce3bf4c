"""What was imported into a collection, newest first, with what was said about each file and how far it is."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from annotate.models import Collection, ImportedFile, Rater, Work
from annotate.work import progress as work_progress
from annotate.work.progress import Progress

UNFINISHED = (ImportedFile.State.WAITING, ImportedFile.State.STAGING, ImportedFile.State.WITHDRAWING)


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


def files(collection: Collection) -> QuerySet[ImportedFile]:
    rows = ImportedFile.objects.filter(collection=collection).select_related("work", "created_by")
    rows = rows.prefetch_related("runs")
    return rows.order_by("-created_at", "-pk")


def of(imported: ImportedFile, now: datetime) -> Import:
    progress = work_progress.of(imported.work, now) if imported.work else None
    return Import(imported, _about(imported), progress)


def first_missing(collection: Collection) -> str:
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
        told = [
            options.get("is_retrieved") and "retrieved here",
            options.get("ranks_variants") and "of query variants",
            group and f"group {group}",
            family and f"model family {family}",
            not is_pooled and "not pooled",
        ]
        return ", ".join(words for words in told if words)
    if imported.kind == ImportedFile.Kind.VARIANTS and "texts" in options:
        return f"texts from {options['texts']['name']}"
    return ""
