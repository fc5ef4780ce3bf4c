"""Influence of holes, computed in the background; where that was asked for, holes are judged in its order."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.draws.operations import influence_order
from annotate.models import Collection, User, Work
from annotate.rules import blinding
from annotate.rules import prioritising as rules
from annotate.rules.permissions import NotAllowed
from annotate.work import queue
from annotate.work.steps import CannotGoOn, Step
from evaluation.engine.influence import TooFewSystems
from evaluation.findings.influence import influence
from evaluation.findings.influence import weights as influence_weights
from evaluation.findings.influence.influence import Computed
from evaluation.findings.influence.known import QUESTION
from evaluation.findings.influence.weights import NoSuchModel
from evaluation.models import Finding

KIND = "influence"  # as evaluation.apps registers it


class CannotWeight(Exception):
    """Why a model does not weight influence; the message is what people read."""


@transaction.atomic
def request(*, collection: Collection, weights: str = "", orders: bool = False, by: User | None, now: datetime) -> Work:
    """Queue the computation, and with `orders` that holes are judged in its order; once, if it waits already.

    `weights`: the name of the model whose probabilities weight it. Raises CannotWeight.
    """
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if weights:
        _check_weights(locked, weights)
    arguments = {"weights": weights, "orders": orders, "result": reverse("influence", args=[collection.slug])}
    waiting = Work.objects.filter(
        collection=collection, kind=KIND, state=Work.State.QUEUED, arguments=arguments
    ).first()
    return waiting or queue.enqueue(
        collection=collection,
        kind=KIND,
        # An order is written where pools are built: the two never write at once.
        lane=queue.FACTS if orders else queue.FINDINGS,
        subject="order by influence" if orders else "influence of holes",
        arguments=arguments,
        by=by,
        now=now,
    )


def run(work: Work) -> Iterator[Step]:
    """Compute from the facts of this moment, keep what is found, and write the order."""
    collection, weights = work.collection, work.arguments["weights"]
    assert collection is not None
    yield Step(0, note="computing the influence of holes")
    now = timezone.now()
    try:
        found = influence.compute(collection, weights)
    except (TooFewSystems, NoSuchModel) as reason:
        raise CannotGoOn(str(reason)) from None
    _keep(collection, found, now)
    if work.arguments["orders"]:
        yield from _order(work, collection, found, now)


def _order(work: Work, collection: Collection, found: Computed, now: datetime) -> Iterator[Step]:
    try:
        yield from influence_order.set_order_keys(
            collection=collection,
            keys=found.keys,
            design=found.design,
            is_weighted=bool(work.arguments["weights"]),
            by=work.created_by,
            now=now,
        )
    except NotAllowed as reason:
        raise CannotGoOn(str(reason)) from None


def _keep(collection: Collection, found: Computed, now: datetime) -> None:
    """In the place of what was found before. It is of the moment before the facts were read: what came since is new."""
    Finding.objects.update_or_create(
        collection=collection,
        kind=QUESTION.kind,
        key=QUESTION.key,
        defaults={
            "question": {"weights": found.told["weights"]},
            "facts": found.design["facts"],
            "value": found.told,
            "computed_at": now,
        },
    )


def _check_weights(collection: Collection, name: str) -> None:
    shares = {
        blinding.HIDDEN: collection.share_hidden,
        blinding.SHOWN: collection.share_shown,
        blinding.REVEAL: collection.share_reveal,
    }
    try:
        rules.check_weighting(shares)
        influence_weights.model(collection, name)
    except (NotAllowed, NoSuchModel) as reason:
        raise CannotWeight(str(reason)) from None
