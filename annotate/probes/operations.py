"""Testing how a judge is fooled: passages of other topics in several disguises, which it is asked to grade.

Nothing of it enters suggestions, completed qrels or exports: the answers are rows of their own.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.grades import model_raters
from annotate.llm import prices, providers
from annotate.llm.grade_requests import Against
from annotate.llm.messages import Tokens
from annotate.models import Backstory, Batch, Collection, Passage, ProbeAnswer, Rater, Topic, User, Work
from annotate.own_judges import queries as own_judges_queries
from annotate.own_judges.operations import predictions, training
from annotate.probes import queries
from annotate.rules import drawing
from annotate.rules.perturbations import Perturbation
from annotate.rules.rater_names import LEARNED, OWN_JUDGES
from annotate.suggestions.operations import asking, calls, storing_answers
from annotate.suggestions.operations.asking import Estimate, GradesPlan
from annotate.suggestions.queries import asked_pairs
from annotate.work import queue
from annotate.work.kinds import CannotGoOn, Step

PROBE = "probe"
MOST_PAIRS = 200
State = ProbeAnswer.State


class CannotProbe(asking.CannotAsk):
    """Why no probe is started; the sentence that the person reads."""


class BadDraw(CannotProbe, asking.BadWish):
    """No collection has such a draw."""


@dataclass(frozen=True)
class Draw:
    """How many pairs, by which seed."""

    pairs: int = 50
    seed: int = 1


def estimate(*, collection: Collection, wish: GradesPlan, draw: Draw) -> Estimate:
    """A dry run of a probe of a service's model: no call is made. Raises CannotProbe and asking.CannotAsk."""
    batch = _of_service(collection, wish, draw)
    rows = _rows(batch, draw)
    request = queries.request_maker(batch)
    tokens = sum((prices.bound_tokens(request(row)) for row in rows), Tokens())
    return asking.bounded(wish, pairs=len(rows) // len(Perturbation), calls=len(rows), tokens=tokens)


@transaction.atomic
def request(*, collection: Collection, wish: GradesPlan, draw: Draw, by: User | None, now: datetime) -> Batch:
    """Queue a probe of a service's model. Raises CannotProbe and asking.CannotAsk."""
    batch = _of_service(collection, wish, draw)
    asking.check_service(wish.service)
    batch.budget = wish.budget
    batch.price = price.as_json() if (price := providers.find_price(wish.service, wish.model)) else None
    return _queue(batch, draw, by, now)


@transaction.atomic
def request_own(*, collection: Collection, judge: str, draw: Draw, by: User | None, now: datetime) -> Batch:
    """Queue a probe of one of Lacuna's own judges: a version by its name, or `learned`, which learns from the grades of
    this moment. Raises CannotProbe."""
    if judge == LEARNED:
        kind, digest = LEARNED, _material(collection)
    else:
        version = _version(collection, judge)
        kind, digest = version.judge, version.parameters["learned_from"]
    parameters = {"model": judge, "learned_from": digest, "pairs": draw.pairs, "seed": draw.seed}
    return _queue(_batch(collection, kind, parameters), draw, by, now)


def run(work: Work) -> Iterator[Step]:
    """Ask until every row has its final state; after a crash it goes on with the rows that have none."""
    batch = Batch.objects.select_related("collection", "prompt").get(pk=work.arguments["batch"])
    if batch.judge in OWN_JUDGES:
        yield from _read_by_own(batch)
        _finish(batch)
    else:
        if sentence := providers.find_provider(batch.judge).missing_setup():
            raise CannotGoOn(sentence)
        with suppress(storing_answers.LeaseLost):
            yield from calls.make(
                batch,
                queries.list_open_rows(batch),
                request=queries.request_maker(batch),
                store=lambda came: storing_answers.store(batch=batch, work=work, came=came, now=timezone.now()),
                progress=progress(batch),
            )
            _finish(batch)


def progress(batch: Batch) -> tuple[int, int]:
    """Rows that have their final state, and all."""
    rows = ProbeAnswer.objects.filter(batch=batch)
    total = rows.count()
    return total - rows.filter(state=State.QUEUED).count(), total


def _finish(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(finished_at=timezone.now())


def _of_service(collection: Collection, wish: GradesPlan, draw: Draw) -> Batch:
    if wish.is_batched:
        raise CannotProbe("A probe is a few hundred calls: ask without the service's own batches.")
    asking.check_plan(wish)
    parameters = {
        **asking.grading_parameters(collection, replace(wish, samples=1)),
        "concurrency": wish.concurrency,
        "per_minute": wish.per_minute,
        "pairs": draw.pairs,
        "seed": draw.seed,
    }
    batch = _batch(collection, wish.service, parameters)
    batch.prompt = wish.prompt
    return batch


def _batch(collection: Collection, judge: str, parameters: dict[str, object]) -> Batch:
    return Batch(collection=collection, purpose=Batch.Purpose.PROBE, judge=judge, parameters=parameters)


def _material(collection: Collection) -> str:
    material = own_judges_queries.gather_material(collection)
    if not material.grades:
        raise CannotProbe("There are no grades to learn from: import qrels, or judge some pairs.")
    return training.keep_material(material)


def _version(collection: Collection, name: str) -> Rater:
    version = model_raters.list_versions(collection).filter(name=name).first()
    if version is None:
        known = ", ".join(model_raters.list_versions(collection).values_list("name", flat=True)[:20]) or "none yet"
        raise CannotProbe(f"There is no version {name} of Lacuna's own judges. There are: {known}.")
    return version


def _rows(batch: Batch, draw: Draw) -> list[ProbeAnswer]:
    """Each pair in each disguise, not stored. Raises CannotProbe."""
    if not 1 <= draw.pairs <= MOST_PAIRS:
        raise BadDraw(f"Between 1 and {MOST_PAIRS} pairs are probed.")
    try:
        drawing.check_seed(draw.seed)
    except drawing.BadValue as reason:
        raise BadDraw(str(reason)) from None
    stories = _backstories(batch)
    pairs = queries.draw_pairs(batch.collection, draw.pairs, draw.seed, None if stories is None else set(stories))
    if not pairs:
        raise CannotProbe(_nothing(stories))
    return [_row(batch, pair, disguise, (stories or {}).get(pair[0].pk)) for pair in pairs for disguise in Perturbation]


def _row(batch: Batch, pair: tuple[Topic, Passage], disguise: Perturbation, backstory: Backstory | None) -> ProbeAnswer:
    topic, passage = pair
    return ProbeAnswer(batch=batch, topic=topic, passage=passage, backstory=backstory, disguise=disguise.value)


def _backstories(batch: Batch) -> dict[int, Backstory] | None:
    """By topic, where it is graded against them."""
    if batch.parameters.get("against", Against.QUERY) == Against.QUERY:
        return None
    rows = Backstory.objects.filter(topic__in=asked_pairs.with_backstory(batch.collection), is_current=True)
    return {row.topic_id: row for row in rows}


def _nothing(stories: dict[int, Backstory] | None) -> str:
    if stories == {}:
        return "No topic has a backstory that is in use: approve some, or probe against the query."
    return (
        "There are no passages of other topics: a probe needs passages with a text that were pooled or graded for one "
        "topic and not for another."
    )


def _queue(batch: Batch, draw: Draw, by: User | None, now: datetime) -> Batch:
    rows = _rows(batch, draw)
    batch.pairs, batch.created_by, batch.created_at = len(rows) // len(Perturbation), by, now
    batch.save()
    for row in rows:
        row.created_at = now
    ProbeAnswer.objects.bulk_create(rows)
    return _start(batch, by, now)


@transaction.atomic
def resume(*, batch: Batch, by: User | None, now: datetime) -> Batch:
    """Go on with a probe that was paused, or ask again about what has no grade. Raises CannotProbe."""
    locked = Batch.objects.select_for_update(of=("self",)).select_related("work", "collection").get(pk=batch.pk)
    if locked.work and not locked.work.is_over:
        raise CannotProbe("This probe is under way.")
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=None, finished_at=None)
    open_again = ProbeAnswer.objects.filter(batch=batch).exclude(state=State.DONE)
    open_again.update(state=State.QUEUED, cause="", answer="", reason="", attempts=0)
    return _start(locked, by, now)


@transaction.atomic
def cancel(*, batch: Batch, by: User | None, now: datetime) -> None:
    """Stop for good; what was answered is kept."""
    if batch.work:
        queue.stop(work=batch.work)
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=now)
    rows = ProbeAnswer.objects.filter(batch=batch, state=State.QUEUED)
    rows.update(state=State.CANCELLED, cause="cancelled")


def _start(batch: Batch, by: User | None, now: datetime) -> Batch:
    batch.work = queue.enqueue(
        collection=batch.collection,
        kind=PROBE,
        lane=queue.SUGGESTIONS,
        subject=f"probe of {batch.parameters['model']}",
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch


def _read_by_own(batch: Batch) -> Iterator[Step]:
    """All rows at once: training takes longer than reading a few hundred passages."""
    from annotate.own_judges.operations import training_set  # scikit-learn costs a second to import

    rows = list(queries.list_open_rows(batch))
    total = progress(batch)[1]
    yield Step(total - len(rows), total, note="reading texts and grades")
    highest, seed = batch.collection.scale.high, batch.parameters["seed"]
    names = {row.pk: f"probe {row.pk}" for row in rows}  # no id of a passage has white space
    texts = {names[row.pk]: queries.perturbed_passage(row, highest=highest, seed=seed) for row in rows}
    pairs = {row.pk: (row.topic.query_id, names[row.pk]) for row in rows}
    try:
        judge = training_set.train_judge(batch.collection, batch.parameters["learned_from"], pairs.values(), texts)
        readable = [row for row in rows if judge.has_read(*pairs[row.pk])]
        yield Step(total - len(rows), total, note="trained; now reading the passages")
        said = judge.predict([pairs[row.pk] for row in readable])
    except ValueError as reason:  # too few grades, or text has too little to learn from
        raise CannotGoOn(str(reason)) from None
    for row, one in zip(readable, said, strict=True):
        row.state, row.grade, row.reason = State.DONE, one.grade, one.reason
        row.probabilities = [round(chance, predictions.DECIMALS) for chance in one.probabilities]
    for row in rows:
        if row.state != State.DONE:  # its topic came after the judge's version
            row.state, row.cause = State.FAILED, "topic unknown to this version"
    ProbeAnswer.objects.bulk_update(rows, ["state", "grade", "reason", "probabilities", "cause"], batch_size=200)
    yield Step(total, total)
