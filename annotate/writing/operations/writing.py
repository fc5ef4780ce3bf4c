"""Asking a language model for texts: what is wanted, what it would cost at most, and the batch that is queued."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q

from annotate.backstories import queries as backstories_queries
from annotate.grades import batches
from annotate.llm import prices, providers
from annotate.llm import prompts as llm_prompts
from annotate.llm.messages import Request, Tokens
from annotate.models import (
    Backstory,
    Batch,
    Collection,
    Generation,
    Profile,
    Prompt,
    QueryVariant,
    Topic,
    User,
    VariantCheck,
)
from annotate.suggestions.operations import asking, prompts
from annotate.suggestions.operations.asking import MOST_CONCURRENT, BadWish, CannotAsk
from annotate.variants.rules import USUAL_TEMPERATURE
from annotate.work import queue
from annotate.writing.operations import stored_texts, variants, writing_backstories

WRITE = "write"
PURPOSES = batches.OF_TEXTS
WRITERS: dict[str, Any] = {
    Batch.Purpose.BACKSTORIES: writing_backstories,
    Batch.Purpose.VARIANTS: variants,
}
PROMPTS = {
    Batch.Purpose.BACKSTORIES: Prompt.Purpose.BACKSTORY,
    Batch.Purpose.VARIANTS: Prompt.Purpose.VARIANTS,
}
MOST_NUMBER, MOST_ROUNDS = 50, 10
LOWERED = "A temperature below 1 makes wordings repeat each other."
PREVIEWED = "child"
TAKEN_BACK = "taken back"
State = Generation.State


@dataclass(frozen=True)
class TextsPlan:
    """What a researcher wants to be written by whom. `scope`: backstories of MISSING topics or of EVERY one; `bound`:
    the share of the query's words above which it is asked again. `profiles` and `number` are of query variants.
    `rounds`: answers for one text at most. Where no temperature is said, backstories leave it to the service; where no
    prompt is said, it is Lacuna's."""

    service: str
    model: str
    purpose: str
    scope: str = writing_backstories.MISSING
    bound: float = backstories_queries.MOST_OVERLAP
    profiles: tuple[Profile, ...] = ()
    number: int = 3
    rounds: int = 3
    temperature: float | None = None
    concurrency: int = 8
    per_minute: int = 0
    budget: Decimal | None = None
    prompt: Prompt | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """As they are kept with the batch."""
        common = {
            "service": self.service,
            "model": self.model,
            "rounds": self.rounds,
            "temperature": self._sent_temperature,
            "concurrency": self.concurrency,
            "per_minute": self.per_minute,
        }
        if self.purpose == Batch.Purpose.BACKSTORIES:
            return {**common, "scope": self.scope, "bound": self.bound}
        return {**common, "profiles": [profile.pk for profile in self.profiles], "number": self.number}

    @property
    def _sent_temperature(self) -> float | None:
        """Newer models take none, so what is the model's own is not sent."""
        own = providers.find_provider(self.service).capabilities(self.model).own_temperature
        return None if self.temperature == own else self.temperature

    @property
    def warning(self) -> str:
        """What a researcher should know of the wish; empty where nothing speaks against it."""
        is_lowered = self.temperature is not None and self.temperature < USUAL_TEMPERATURE
        return LOWERED if is_lowered and self.purpose == Batch.Purpose.VARIANTS else ""


@dataclass(frozen=True)
class Estimate:
    """Before a cent is spent: how many `texts` are asked for, how many calls that takes at least and at most, and
    bounds on tokens and US dollars (None where the price is not known) for the most calls."""

    texts: int
    calls: int
    most_calls: int
    most_tokens: Tokens
    most_cost: Decimal | None
    prices_as_of: str


def estimate(*, collection: Collection, wish: TextsPlan, now: datetime) -> Estimate:
    """A dry run: no call is made. Raises CannotAsk."""
    _check(wish)
    batch = _batch(collection, wish, now)
    rows = _rows(batch, wish)
    writer = writer_of(batch)
    tokens = sum((_most(writer.request(row), wish.rounds) for row in rows), Tokens())
    table = providers.find_prices(wish.service, wish.model)
    price = table.find_price(wish.model)
    return Estimate(
        texts=len(rows) * (wish.number if wish.purpose == Batch.Purpose.VARIANTS else 1),
        calls=len(rows),
        most_calls=len(rows) * wish.rounds,
        most_tokens=tokens,
        most_cost=prices.compute_cost(price, tokens, is_batch=False) if price else None,
        prices_as_of=table.as_of,
    )


@transaction.atomic
def request(*, collection: Collection, wish: TextsPlan, by: User | None, now: datetime) -> Batch:
    """Queue a batch for what is not there yet. Raises CannotAsk."""
    _check(wish)
    if sentence := providers.find_provider(wish.service).missing_setup():
        raise CannotAsk(sentence)
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    batch = _batch(collection, wish, now)
    batch.pairs = len(_rows(batch, wish))
    batch.created_by = by
    batch.save()
    return _queue(batch, by, now)


@transaction.atomic
def resume(*, batch: Batch, by: User | None, now: datetime) -> Batch:
    """Go on with a batch that was paused, or ask again for what came to no text."""
    locked = Batch.objects.select_for_update(of=("self",)).select_related("work", "collection").get(pk=batch.pk)
    if locked.work and not locked.work.is_over:
        raise CannotAsk("This batch is under way.")
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=None, finished_at=None)
    open_again = Generation.objects.filter(batch=batch).exclude(state=State.DONE)
    open_again.update(state=State.QUEUED, cause="", rounds=0, attempts=0)
    return _queue(locked, by, now)


@transaction.atomic
def cancel(*, batch: Batch, by: User | None, now: datetime) -> None:
    """Stop for good: what was not asked is marked so; what was taken from the answers of an unfinished text is kept."""
    Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    asking.pause(batch=batch)
    Batch.objects.filter(pk=batch.pk).update(cancelled_at=now)
    said = Batch.objects.select_related("prompt", "collection").get(pk=batch.pk)
    stored_texts.close_all(batch=said, writer=writer_of(said), now=now)


@transaction.atomic
def take_back(*, batch: Batch) -> int:
    """Take out what a batch wrote and nobody used: its query variants, or its drafts that were not approved; returns
    how many. The answers stay with the batch. Raises CannotAsk."""
    Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    locked = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("work").get(pk=batch.pk)
    if locked.work and not locked.work.is_over:
        raise CannotAsk("This batch is under way: cancel it first.")
    if VariantCheck.objects.filter(variant__generation__batch=batch).exists():
        raise CannotAsk("People said what they think of these variants; they must stay.")
    written = QueryVariant.objects.filter(generation__batch=batch)
    drafts = Backstory.objects.filter(generation__batch=batch, state=Backstory.State.DRAFT)
    gone = Generation.objects.filter(batch=batch).filter(Q(variants__in=written) | Q(backstories__in=drafts))
    rows = list(gone.values_list("pk", flat=True).distinct())
    taken = written.count() + drafts.count()
    written.delete()
    drafts.delete()
    Generation.objects.filter(pk__in=rows).update(state=State.CANCELLED, cause=TAKEN_BACK, texts=[])
    return taken


def preview(*, collection: Collection, prompt: Prompt) -> Request | None:
    """What a prompt, stored or not, would ask of the collection's first topic, and for its variants as a child; None
    without a topic."""
    topic = Topic.objects.published().filter(collection=collection).order_by("pk").first()
    if topic is None:
        return None
    purpose = next(of for of, wanted in PROMPTS.items() if wanted == prompt.purpose)
    shown = llm_prompts.built_in_profiles()[PREVIEWED]
    profile = Profile(name=shown.name, background=shown.background, factors=shown.factors)
    wish = TextsPlan(providers.DEFAULT, "", purpose, profiles=(profile,))
    batch = Batch(collection=collection, purpose=purpose, prompt=prompt, parameters=wish.parameters)
    return writer_of(batch).request(Generation(batch=batch, topic=topic, profile=profile))


def _usual_prompt(collection: Collection, purpose: str, now: datetime) -> Prompt:
    """Lacuna's for texts of this kind."""
    name, *_ = prompts.list_built_in(PROMPTS[Batch.Purpose(purpose)])
    return prompts.use_built_in(collection=collection, name=name, now=now)


def writer_of(batch: Batch) -> stored_texts.Writer:
    writer: stored_texts.Writer = WRITERS[batch.purpose].Writer(batch)
    return writer


def rows_of(batch: Batch) -> list[Generation]:
    """Rows that a batch is to have, not stored; the same choice again after a crash."""
    rows: list[Generation] = WRITERS[batch.purpose].rows(batch)
    return rows


def _batch(collection: Collection, wish: TextsPlan, now: datetime) -> Batch:
    """Not stored."""
    return Batch(
        collection=collection,
        purpose=wish.purpose,
        judge=wish.service,
        prompt=wish.prompt or _usual_prompt(collection, wish.purpose, now),
        parameters=wish.parameters,
        budget=wish.budget,
        price=price.as_json() if (price := providers.find_price(wish.service, wish.model)) else None,
        note=wish.warning,
        created_at=now,
    )


def _rows(batch: Batch, wish: TextsPlan) -> list[Generation]:
    rows = rows_of(batch)
    if not rows:
        is_story = wish.purpose == Batch.Purpose.BACKSTORIES
        raise CannotAsk(
            "There are no topics to write for, or each has a backstory or a draft of one already."
            if is_story
            else f"There are no topics to write for, or each has {wish.number} variants of these profiles already."
        )
    return rows


def _check(wish: TextsPlan) -> None:
    refusals: Iterable[tuple[bool, str]] = [
        (not wish.model.strip(), "Name the model."),
        (not 1 <= wish.number <= MOST_NUMBER, f"Ask for 1 to {MOST_NUMBER} variants."),
        (not 1 <= wish.rounds <= MOST_ROUNDS, f"One text is asked for 1 to {MOST_ROUNDS} times."),
        (not 0 <= wish.bound <= 1, "The bound is a share from 0 to 1."),
        (
            not 1 <= wish.concurrency <= MOST_CONCURRENT,
            f"Between 1 and {MOST_CONCURRENT} calls can be under way at once.",
        ),
        (wish.per_minute < 0, "Calls a minute are counted from 0 on."),
        (
            wish.temperature is not None and not 0 <= wish.temperature <= 2,
            "A temperature is a number from 0 to 2.",
        ),
        (wish.purpose == Batch.Purpose.VARIANTS and not wish.profiles, "Choose at least one profile."),
        (
            wish.budget is not None and providers.find_price(wish.service, wish.model) is None,
            f"The price of {wish.model} is not known, so a budget cannot be kept.",
        ),
    ]
    for is_refused, sentence in refusals:
        if is_refused:
            raise BadWish(sentence)


def _most(request: Request, rounds: int) -> Tokens:
    """Of all rounds: each reads the first request and at most what the answers before it gave."""
    once = prices.bound_tokens(request)
    repeated = once.given * rounds * (rounds - 1) // 2
    return Tokens(once.fresh * rounds, once.cached * rounds, once.written * rounds + repeated, once.given * rounds)


def _queue(batch: Batch, by: User | None, now: datetime) -> Batch:
    batch.work = queue.enqueue(
        collection=batch.collection,
        kind=WRITE,
        lane=queue.SUGGESTIONS,
        subject=f"{batch.get_purpose_display()} by {batch.parameters['model']}",
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch
