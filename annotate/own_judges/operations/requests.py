"""Requests to Lacuna's own judges, by people and by themselves."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TypedDict

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.grades import model_raters, ratings
from annotate.grades.holes import HOLE
from annotate.models import Batch, Collection, Pair, Rater, User, Work
from annotate.models.raters import CALIBRATED, LEARNED, LEAST_JUDGED, OWN_JUDGES
from annotate.own_judges import queries
from annotate.own_judges.operations import training
from annotate.own_judges.queries import Material
from annotate.work import queue
from annotate.work.queue import Step

SUGGEST = "suggest"
DESCRIPTIONS = {
    LEARNED: "Lacuna's own judge, trained on the judged pairs of this collection; reads text only.",
    CALIBRATED: "Lacuna's own judge: what the judged pairs of this collection make of the grades of {models}.",
}


class NothingToDo(Exception):
    """Why no batch is started."""


@transaction.atomic
def request_version(
    *,
    collection: Collection,
    models: Sequence[Rater] = (),
    may_carry_over: bool | None = None,
    is_automatic: bool = False,
    by: User | None,
    now: datetime,
) -> Batch:
    """Queue a batch over all pooled pairs with a text, as a new version: of the judge that is calibrated on what these
    models say, without any of the learned judge, which reads text alone.

    `may_carry_over` is what the caller knows of the holes (`judges.calibrated.fit_judge`). Raises NothingToDo where
    all that it learns from is that of an earlier version, or where there is nothing to learn from or to ask about.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    material = queries.gather_material(collection, models, may_carry_over)
    _check_material(collection, material)
    digest = training.keep_material(material)
    earlier = model_raters.list_versions(collection).filter(parameters__learned_from=digest).first()
    if earlier and (reason := _nothing_left(earlier)):
        raise NothingToDo(reason)
    rater = earlier or _create_version(collection, models, material, digest, now)
    return _enqueue_batch(rater, material, is_automatic, by, now)


def pairs_to_ask(rater: Rater) -> QuerySet[Pair]:
    """Pooled pairs with a text of which it has said nothing yet."""
    pooled = Pair.objects.filter(collection=rater.collection_id, is_pooled=True, passage_text__isnull=False)
    return pooled.exclude(suggestions__rater=rater)


def _check_material(collection: Collection, material: Material) -> None:
    if not material.grades:
        raise NothingToDo(_no_grades(material.without_text))
    for name, labels in material.labels.items():
        if not labels:
            raise NothingToDo(f"{name} says nothing of the pooled and judged pairs: there is nothing to calibrate.")
    if not Pair.objects.filter(collection=collection, is_pooled=True, passage_text__isnull=False).exists():
        raise NothingToDo("There are no pooled pairs with a text: build the pool and import passages first.")


def _no_grades(without_text: int) -> str:
    if without_text:
        return f"There are no grades to learn from: none of the {without_text} judged pairs has a passage text."
    return "There are no grades to learn from: import qrels, or judge some pairs."


def _nothing_left(version: Rater) -> str:
    """Why the version is not asked again; empty where pairs came into the pool that it has not been asked about."""
    batch = version.batches.select_related("work").order_by("pk").last()
    work = batch and batch.work
    if work and not work.is_over:
        return f"{version.name} learns from the same and is at work already."
    if work and work.state != Work.State.DONE:
        return f"{version.name} learned from the same and came to no end: {work.error or 'its work was stopped'}"
    if pairs_to_ask(version).exists():
        return ""
    return f"{version.name} learned from the same grades and texts: nothing has changed since."


def _create_version(
    collection: Collection, models: Sequence[Rater], material: Material, digest: str, now: datetime
) -> Rater:
    judge = CALIBRATED if models else LEARNED
    names = ", ".join(model.name for model in models)
    return Rater.objects.create(
        collection=collection,
        name=_next_name(collection, judge),
        kind=Rater.Kind.MODEL,
        judge=judge,
        description=DESCRIPTIONS[judge].format(models=names),
        parameters={
            "learned_from": digest,
            "grades": len(material.grades),
            "judged_pairs": model_raters.count_judged_pairs(collection),
            "seed": material.seed,
            **({"models": [_taught_by(model, material) for model in models]} if models else {}),
            **({"may_carry_over": material.may_carry_over} if models else {}),
        },
        created_at=now,
    )


def _taught_by(model: Rater, material: Material) -> dict[str, object]:
    """The digest is the one that manifests of exports name."""
    digest = ratings.digest_model(model).digest
    return {"name": model.name, "digest": digest, "pairs": len(material.labels[model.name])}


def _next_name(collection: Collection, judge: str) -> str:
    """The next number; a rater that was imported before such names were taken keeps its own."""
    taken = set(Rater.objects.filter(collection=collection).values_list("name", flat=True))
    number = 1 + Rater.objects.filter(collection=collection, judge=judge).count()
    while f"{judge}-{number}" in taken:
        number += 1
    return f"{judge}-{number}"


def _enqueue_batch(rater: Rater, material: Material, is_automatic: bool, by: User | None, now: datetime) -> Batch:
    left_out = material.without_text
    batch = Batch.objects.create(
        collection=rater.collection,
        rater=rater,
        judge=rater.judge,
        parameters={"is_automatic": is_automatic},
        pairs=pairs_to_ask(rater).count(),
        note=f"Judged pairs without a passage text, which teach nothing: {left_out:,}." if left_out else "",
        created_at=now,
        created_by=by,
    )
    batch.work = queue.enqueue(
        collection=rater.collection,
        kind=SUGGEST,
        queue=queue.SUGGESTIONS,
        subject=f"suggestions of {rater.name}",
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch


RETRAIN = "retrain"
# At least one grade must have come for so many that the newest version knew: training takes longer the more there are.
KNOWN_FOR_ONE = 20


class Recipe(TypedDict):
    """What a version is made of beside the grades: the names of the models that it is calibrated on."""

    models: list[str]
    may_carry_over: bool | None


def enqueue_due(now: datetime) -> None:
    """Line up a successor wherever enough grades came or went since the newest version; one at a time."""
    watched = Collection.objects.filter(retrains_after__gt=0, raters__judge__in=OWN_JUDGES).distinct()
    for collection in watched.order_by("pk"):
        if _judged_if_due(collection):
            _enqueue_if_due(collection, now)


def calibrate_on_model(model: Rater, now: datetime) -> None:
    """Line up a calibrated version with this model, which has given grades, where the collection wants that, has grades
    to learn from, and the model graded some hole."""
    collection = Collection.objects.get(pk=model.collection_id)
    holes = collection.pairs.filter(HOLE, suggestions__rater=model, suggestions__grade__isnull=False)
    judged = model_raters.count_judged_pairs(collection)
    if collection.calibrates_models and judged >= LEAST_JUDGED and holes.exists():
        _enqueue_retraining(collection, _recipe_with(collection, model), judged, f"calibration of {model.name}", now)


def calibrate_on_batch(batch: Batch, now: datetime) -> None:
    """The same for the language model of a batch that has ended, unless somebody cancelled it."""
    if batch.rater and not batch.cancelled_at:
        calibrate_on_model(batch.rater, now)


def run_retraining(work: Work) -> Iterator[Step]:
    """Ask for the version: what it learns from is read here, in the background."""
    collection, recipe = work.collection, work.arguments
    assert collection is not None
    try:
        batch = request_version(
            collection=collection,
            models=queries.find_models(collection, recipe["models"]),
            may_carry_over=recipe["may_carry_over"],
            is_automatic=True,
            by=None,
            now=timezone.now(),
        )
    except NothingToDo as reason:
        yield Step(1, 1, note=str(reason))
    else:
        yield Step(1, 1, note=f"{batch.rater} is asked about {batch.pairs:,} pairs")


def _judged_if_due(collection: Collection) -> int:
    """How many pairs are judged, if that calls for a successor; else 0."""
    newest = model_raters.list_versions(collection).first()
    if newest is None or _is_under_way(collection):
        return 0
    judged = model_raters.count_judged_pairs(collection)
    known = newest.parameters.get("judged_pairs", newest.parameters.get("grades", 0))
    last = Work.objects.filter(collection=collection, kind=RETRAIN).order_by("pk").last()
    needed = max(collection.retrains_after, known // KNOWN_FOR_ONE)
    # What was tried last counts too: where it found nothing to learn, it is not tried again at each look.
    seen = [known, *([last.arguments["judged_pairs"]] if last else [])]
    return judged if all(abs(judged - count) >= needed for count in seen) else 0


def _is_under_way(collection: Collection) -> bool:
    going_on = [Work.State.QUEUED, Work.State.RUNNING]
    kinds = [RETRAIN, SUGGEST]
    return Work.objects.filter(collection=collection, kind__in=kinds, state__in=going_on).exists()


@transaction.atomic
def _enqueue_if_due(collection: Collection, now: datetime) -> None:
    """Two workers that look at once line up one successor."""
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    newest = model_raters.list_versions(locked).first()
    if newest and (judged := _judged_if_due(locked)):
        _enqueue_retraining(locked, _recipe(newest), judged, f"successor of {newest.name}", now)


def _recipe(version: Rater) -> Recipe:
    parameters = version.parameters
    names = [model["name"] for model in parameters.get("models", [])]
    return {"models": names, "may_carry_over": parameters.get("may_carry_over")}


def _recipe_with(collection: Collection, model: Rater) -> Recipe:
    """That of the newest calibrated version, where the model is one of those it learned from; else the model alone."""
    newest = model_raters.list_versions(collection).filter(judge=CALIBRATED).first()
    recipe = _recipe(newest) if newest else None
    return recipe if recipe and model.name in recipe["models"] else {"models": [model.name], "may_carry_over": None}


def _enqueue_retraining(collection: Collection, recipe: Recipe, judged: int, subject: str, now: datetime) -> None:
    queue.enqueue(
        collection=collection,
        kind=RETRAIN,
        queue=queue.SUGGESTIONS,
        subject=subject,
        arguments={**recipe, "judged_pairs": judged},
        by=None,
        now=now,
    )
