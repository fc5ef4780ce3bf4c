"""Successors that nobody has to ask for: of the newest version of an own judge once grades have come, and a calibrated
version once a language model has answered."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.grades import own_judges
from annotate.grades.holes import HOLE
from annotate.models import Batch, Collection, Rater, Work
from annotate.own_judges.operations import requests
from annotate.rules.own_judges import CALIBRATED, LEAST_JUDGED, NAMES
from annotate.work import queue
from annotate.work.steps import Step

RETRAIN = "retrain"
# At least one grade must have come for so many that the newest version knew: training takes longer the more there are.
KNOWN_FOR_ONE = 20


def queue_due(now: datetime) -> None:
    """Line up a successor wherever enough grades came or went since the newest version; one at a time."""
    watched = Collection.objects.filter(retrains_after__gt=0, raters__judge__in=NAMES).distinct()
    for collection in watched.order_by("pk"):
        if _due(collection):
            _queue_due(collection, now)


def calibrate_on(model: Rater, now: datetime) -> None:
    """Line up a calibrated version with this model, which has given grades, where the collection wants that, has grades
    to learn from, and the model graded some hole."""
    collection = Collection.objects.get(pk=model.collection_id)
    holes = collection.pairs.filter(HOLE, suggestions__rater=model, suggestions__grade__isnull=False)
    judged = own_judges.judged_pairs(collection)
    if collection.calibrates_models and judged >= LEAST_JUDGED and holes.exists():
        _queue(collection, _recipe_with(collection, model), judged, f"calibration of {model.name}", now)


def calibrate(batch: Batch, now: datetime) -> None:
    """The same for the language model of a batch that has ended, unless somebody cancelled it."""
    if not batch.cancelled_at:
        calibrate_on(batch.rater, now)


def run(work: Work) -> Iterator[Step]:
    """Ask for the version: what it learns from is read here, in the background."""
    said = work.arguments
    models = {rater.name: rater for rater in Rater.objects.filter(collection=work.collection, name__in=said["models"])}
    try:
        batch = requests.request(
            collection=work.collection,
            models=[models[name] for name in said["models"] if name in models],
            may_carry_over=said["may_carry_over"],
            is_automatic=True,
            by=None,
            now=timezone.now(),
        )
    except requests.NothingToDo as reason:
        yield Step(1, 1, note=str(reason))
    else:
        yield Step(1, 1, note=f"{batch.rater.name} is asked about {batch.pairs:,} pairs")


def _due(collection: Collection) -> int:
    """How many pairs are judged, if that calls for a successor; else 0."""
    newest = own_judges.versions(collection).first()
    if newest is None or _is_under_way(collection):
        return 0
    judged = own_judges.judged_pairs(collection)
    known = newest.parameters.get("judged_pairs", newest.parameters.get("grades", 0))
    last = Work.objects.filter(collection=collection, kind=RETRAIN).order_by("pk").last()
    needed = max(collection.retrains_after, known // KNOWN_FOR_ONE)
    # What was tried last counts too: where it found nothing to learn, it is not tried again at each look.
    seen = [known, *([last.arguments["judged_pairs"]] if last else [])]
    return judged if all(abs(judged - count) >= needed for count in seen) else 0


def _is_under_way(collection: Collection) -> bool:
    going_on = [Work.State.QUEUED, Work.State.RUNNING]
    kinds = [RETRAIN, requests.SUGGEST]
    return Work.objects.filter(collection=collection, kind__in=kinds, state__in=going_on).exists()


@transaction.atomic
def _queue_due(collection: Collection, now: datetime) -> None:
    """Two workers that look at once line up one successor."""
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if judged := _due(locked):
        newest = own_judges.versions(locked).first()
        _queue(locked, _recipe(newest), judged, f"successor of {newest.name}", now)


def _recipe(version: Rater) -> dict[str, object]:
    said = version.parameters
    names = [model["name"] for model in said.get("models", [])]
    return {"models": names, "may_carry_over": said.get("may_carry_over")}


def _recipe_with(collection: Collection, model: Rater) -> dict[str, object]:
    """That of the newest calibrated version, where the model is one of those it learned from; else the model alone."""
    newest = own_judges.versions(collection).filter(judge=CALIBRATED).first()
    recipe = _recipe(newest) if newest else {}
    return recipe if model.name in recipe.get("models", ()) else {"models": [model.name], "may_carry_over": None}


def _queue(collection: Collection, recipe: dict[str, object], judged: int, subject: str, now: datetime) -> None:
    queue.enqueue(
        collection=collection,
        kind=RETRAIN,
        lane=queue.SUGGESTIONS,
        subject=subject,
        arguments={**recipe, "judged_pairs": judged},
        by=None,
        now=now,
    )
