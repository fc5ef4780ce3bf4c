"""Asking a language model for grades: what is wanted, what it would cost at most, and the batch that is queued."""

import heapq
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Q, QuerySet

from annotate.grades.holes import HOLE
from annotate.llm import prices, providers
from annotate.llm.grade_requests import Against
from annotate.llm.messages import Tokens
from annotate.models import Batch, Collection, Guidelines, Pair, Prompt, Rater, Suggestion, User
from annotate.own_judges import queries as own_judges_queries
from annotate.own_judges.operations import training
from annotate.rules import rater_names, seeds
from annotate.suggestions.queries import asked_pairs
from annotate.work import queue

ASK = "ask"
POOL, HOLES, JUDGED = "POOL", "HOLES", "JUDGED"
SCOPES = {
    POOL: Q(is_pooled=True),
    HOLES: HOLE,
    JUDGED: Q(is_reference_closed=True) | Q(consensus_grade__isnull=False),
}
NONE_OF = {HOLES: "nothing in the pool is a hole", JUDGED: "nothing in the pool is judged yet"}
# Beyond these nobody gains and services close the door.
MOST_SAMPLES, MOST_CONCURRENT = 50, 128


class CannotAsk(Exception):
    """Why no batch is started; the sentence that the person reads."""


class BadWish(CannotAsk):
    """It makes no sense, whatever the collection holds."""


@dataclass(frozen=True)
class GradesPlan:
    """What a researcher wants to know of whom. `scope` says of which pairs: the POOL, its HOLES, or JUDGED ones, to
    compare prompts before money is spent. `examples` are worked ones of each grade. `limit` takes a seeded share.
    `only_with_backstory` leaves topics without one out where it is graded against the query too."""

    service: str
    model: str
    prompt: Prompt
    against: Against = Against.QUERY
    scope: str = POOL
    samples: int = 1
    limit: int | None = None
    only_with_backstory: bool = False
    examples: int = 0
    examples_from: str = "ANY"
    temperature: float | None = None
    is_structured: bool = False
    is_batched: bool = False
    concurrency: int = 8
    per_minute: int = 0
    budget: Decimal | None = None

    @property
    def grading(self) -> dict[str, object]:
        """What can change a grade: batches that agree in it are one rater."""
        return {
            "service": self.service,
            "model": self.model,
            "prompt": self.prompt.digest,
            "prompt_name": str(self.prompt),
            "form": self.prompt.form,
            "is_fenced": self.prompt.is_fenced,
            "against": str(self.against),
            "examples": self.examples,
            "examples_from": self.examples_from if self.examples else "",
            "temperature": self.temperature,
            "is_structured": self.is_structured,
        }


@dataclass(frozen=True)
class Estimate:
    """Before a cent is spent. `most_cost` is a bound in US dollars, None where the price is not known.

    `without_backstory` counts pairs that are left out since their topic has none.
    """

    pairs: int
    calls: int
    most_tokens: Tokens
    most_cost: Decimal | None
    prices_as_of: str
    without_backstory: int


def estimate(*, collection: Collection, wish: GradesPlan) -> Estimate:
    """A dry run: no call is made. Raises CannotAsk."""
    check_plan(wish)
    pair_ids, left_out = _wanted(collection, wish)
    texts = asked_pairs.Texts(collection, grading_parameters(collection, wish), wish.prompt)
    tokens = Tokens()
    for suggestion in asked_pairs.imagined(pair_ids, wish.against):
        tokens += prices.bound_tokens(texts.request(suggestion))
    every = Tokens(*(wish.samples * count for count in (tokens.fresh, tokens.cached, tokens.written, tokens.given)))
    calls = len(pair_ids) * wish.samples
    return bounded(wish, pairs=len(pair_ids), calls=calls, tokens=every, without_backstory=left_out)


def check_service(name: str) -> None:
    """Raises CannotAsk where something has to be set first."""
    if sentence := providers.find_provider(name).missing_setup():
        raise CannotAsk(f"{sentence} Lacuna's own judges work without a key.")


def bounded(wish: GradesPlan, *, pairs: int, calls: int, tokens: Tokens, without_backstory: int = 0) -> Estimate:
    """So many calls with their price, which their tokens bound."""
    table = providers.find_prices(wish.service, wish.model)
    price = table.find_price(wish.model)
    return Estimate(
        pairs=pairs,
        calls=calls,
        most_tokens=tokens,
        most_cost=prices.compute_cost(price, tokens, is_batch=wish.is_batched) if price else None,
        prices_as_of=table.as_of,
        without_backstory=without_backstory,
    )


@transaction.atomic
def request(*, collection: Collection, wish: GradesPlan, by: User | None, now: datetime) -> Batch:
    """Queue a batch: pairs that its rater has graded are not asked again. Raises CannotAsk."""
    check_plan(wish)
    check_service(wish.service)
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    pair_ids, left_out = _wanted(collection, wish)
    rater = _rater(collection, wish, now)
    done = Suggestion.objects.filter(rater=rater, state=Suggestion.State.DONE, draw__lt=wish.samples)
    if len(pair_ids) * wish.samples <= done.filter(pair__in=_of(collection, wish)).count() and wish.limit is None:
        raise CannotAsk(f"{rater.name} has graded all these pairs: nothing is left to ask.")
    batch = Batch.objects.create(
        collection=collection,
        rater=rater,
        judge=wish.service,
        prompt=wish.prompt,
        parameters={
            **rater.parameters,
            "scope": wish.scope,
            "limit": wish.limit,
            "only_with_backstory": wish.only_with_backstory,
            "concurrency": wish.concurrency,
            "per_minute": wish.per_minute,
            "seed": collection.seed,
        },
        pairs=len(pair_ids),
        samples=wish.samples,
        is_batched=wish.is_batched,
        budget=wish.budget,
        price=price.as_json() if (price := providers.find_price(wish.service, wish.model)) else None,
        note=f"Pairs of topics without a backstory, left out: {left_out:,}." if left_out else "",
        created_at=now,
        created_by=by,
    )
    return _queue(batch, by, now)


@transaction.atomic
def resume(*, batch: Batch, by: User | None, now: datetime) -> Batch:
    """Go on with a batch that was paused, or that came to an end before every pair had a grade."""
    locked = (
        Batch.objects.select_for_update(of=("self",)).select_related("work", "rater", "collection").get(pk=batch.pk)
    )
    if locked.work and not locked.work.is_over:
        raise CannotAsk("This batch is under way.")
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=None, finished_at=None)
    return _queue(locked, by, now)


@transaction.atomic
def pause(*, batch: Batch) -> None:
    """Stop after the calls that are under way; what came back is kept, and `resume` goes on."""
    if batch.work:
        queue.stop(work=batch.work)


@transaction.atomic
def cancel(*, batch: Batch, by: User | None, now: datetime) -> None:
    """Stop for good: what has not been asked is marked so, and may be asked by another batch. Of what was handed in to
    the service, the answers that are there already are still fetched, since they are paid."""
    pause(batch=batch)
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=now)
    rows = Suggestion.objects.filter(batch=batch)
    rows.filter(state=Suggestion.State.QUEUED).update(state=Suggestion.State.CANCELLED, cause="cancelled")
    if rows.filter(state=Suggestion.State.SUBMITTED).exists():
        _queue(batch, by, now)


def wanted_pairs(batch: Batch) -> list[int]:
    """The pairs of a batch, as they are chosen now; the same choice again after a crash."""
    said = batch.parameters
    is_told = said["against"] != Against.QUERY or said.get("only_with_backstory", False)
    pairs = _pairs(batch.collection, said["scope"], is_told)
    return _limited(pairs, said["limit"], said["seed"])


def check_plan(wish: GradesPlan) -> None:
    """Raises BadWish for a wish that no service can be asked for."""
    if not wish.model.strip():
        raise BadWish("Name the model.")
    if not 1 <= wish.samples <= MOST_SAMPLES:
        raise BadWish(f"Ask for 1 to {MOST_SAMPLES} answers a pair.")
    if not 1 <= wish.concurrency <= MOST_CONCURRENT:
        raise BadWish(f"Between 1 and {MOST_CONCURRENT} calls can be under way at once.")
    if wish.limit is not None and wish.limit < 1:
        raise BadWish("A limit is at least one pair.")
    if wish.examples < 0 or wish.per_minute < 0:
        raise BadWish("Worked examples and calls a minute are counted from 0 on.")
    if wish.temperature is not None and not 0 <= wish.temperature <= 2:
        raise BadWish("A temperature is a number from 0 to 2.")
    if wish.budget is not None and providers.find_price(wish.service, wish.model) is None:
        raise BadWish(f"The price of {wish.model} is not known, so a budget cannot be kept; ask with --limit instead.")
    if wish.is_batched and not providers.find_provider(wish.service).has_batches:
        raise BadWish(f"The service {wish.service} has no batches of its own here; ask without them.")


def _wanted(collection: Collection, wish: GradesPlan) -> tuple[list[int], int]:
    """Ids of the pairs, and how many were left out for want of a backstory. Raises CannotAsk where none is left."""
    pairs = _of(collection, wish)
    left_out = _pairs(collection, wish.scope, False).count() - pairs.count()
    if not pairs.exists():
        raise CannotAsk(f"There are no pairs to ask about: {_why_none(collection, wish.scope, left_out)}.")
    return _limited(pairs, wish.limit, collection.seed), left_out


def _why_none(collection: Collection, scope: str, left_out: int) -> str:
    if left_out:
        return "no topic of theirs has a backstory"
    has_pool = _pairs(collection, POOL, False).exists()
    return NONE_OF[scope] if has_pool else "build the pool and import passages first"


def _of(collection: Collection, wish: GradesPlan) -> QuerySet[Pair]:
    return _pairs(collection, wish.scope, wish.against is not Against.QUERY or wish.only_with_backstory)


def _pairs(collection: Collection, scope: str, only_with_backstory: bool) -> QuerySet[Pair]:
    readable = Q(passage_text__isnull=False, is_withdrawn=False)
    pairs = Pair.objects.filter(SCOPES[scope], readable, collection=collection).order_by("pk")
    return pairs.filter(topic__in=asked_pairs.with_backstory(collection)) if only_with_backstory else pairs


def _limited(pairs: QuerySet[Pair], limit: int | None, seed: int) -> list[int]:
    """The first so many in an order that the seed fixes."""
    if limit is None:
        return list(pairs.values_list("pk", flat=True))
    named = pairs.values_list("topic__query_id", "passage_id", "pk")
    chosen = heapq.nsmallest(limit, named.iterator(), key=lambda pair: seeds.number(seed, "ask", pair[0], pair[1]))
    return sorted(pk for *_, pk in chosen)


def grading_parameters(collection: Collection, wish: GradesPlan) -> dict[str, object]:
    """What the requests of a wish are made from; the grades that worked examples come from are written down."""
    guidelines = Guidelines.objects.get(collection=collection, is_current=True)
    said = {**wish.grading, "guidelines": guidelines.version}
    if wish.examples:
        said["examples_digest"] = training.keep_grades(own_judges_queries.list_training_grades(collection))
    return said


def _rater(collection: Collection, wish: GradesPlan, now: datetime) -> Rater:
    said = grading_parameters(collection, wish)
    models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL, judge=wish.service)
    for rater in models:
        if rater.parameters == said:
            return rater
    return Rater.objects.create(
        collection=collection,
        name=_name(collection, wish),
        kind=Rater.Kind.MODEL,
        judge=wish.service,
        description=f"{wish.model} asked with {wish.prompt}, against the {wish.against.lower()}.",
        parameters=said,
        created_at=now,
    )


def _name(collection: Collection, wish: GradesPlan) -> str:
    """A name that tells model, prompt and what was graded against; numbered where it is taken."""
    stem = f"{wish.model} {wish.prompt.name}-{wish.prompt.version} {wish.against.lower()}".replace(",", " ")[:90]
    taken = set(Rater.objects.filter(collection=collection).values_list("name", flat=True))
    names = (stem if number == 1 else f"{stem} {number}" for number in range(1, len(taken) + 2))
    return rater_names.check_rater_name(next(name for name in names if name not in taken))


def _queue(batch: Batch, by: User | None, now: datetime) -> Batch:
    batch.work = queue.enqueue(
        collection=batch.collection,
        kind=ASK,
        lane=queue.SUGGESTIONS,
        subject=f"grades of {batch.rater.name}",
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch
