"""The stamp of the facts that a finding rests on: while it is the same, so is the finding."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum

from annotate.models import (
    Adjudication,
    Collection,
    HoleDraw,
    ImportedFile,
    Judgment,
    Membership,
    Pair,
    QueryVariant,
    Run,
    Suggestion,
)

Stamp = tuple[object, ...]

# Products of row ids, taken modulo a prime, stay small enough to be summed by any database.
_PRIME = 1_000_003

_OF_VARIANTS = Q(kind=ImportedFile.Kind.VARIANTS) | Exists(
    Run.objects.filter(source=OuterRef("pk"), ranks_variants=True)
)


def stamp(collection: Collection, models: Iterable[str]) -> Stamp:
    """Of all that changes a grade or a ranking: imports come and go as files, dropped grades with a draw, a model's
    answers, people's judgments and adjudications as rows, of which only a decision after a reveal is written in place;
    near-duplicates follow another pair while the collection propagates.

    `models`: the names of the model raters that are asked.
    """
    return (
        collection.slug,
        collection.reference_rater_id,
        str(collection.scale),
        collection.consensus,
        _files(collection),
        _draws(collection),
        _answers(collection, models),
        _judgments(collection),
        _decisions(collection),
        _near_duplicates(collection),
    )


def variants(collection: Collection) -> Stamp:
    """Of what more a finding about query variants rests on: they and their runs, on which no other finding does."""
    texts = QueryVariant.objects.published().filter(collection=collection).aggregate(Count("pk"), Max("pk"))
    return tuple(
        _published(collection).filter(_OF_VARIANTS).order_by("pk").values_list("pk", "digest")
    ), *texts.values()


def _files(collection: Collection) -> Stamp:
    return tuple(_published(collection).exclude(_OF_VARIANTS).order_by("pk").values_list("pk", "digest"))


def _published(collection: Collection) -> QuerySet[ImportedFile]:
    return ImportedFile.objects.filter(collection=collection, state=ImportedFile.State.PUBLISHED)


def _draws(collection: Collection) -> Stamp:
    draws = HoleDraw.objects.filter(collection=collection, undone_at=None)
    return tuple(draws.order_by("pk").values_list("pk", "created_at"))


def _answers(collection: Collection, models: Iterable[str]) -> Stamp:
    answers = Suggestion.objects.filter(rater__collection=collection, rater__name__in=set(models), source=None)
    return _counted(answers.filter(state=Suggestion.State.DONE))


def _judgments(collection: Collection) -> Stamp:
    """Without a look at each of them: an answer that is stored, in any round, moves its author on in the sitting, and a
    decision after a reveal takes a judgment from those that wait for one."""
    people = Membership.objects.filter(collection=collection, sitting__gt=0).order_by("pk")
    waiting = Judgment.objects.filter(
        assessor__collection=collection, is_current=True, revealed_at__isnull=False, decided_at=None
    )
    return *people.values_list("pk", "sitting", "sitting_position"), waiting.count()


def _decisions(collection: Collection) -> Stamp:
    return _counted(Adjudication.objects.filter(pair__collection=collection, is_current=True))


def _near_duplicates(collection: Collection) -> Stamp:
    """Where a passage's grade is that of another one; the product tells links that were exchanged."""
    if not collection.propagates_duplicates:
        return ()
    rows = Pair.objects.filter(collection=collection, duplicate_of__isnull=False)
    link = F("pk") * F("duplicate_of") % _PRIME
    return tuple(rows.aggregate(Count("pk"), Sum("pk"), Sum("duplicate_of"), links=Sum(link)).values())


def _counted(rows: QuerySet[Any]) -> Stamp:
    return tuple(rows.aggregate(Count("pk"), Max("pk"), Sum("grade"), Max("created_at")).values())
