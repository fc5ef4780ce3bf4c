"""Asking one of Lacuna's own judges about the pooled pairs; what it learns from is written down at that moment."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotate.grades import grade_digests, own_judges
from annotate.models import Batch, Collection, Pair, Rater, User, Work
from annotate.own_judges.operations import training
from annotate.own_judges.queries import training_material
from annotate.own_judges.queries.training_material import Material
from annotate.rules.own_judges import CALIBRATED, LEARNED
from annotate.work import queue

SUGGEST = "suggest"
DESCRIPTIONS = {
    LEARNED: "Lacuna's own judge, trained on the judged pairs of this collection; reads text only.",
    CALIBRATED: "Lacuna's own judge: what the judged pairs of this collection make of the grades of {models}.",
}


class NothingToDo(Exception):
    """Why no batch is started."""


@transaction.atomic
def request(
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

    `may_carry_over` is what the caller knows of the holes (`judges.calibrated.fit`). Raises NothingToDo where all that
    it learns from is that of an earlier version, or where there is nothing to learn from or to ask about.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    material = training_material.of(collection, models, may_carry_over)
    _check(collection, material)
    digest = training.keep(material)
    earlier = own_judges.versions(collection).filter(parameters__learned_from=digest).first()
    if earlier and (reason := _nothing_left(earlier)):
        raise NothingToDo(reason)
    rater = earlier or _version(collection, models, material, digest, now)
    return _queue(rater, material, is_automatic, by, now)


def pairs_to_ask(rater: Rater) -> QuerySet[Pair]:
    """Pooled pairs with a text of which it has said nothing yet."""
    pooled = Pair.objects.filter(collection=rater.collection_id, is_pooled=True, passage_text__isnull=False)
    return pooled.exclude(suggestions__rater=rater)


def _check(collection: Collection, material: Material) -> None:
    if not material.grades:
        raise NothingToDo(_no_grades(material.without_text))
    for name, said in material.opinions.items():
        if not said:
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


def _version(collection: Collection, models: Sequence[Rater], material: Material, digest: str, now: datetime) -> Rater:
    judge = CALIBRATED if models else LEARNED
    names = ", ".join(model.name for model in models)
    return Rater.objects.create(
        collection=collection,
        name=_name(collection, judge),
        kind=Rater.Kind.MODEL,
        judge=judge,
        description=DESCRIPTIONS[judge].format(models=names),
        parameters={
            "learned_from": digest,
            "grades": len(material.grades),
            "judged_pairs": own_judges.judged_pairs(collection),
            "seed": material.seed,
            **({"models": [_taught_by(model, material) for model in models]} if models else {}),
            **({"may_carry_over": material.may_carry_over} if models else {}),
        },
        created_at=now,
    )


def _taught_by(model: Rater, material: Material) -> dict[str, object]:
    """The digest is the one that manifests of exports name."""
    digest = grade_digests.of_model(model).digest
    return {"name": model.name, "digest": digest, "pairs": len(material.opinions[model.name])}


def _name(collection: Collection, judge: str) -> str:
    """The next number; a rater that was imported before such names were taken keeps its own."""
    taken = set(Rater.objects.filter(collection=collection).values_list("name", flat=True))
    number = 1 + Rater.objects.filter(collection=collection, judge=judge).count()
    while f"{judge}-{number}" in taken:
        number += 1
    return f"{judge}-{number}"


def _queue(rater: Rater, material: Material, is_automatic: bool, by: User | None, now: datetime) -> Batch:
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
        lane=queue.SUGGESTIONS,
        subject=f"suggestions of {rater.name}",
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch
