"""Query variants of a mapping file, with their texts from it or from a topics file that came with it."""

from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.formats import texts as formats_texts
from annotate.formats.faults import Faults
from annotate.formats.records import Variant
from annotate.imports import queries
from annotate.imports.kinds.file_kind import BATCH, FileKind
from annotate.models import Collection, ImportedFile, Profile, QueryVariant, Topic
from annotate.suggestions.operations import prompts
from annotate.texts import operations as variants_operations
from annotate.work import kept_files
from annotate.work.queue import CannotGoOn, Step

Texts = dict[str, tuple[int, str]]


class Variants(FileKind[Variant]):
    """Query variants of a file."""

    searched = (True,)

    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Variant]]:
        """A texts file has a text for each variant that has none of its own, and for no other."""
        texts, mapped = _texts(imported), set()
        for line, variant in formats_texts.read_numbered_variants(path, faults):
            mapped.add(variant.variant_id)
            _, text = texts.get(variant.variant_id, (0, ""))
            if texts and not (variant.text or text):
                faults.add(line, f"variant {variant.variant_id!r} has no text in {_texts_name(imported)}")
            if variant.text and text and variant.text != text:
                faults.add(line, f"variant {variant.variant_id!r} has another text in {_texts_name(imported)}")
            yield line, _with_text(variant, texts)
        if not faults:
            _check_all_mapped(imported, texts, mapped)

    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, Variant]], faults: Faults) -> None:
        """Note what the collection lacks or has otherwise."""
        records = [variant for _, variant in batch]
        queries.check_overlap(imported, _rows(imported, records).values_list("source", flat=True).distinct())
        lines = {variant.variant_id: line for line, variant in batch}
        for variant, reason in _conflicts(imported, records):
            faults.add(lines[variant.variant_id], reason)

    def stage_batch(self, imported: ImportedFile, batch: list[Variant]) -> None:
        """Raises CannotGoOn where variants were written meanwhile under the same ids or numbers."""
        Collection.objects.select_for_update(no_key=True).get(pk=imported.collection_id)
        for _, reason in _conflicts(imported, batch):
            raise CannotGoOn(f"Something changed while {imported.name} was read: {reason}.")
        there, rows, owners = _there(imported, batch), queries.find_topics(imported, batch), _profiles(imported, batch)
        QueryVariant.objects.bulk_create(
            QueryVariant(
                collection=imported.collection,
                variant_id=variant.variant_id,
                topic=rows[variant.query_id],
                profile=owners[variant.profile],
                number=variant.number,
                text=variant.text,
                source=imported,
                created_at=timezone.now(),
            )
            for variant in batch
            if variant.variant_id not in there
        )

    def count_added(self, imported: ImportedFile) -> int:
        return imported.variants.count()

    def publish(self, imported: ImportedFile, total: int) -> None:
        super().publish(imported, total)
        if without := imported.variants.filter(text="").count():
            imported.note = (
                f"{without:,} without a text: their runs can be imported, but people and the built-in systems need it."
            )

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        """They are measured next, by a work of its own, since that reads the passages; their runs come after."""
        variants_operations.request_measures(collection=imported.collection, by=imported.created_by, now=timezone.now())
        return iter(())

    @transaction.atomic
    def remove_batch(self, imported: ImportedFile) -> int:
        """Their runs stay: what they rank for variants that are gone is kept aside, as what an unknown topic has."""
        gone = list(QueryVariant.objects.filter(source=imported).values_list("pk", flat=True)[:BATCH])
        QueryVariant.objects.filter(pk__in=gone).delete()
        return len(gone)


def _conflicts(imported: ImportedFile, batch: list[Variant]) -> Iterator[tuple[Variant, str]]:
    there, rows, taken = _there(imported, batch), queries.find_topics(imported, batch), _numbers(imported, batch)
    named = Topic.objects.filter(collection=imported.collection, query_id__in=[v.variant_id for v in batch])
    topic_ids = set(named.values_list("query_id", flat=True))
    for variant in batch:
        if variant.query_id not in rows:
            yield variant, f"topic {variant.query_id!r} is not in the collection; import the topics first"
        if len(variant.profile) > prompts.MOST_IN_PROFILE_NAME:
            yield (
                variant,
                f"the profile's name has {len(variant.profile)} characters; it may have {prompts.MOST_IN_PROFILE_NAME}",
            )
        if variant.variant_id in topic_ids:
            yield variant, f"{variant.variant_id!r} is the id of a topic: a run could not tell the two apart"
        if reason := _difference(variant, there.get(variant.variant_id), taken):
            yield variant, reason


def _difference(variant: Variant, row: QueryVariant | None, taken: dict[tuple[str, str, int], str]) -> str:
    """How the collection has it otherwise; empty where it does not."""
    name = f"variant {variant.variant_id!r}"
    if row is not None:
        there = (row.topic.query_id, row.profile.name, row.number)
        if there != variant[1:4]:
            return f"{name} is in the collection as number {there[2]} of topic {there[0]!r} as {there[1]!r}"
        if variant.text not in ("", row.text):
            return f"{name} is in the collection {'with another' if row.text else 'without a'} text"
    elif other := taken.get(variant[1:4]):
        return f"variant {variant.number} of topic {variant.query_id!r} as {variant.profile!r} is {other!r} already"
    return ""


def _there(imported: ImportedFile, batch: list[Variant]) -> dict[str, QueryVariant]:
    rows = _rows(imported, batch).select_related("topic", "profile")
    return {row.variant_id: row for row in rows}


def _rows(imported: ImportedFile, batch: list[Variant]) -> QuerySet[QueryVariant]:
    ids = [variant.variant_id for variant in batch]
    return QueryVariant.objects.filter(collection=imported.collection, variant_id__in=ids)


def _numbers(imported: ImportedFile, batch: list[Variant]) -> dict[tuple[str, str, int], str]:
    """Which variant has each number of the topics and profiles, of whatever version."""
    rows = QueryVariant.objects.filter(
        collection=imported.collection,
        topic__query_id__in={variant.query_id for variant in batch},
        profile__name__in={variant.profile for variant in batch},
        number__in={variant.number for variant in batch},
    ).values_list("topic__query_id", "profile__name", "number", "variant_id")
    return {(query_id, profile, number): variant_id for query_id, profile, number, variant_id in rows}


def _profiles(imported: ImportedFile, batch: list[Variant]) -> dict[str, Profile]:
    """The current profiles of these names; of one that the collection lacks only the name is known."""
    collection, by, now = imported.collection, imported.created_by, timezone.now()
    names = sorted({variant.profile for variant in batch})
    return {name: prompts.ensure_profile(collection=collection, name=name, by=by, now=now) for name in names}


def _texts(imported: ImportedFile) -> Texts:
    """By variant the line and text of the topics file that came along; raises FileRefused for its faults."""
    if "texts" not in imported.options:
        return {}
    faults = Faults(_texts_name(imported))
    listed = formats_texts.read_numbered_topics(kept_files.path(imported.options["texts"]["path"]), faults)
    texts = {topic.query_id: (line, topic.text) for line, topic in listed}
    faults.raise_if_any()
    return texts


def _texts_name(imported: ImportedFile) -> str:
    return str(imported.options["texts"]["name"])


def _with_text(variant: Variant, texts: Texts) -> Variant:
    return variant if variant.text else variant._replace(text=texts.get(variant.variant_id, (0, ""))[1])


def _check_all_mapped(imported: ImportedFile, texts: Texts, mapped: set[str]) -> None:
    if not texts:
        return
    faults = Faults(_texts_name(imported))
    for variant_id in texts.keys() - mapped:
        faults.add(texts[variant_id][0], f"variant {variant_id!r} is not in {imported.name}")
    faults.raise_if_any()
