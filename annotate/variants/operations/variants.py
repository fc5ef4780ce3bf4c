"""Query variants as rows, under ids of ours that tell nothing of topic, profile or number."""

import itertools
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from annotate.models import Collection, Generation, ImportedFile, Profile, QueryVariant, Topic
from annotate.rules import seeds

_BITS = 48


@transaction.atomic
def add(
    *,
    collection: Collection,
    topic: Topic,
    profile: Profile,
    texts: Sequence[str],
    generation: Generation | None = None,
    source: ImportedFile | None = None,
    now: datetime,
) -> list[QueryVariant]:
    """A row for each wording, in this order; numbers go on from those that the topic has of the profile.

    The ids depend on the collection's seed, on what they stand for and on the wording alone, so the same collection
    made again has the same ones, and a run that ranked one wording never stands for another one that came in its place.
    They are no id of another variant or of a topic.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    named = QueryVariant.objects.filter(topic=topic, profile__name=profile.name)  # of whatever version: files tell none
    there = named.aggregate(newest=Max("number"))["newest"] or 0
    return QueryVariant.objects.bulk_create(
        QueryVariant(
            collection=collection,
            variant_id=_free_id(collection, topic, profile, number, text),
            topic=topic,
            profile=profile,
            number=number,
            text=text,
            generation=generation,
            source=source,
            created_at=now,
        )
        for number, text in enumerate(texts, start=there + 1)
    )


def _free_id(collection: Collection, topic: Topic, profile: Profile, number: int, text: str) -> str:
    names = (topic.query_id, profile.name, str(profile.version), str(number), text)
    for attempt in itertools.count():
        drawn = seeds.number(collection.seed, "variant", *names, str(attempt), bits=_BITS)
        variant_id = f"v{drawn:0{_BITS // 4}x}"
        if not (
            QueryVariant.objects.filter(collection=collection, variant_id=variant_id).exists()
            or Topic.objects.filter(collection=collection, query_id=variant_id).exists()
        ):
            return variant_id
    raise AssertionError("unreachable")
