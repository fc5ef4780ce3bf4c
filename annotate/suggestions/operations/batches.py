"""The life of a batch, whatever its purpose: estimated, started, run, paused, taken up, cancelled, taken back."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_DOWN, Decimal
from typing import cast

from django.db import transaction
from django.utils import timezone

from annotate.llm import providers
from annotate.llm.answers import GradePlace, PlaceRefused
from annotate.llm.messages import Tokens
from annotate.llm.requests import Against
from annotate.models import Answer, Batch, Collection, User, Work
from annotate.models.raters import OWN_JUDGES
from annotate.suggestions.operations import calls, service_batches
from annotate.suggestions.purposes import rereading
from annotate.suggestions.purposes.backstories import Backstories
from annotate.suggestions.purposes.grades import Grades, GradesPlan, OwnGrades, ReceivedGrades
from annotate.suggestions.purposes.probe import OwnProbe, OwnProbePlan, Probe
from annotate.suggestions.purposes.purpose import BadPlan, CannotAsk, Estimate, Purpose, ServicePlan, ServicePurpose
from annotate.suggestions.purposes.rereading import Reread
from annotate.suggestions.purposes.texts import Texts
from annotate.suggestions.purposes.variants import Variants
from annotate.work import queue
from annotate.work.queue import CannotGoOn, LeaseLost, Step

OF_SERVICES: dict[str, type[Grades] | type[Probe] | type[Backstories] | type[Variants]] = {
    Batch.Purpose.GRADES: Grades,
    Batch.Purpose.PROBE: Probe,
    Batch.Purpose.BACKSTORIES: Backstories,
    Batch.Purpose.VARIANTS: Variants,
}
OF_OWN_JUDGES: dict[str, type[OwnGrades] | type[OwnProbe]] = {
    Batch.Purpose.GRADES: OwnGrades,
    Batch.Purpose.PROBE: OwnProbe,
}


def find_purpose(batch: Batch) -> Purpose[Answer]:
    """What is particular of a batch, stored or drafted."""
    if "read_from" in batch.parameters:
        return cast("Purpose[Answer]", Reread(batch))
    is_own = batch.judge in OWN_JUDGES
    is_received = not is_own and batch.prompt is None
    kinds = OF_OWN_JUDGES if is_own else OF_SERVICES
    purpose = ReceivedGrades(batch) if is_received else kinds[batch.purpose](batch)
    # Whoever is handed this hands it no rows but its own.
    return cast("Purpose[Answer]", purpose)


def estimate(*, collection: Collection, plan: ServicePlan, now: datetime) -> Estimate:
    """A dry run: no call is made. Raises CannotAsk."""
    plan.check()
    purpose = find_purpose(plan.draft(collection, now))
    assert isinstance(purpose, ServicePurpose)
    purpose.plan()
    return purpose.estimate()


@transaction.atomic
def start(*, collection: Collection, plan: ServicePlan | OwnProbePlan, by: User | None, now: datetime) -> Batch:
    """Queue a batch for what is not there yet. Raises CannotAsk."""
    plan.check()
    if isinstance(plan, ServicePlan):
        plan.check_service()
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    batch = plan.draft(collection, now)
    batch.created_by = by
    purpose = find_purpose(batch)
    purpose.plan()
    purpose.store()
    return _enqueue(purpose, by, now)


@transaction.atomic
def read_again(*, batch: Batch, answer_form: str, by: User | None, now: datetime) -> Batch:
    """Queue the reading of a batch's stored answers under another answer form, as those of a rater of its own: nothing
    is asked, paid or overwritten. Raises CannotAsk."""
    try:
        place = GradePlace.parse(answer_form)
    except PlaceRefused as reason:
        raise BadPlan(str(reason)) from None
    Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    purpose = Reread(rereading.draft(batch, place))
    purpose.batch.created_by, purpose.batch.created_at = by, now
    purpose.plan()
    purpose.store()
    return _enqueue(cast("Purpose[Answer]", purpose), by, now)


@transaction.atomic
def resume(*, batch: Batch, by: User | None, now: datetime) -> Batch:
    """Go on with a batch that was paused, or ask again about what has no grade or text. Raises CannotAsk."""
    read = Batch.objects.select_related("work", "rater", "collection")
    locked = read.select_for_update(of=("self",)).get(pk=batch.pk)
    purpose = find_purpose(locked)
    if locked.work and not locked.work.is_over:
        raise CannotAsk(f"This {purpose.noun} is under way.")
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=None, finished_at=None)
    purpose.reopen()
    return _enqueue(purpose, by, now)


PAUSE, RESUME, CANCEL = "pause", "resume", "cancel"


def change(*, batch: Batch, action: str, by: User | None, now: datetime) -> None:
    """Pause, resume or cancel it. What was paused can be cancelled too. Raises CannotAsk where there is nothing to do
    it to."""
    if action == RESUME:
        resume(batch=batch, by=by, now=now)
        return
    is_open = batch.work is not None and not batch.work.is_over
    if not is_open and not (action == CANCEL and find_purpose(batch).unfinished.exists()):
        raise CannotAsk(f"Batch {batch.pk} is not under way: there is nothing to {action}.")
    if action == PAUSE:
        pause(batch=batch)
    else:
        cancel(batch=batch, by=by, now=now)


@transaction.atomic
def pause(*, batch: Batch) -> None:
    """Stop after the calls that are under way; what came back is kept, and `resume` goes on."""
    if batch.work:
        queue.stop(work=batch.work)


@transaction.atomic
def stop(*, batch: Batch) -> None:
    """Pause work that was interrupted here, which no worker runs any more."""
    if batch.work:
        queue.release(work=batch.work)
        queue.stop(work=batch.work)


@transaction.atomic
def cancel(*, batch: Batch, by: User | None, now: datetime) -> None:
    """Stop for good: what has not been asked is marked so, and may be asked by another batch. Of what was handed in to
    the service, the answers that are there already are still fetched, since they are paid."""
    purpose = find_purpose(batch)
    purpose.lock()
    pause(batch=batch)
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=now)
    purpose.close(now)
    if purpose.rows.filter(state=Answer.State.SUBMITTED).exists():
        _enqueue(purpose, by, now)


@transaction.atomic
def take_back(*, batch: Batch) -> int:
    """Take out the texts that a batch wrote and nobody used; returns how many. The answers stay with the batch. Raises
    CannotAsk."""
    Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    locked = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("work").get(pk=batch.pk)
    if locked.work and not locked.work.is_over:
        raise CannotAsk("This batch is under way: cancel it first.")
    purpose = find_purpose(locked)
    assert isinstance(purpose, Texts)
    return purpose.take_back()


def run(work: Work) -> Iterator[Step]:
    """Ask until every row has its final state; after a crash it goes on with the rows that have none."""
    batch = Batch.objects.select_related("collection", "rater", "prompt").get(pk=work.arguments["batch"])
    purpose = find_purpose(batch)
    with suppress(LeaseLost):
        yield from _answer(purpose, work)
        _finish(purpose)


def _answer(purpose: Purpose[Answer], work: Work) -> Iterator[Step]:
    if isinstance(purpose, OwnProbe | Reread):
        yield from purpose.answer()
        return
    assert isinstance(purpose, ServicePurpose)
    batch = purpose.batch
    if sentence := providers.find_missing_setup(batch.judge):
        raise CannotGoOn(sentence)
    if not work.cursor and not batch.cancelled_at:  # of a cancelled one only what is paid is still fetched
        yield from purpose.line_up()
    if batch.is_batched:
        yield from service_batches.run(purpose, work, cancel=cancel)
    else:
        yield from calls.run(purpose, work)


@transaction.atomic
def _finish(purpose: Purpose[Answer]) -> None:
    Batch.objects.filter(pk=purpose.batch.pk).update(finished_at=timezone.now())
    purpose.finish()


def _enqueue(purpose: Purpose[Answer], by: User | None, now: datetime) -> Batch:
    batch = purpose.batch
    batch.work = queue.enqueue(
        collection=batch.collection,
        kind=purpose.work_kind,
        queue=queue.SUGGESTIONS,
        subject=purpose.subject,
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch


def estimate_comparison(*, collection: Collection, plan: GradesPlan, now: datetime) -> Estimate:
    """A dry run of the three together; the pairs are those of each. Raises CannotAsk."""
    each = [estimate(collection=collection, plan=one, now=now) for one in _split_by_need(plan)]
    costs = [one.most_cost for one in each if one.most_cost is not None]
    return replace(
        each[0],
        calls=sum(one.calls for one in each),
        most_calls=sum(one.most_calls for one in each),
        most_tokens=sum((one.most_tokens for one in each), Tokens()),
        most_cost=sum(costs, Decimal(0)) if len(costs) == len(each) else None,
    )


@transaction.atomic
def start_comparison(*, collection: Collection, plan: GradesPlan, by: User | None, now: datetime) -> list[Batch]:
    """Queue the three batches, without those whose pairs are graded already. Raises CannotAsk where none is left."""
    started, refusal = [], None
    for one in _split_by_need(plan):
        try:
            started.append(start(collection=collection, plan=one, by=by, now=now))
        except CannotAsk as reason:
            refusal = reason
    if not started and refusal:
        raise refusal
    return started


def _split_by_need(plan: GradesPlan) -> list[GradesPlan]:
    """The same pairs in each: only topics that have a backstory. Each has a third of the budget."""
    budget = None if plan.budget is None else (plan.budget / len(Against)).quantize(plan.budget, ROUND_DOWN)
    tokens = None if plan.budget_tokens is None else plan.budget_tokens // len(Against)
    asked = replace(plan, only_with_backstory=True, budget=budget, budget_tokens=tokens)
    return [replace(asked, against=against) for against in Against]
