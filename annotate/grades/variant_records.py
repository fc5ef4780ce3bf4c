"""The query variants of a collection as records: those that were generated and those that were imported."""

from collections.abc import Iterator

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Collate

from annotate.formats.records import Variant
from annotate.models import Collection, QueryVariant

_CHUNK = 2000


def records(collection: Collection) -> Iterator[Variant]:
    """By the bytes of their ids, read a few at a time."""
    columns = ("variant_id", "topic__query_id", "profile__name", "number", "text")
    rows = _published(collection).order_by(_bytes_of_id()).values_list(*columns)
    return (Variant(*row) for row in rows.iterator(chunk_size=_CHUNK))


def topic_of(collection: Collection) -> dict[str, str]:
    """The query id of the topic of each variant."""
    return dict(_published(collection).values_list("variant_id", "topic__query_id").iterator(chunk_size=_CHUNK))


def _published(collection: Collection) -> QuerySet[QueryVariant]:
    """Of topics that are imported, too."""
    return QueryVariant.objects.published().filter(collection=collection, topic__source__state="PUBLISHED")


def _bytes_of_id() -> F | Collate:
    """SQLite compares the bytes by itself."""
    return Collate("variant_id", "C") if connection.vendor == "postgresql" else F("variant_id")
