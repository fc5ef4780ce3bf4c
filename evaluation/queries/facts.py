"""The stamp of the facts that a finding rests on: while it is the same, so is the finding."""

from collections.abc import Iterable

from django.db.models import Count, Max, QuerySet, Sum

from annotate.models import Collection, HoleDraw, ImportedFile, Suggestion
from annotate.queries import ratings

Stamp = tuple[object, ...]


def stamp(collection: Collection, models: Iterable[str]) -> Stamp:
    """Of all that changes a grade or a ranking: imports come and go as files, dropped grades with a draw, a model's
    answers and people's judgments as rows, of which only a decision after a reveal is written in place.

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
    )


def _files(collection: Collection) -> Stamp:
    files = ImportedFile.objects.filter(collection=collection, state=ImportedFile.State.PUBLISHED)
    return tuple(files.order_by("pk").values_list("pk", "digest"))


def _draws(collection: Collection) -> Stamp:
    draws = HoleDraw.objects.filter(collection=collection, undone_at=None)
    return tuple(draws.order_by("pk").values_list("pk", "created_at"))


def _answers(collection: Collection, models: Iterable[str]) -> Stamp:
    answers = Suggestion.objects.filter(rater__collection=collection, rater__name__in=set(models), source=None)
    return _counted(answers.filter(state=Suggestion.State.DONE))


def _judgments(collection: Collection) -> Stamp:
    judgments = ratings.current(collection)
    return _counted(judgments), *judgments.aggregate(Count("decided_at"), Max("decided_at")).values()


def _counted(rows: QuerySet) -> Stamp:  # type: ignore[type-arg]
    return tuple(rows.aggregate(Count("pk"), Max("pk"), Sum("grade"), Max("created_at")).values())
