"""Qrels of a file: the grades of a named rater, a reference or a model, beside those of all others."""

from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.formats import qrels
from annotate.formats.faults import Faults
from annotate.formats.records import GradeScale, Qrel
from annotate.imports import queries
from annotate.imports.kinds.file_kind import BATCH, FileKind
from annotate.models import ImportedFile, Pair, Rater, ReferenceGrade, Suggestion
from annotate.pairs import pair_states
from annotate.work.queue import Step

LOWEST = -(2**15)  # what the database holds


class QrelsFile(FileKind[Qrel]):
    """Qrels of a file."""

    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Qrel]]:
        """People's grades must be on the scale (or negative); a model's may be off it: a row without a grade."""
        return qrels.read_numbered(path, faults, scale=_scale(imported))

    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, Qrel]], faults: Faults) -> None:
        """Note topics that the collection lacks (once a batch), grades that differ from before or cannot be kept."""
        records = [record for _, record in batch]
        queries.check_overlap(imported, _sources(imported, records))
        topics, before = queries.find_topics(imported, records), _before(imported, records)
        missing: set[str] = set()
        for line, record in batch:
            pair = (record.query_id, record.passage_id)
            if record.query_id not in topics and record.query_id not in missing:
                missing.add(record.query_id)
                faults.add(line, f"topic {record.query_id!r} is not in the collection; import the topics first")
            if before.get(pair, record.grade) != record.grade:
                faults.add(line, f"{_graded_before(imported, record)} {before[pair]} before, here it is {record.grade}")
            if not _is_model(imported) and record.grade < LOWEST:
                # Negative grades of a reference have no lowest one on the scale. A model's are kept as text there.
                faults.add(line, f"the grade {record.grade} is below {LOWEST}")

    def stage_batch(self, imported: ImportedFile, batch: list[Qrel]) -> None:
        topics, before = queries.find_topics(imported, batch), _before(imported, batch)
        new = [record for record in batch if (record.query_id, record.passage_id) not in before]
        named = [(topics[record.query_id], record.passage_id) for record in new]
        rows = pair_states.ensure_rows(collection=imported.collection, named=named)
        rater = _rater(imported)
        graded = zip(rows, (record.grade for record in new), strict=True)
        if _is_model(imported):
            Suggestion.objects.bulk_create(_suggestion(imported, rater, pair, grade) for pair, grade in graded)
        else:
            ReferenceGrade.objects.bulk_create(
                ReferenceGrade(rater=rater, pair=pair, source=imported, grade=grade) for pair, grade in graded
            )

    def count_added(self, imported: ImportedFile) -> int:
        return imported.suggestions.count() if _is_model(imported) else imported.reference_grades.count()

    def publish(self, imported: ImportedFile, total: int) -> None:
        """A collection's first reference rater becomes the one whose grades close holes."""
        super().publish(imported, total)
        if _is_model(imported):
            off = imported.suggestions.exclude(state=Suggestion.State.DONE).count()
            grades = "1 grade is" if off == 1 else f"{off:,} grades are"
            imported.note = f"{grades} off the scale: kept as rows without a grade." if off else ""
            return
        collection = imported.collection
        if collection.reference_rater_id is None:
            collection.reference_rater = _rater(imported)
            collection.save(update_fields=["reference_rater"])

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        """Close the holes that the published grades settle."""
        if _is_model(imported):
            return
        graded = Pair.objects.filter(reference_grades__source=imported).order_by("pk")
        done, last = 0, 0
        while batch := list(graded.filter(pk__gt=last)[:BATCH]):
            with transaction.atomic():
                locked = pair_states.lock_pairs([pair.pk for pair in batch])
                pair_states.refresh(collection=imported.collection, pairs=locked)
            done, last = done + len(batch), batch[-1].pk
            yield Step(done, imported.added, note="closing holes")

    def remove_batch(self, imported: ImportedFile) -> int:
        return remove_grades(imported)


@transaction.atomic
def remove_grades(imported: ImportedFile) -> int:
    """Take out some of the grades that came with a file, of people or of models."""
    suggested = list(Suggestion.objects.filter(source=imported).values_list("pk", flat=True)[:BATCH])
    Suggestion.objects.filter(pk__in=suggested).delete()
    graded = list(ReferenceGrade.objects.filter(source=imported)[:BATCH])
    pair_ids = [grade.pair_id for grade in graded]
    ReferenceGrade.objects.filter(pk__in=[grade.pk for grade in graded]).delete()
    pairs = pair_states.lock_pairs(pair_ids)
    pair_states.refresh(collection=imported.collection, pairs=pairs)
    return len(suggested) + len(graded)


def _scale(imported: ImportedFile) -> GradeScale | None:
    return None if _is_model(imported) else imported.collection.scale


def _graded_before(imported: ImportedFile, record: Qrel) -> str:
    return f"{_rater_name(imported)} graded passage {record.passage_id!r} of topic {record.query_id!r}"


def _is_model(imported: ImportedFile) -> bool:
    return bool(imported.options["rater_kind"] == Rater.Kind.MODEL)


def _rater_name(imported: ImportedFile) -> str:
    return str(imported.options["rater"])


def _rater(imported: ImportedFile) -> Rater:
    rater, _ = Rater.objects.get_or_create(
        collection=imported.collection,
        name=_rater_name(imported),
        defaults={
            "kind": imported.options["rater_kind"],
            "judge": "imported" if _is_model(imported) else "",
            "description": imported.options.get("rater_description", ""),
            "created_at": timezone.now(),
        },
    )
    return rater


def _suggestion(imported: ImportedFile, rater: Rater, pair: Pair, grade: int) -> Suggestion:
    is_good = grade in imported.collection.scale
    return Suggestion(
        rater=rater,
        pair=pair,
        source=imported,
        state=Suggestion.State.DONE if is_good else Suggestion.State.UNPARSED,
        grade=grade if is_good else None,
        answer=str(grade),
        created_at=timezone.now(),
    )


def _before(imported: ImportedFile, batch: list[Qrel]) -> dict[tuple[str, str], int]:
    """What the same rater said of these pairs before, of models as the file had it."""
    column = "answer" if _is_model(imported) else "grade"
    rows = _rows(imported, batch).values_list("pair__topic__query_id", "pair__passage_id", column)
    return {(query_id, passage_id): int(grade) for query_id, passage_id, grade in rows}


def _sources(imported: ImportedFile, batch: list[Qrel]) -> set[int | None]:
    """The files that the rater's grades of these pairs came with."""
    named = {(record.query_id, record.passage_id) for record in batch}
    rows = _rows(imported, batch).values_list("pair__topic__query_id", "pair__passage_id", "source")
    return {source for query_id, passage_id, source in rows if (query_id, passage_id) in named}


def _rows(imported: ImportedFile, batch: list[Qrel]) -> QuerySet[Suggestion] | QuerySet[ReferenceGrade]:
    """What the same rater has of the topics and passages of the batch."""
    model = Suggestion if _is_model(imported) else ReferenceGrade
    return model.objects.filter(
        rater__collection=imported.collection,
        rater__name=_rater_name(imported),
        pair__topic__query_id__in={record.query_id for record in batch},
        pair__passage_id__in={record.passage_id for record in batch},
    )
