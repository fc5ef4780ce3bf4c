"""What every kind of batch of questions has: a plan before it, rows of answers in it, and what is particular of it.

The life of a batch, the loop over a service and the service's own batches know a purpose by these classes alone.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import ClassVar, Generic, TypedDict, TypeVar

from django.db.models import QuerySet

from annotate.llm import capabilities as llm_capabilities
from annotate.llm import providers
from annotate.llm.capabilities import EFFORTS, SAMPLING, Capabilities
from annotate.llm.messages import Reply, Request, Tokens
from annotate.llm.providers import Fault, Filtered, storable
from annotate.models import Answer, Batch, Collection, Prompt, required
from annotate.work.queue import Step

Row = TypeVar("Row", bound=Answer)
State = Answer.State
MOST_CONCURRENT = 128  # beyond it nobody gains and services close the door
CANCELLED = "cancelled"
LINED_UP = "lined up"  # the cursor of the work once every row is there
SLICE = 200
MOST_IN_CAUSE, MOST_IN_STOP, MOST_IN_ID = 60, 40, 100


PARAMETERS = tuple(name for name in SAMPLING if name != "temperature")


class CannotAsk(Exception):
    """Why no batch is started or taken up; the sentence that the person reads."""


class BadPlan(CannotAsk):
    """It makes no sense, whatever the collection holds."""


def parse_sampling(text: str) -> dict[str, float]:
    """Parameters of sampling out of `name=number` with white space or commas between them. Raises BadPlan.

    >>> parse_sampling("top_p=0.9 seed=7")
    {'top_p': 0.9, 'seed': 7}
    """
    found: dict[str, float] = {}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        if name in found:
            raise BadPlan(f"{name} is there twice.")
        try:
            found[name] = int(value) if re.fullmatch(r"-?[0-9]{1,18}", value) else float(value)
        except ValueError:
            raise BadPlan(f'"{part[:40]}" is no parameter with its number; write top_p=0.9, for instance.') from None
    return found


class ServiceFields(TypedDict):
    """The fields that every plan for a service has."""

    service: str
    model: str
    prompt: Prompt
    temperature: float | None
    effort: str
    sampling: Mapping[str, float]
    most_tokens: int
    timeout: int
    is_batched: bool
    concurrency: int
    per_minute: int
    budget: Decimal | None
    budget_tokens: int | None


@dataclass(frozen=True, kw_only=True)
class ServicePlan(ABC):
    """What is the same of all that a service can be asked for: which model, with which prompt, how fast, for how much.

    Where no temperature is named, it is the service's own. `most_tokens` are those of the answer, `timeout` the seconds
    that a call may take; 0 for the usual. An empty `effort` is the least that the model has. `sampling`: parameters
    that are sent beside the temperature (top_p, frequency_penalty, seed ...).
    """

    service: str
    model: str
    prompt: Prompt
    temperature: float | None = None
    effort: str = ""
    sampling: Mapping[str, float] = field(default_factory=dict)
    most_tokens: int = 0
    timeout: int = 0
    is_batched: bool = False
    concurrency: int = 8
    per_minute: int = 0
    budget: Decimal | None = None
    budget_tokens: int | None = None

    purpose: ClassVar[Batch.Purpose]
    without_key: ClassVar[str] = ""

    @abstractmethod
    def parameters(self, collection: Collection) -> dict[str, object]:
        """As they are kept with the batch."""

    @property
    def pace(self) -> dict[str, object]:
        timeout = {"timeout": self.timeout} if self.timeout else {}
        return {"concurrency": self.concurrency, "per_minute": self.per_minute, **timeout}

    def check(self) -> None:
        """Raises BadPlan."""
        if not self.model.strip():
            raise BadPlan("Name the model.")
        if not 1 <= self.concurrency <= MOST_CONCURRENT:
            raise BadPlan(f"Between 1 and {MOST_CONCURRENT} calls can be under way at once.")
        if self.per_minute < 0:
            raise BadPlan("Calls a minute are counted from 0 on.")
        if self.effort and self.effort not in EFFORTS:
            raise BadPlan(f"Reasoning effort is one of {', '.join(EFFORTS)}.")
        if self.most_tokens < 0 or self.timeout < 0:
            raise BadPlan("The limit of tokens and the time limit are counted from 0 on; 0 is the usual one.")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise BadPlan("A temperature is a number from 0 to 2.")
        for name, value in self.sampling.items():
            if name not in PARAMETERS:
                raise BadPlan(f"{name} is no sampling parameter that can be sent; there are {', '.join(PARAMETERS)}.")
            if not math.isfinite(value):
                raise BadPlan(f"{name} is a number.")
        if sentence := providers.explain_absence(self.service):
            raise BadPlan(sentence)
        if self.budget is not None and providers.find_price(self.service, self.model) is None:
            raise BadPlan(
                f"The price of {self.model} is not known, so a budget cannot be kept in US dollars: give one in tokens."
            )
        if self.budget_tokens is not None and self.budget_tokens < 1:
            raise BadPlan("A budget in tokens is counted from 1 on.")
        if self.is_batched and not providers.find_provider(self.service).has_batches:
            raise BadPlan(f"The service {self.service} has no batches of its own here; ask without them.")

    def check_service(self) -> None:
        """Raises CannotAsk where something has to be set before it can be asked."""
        if sentence := providers.find_missing_setup(self.service):
            raise CannotAsk(f"{sentence} {self.without_key}".strip())

    def draft(self, collection: Collection, now: datetime) -> Batch:
        """The batch, not stored."""
        price = providers.find_price(self.service, self.model)
        return Batch(
            collection=collection,
            purpose=self.purpose,
            judge=self.service,
            prompt=self.prompt,
            parameters=self.parameters(collection),
            is_batched=self.is_batched,
            budget=self.budget,
            budget_tokens=self.budget_tokens,
            price=price.as_json() if price else None,
            created_at=now,
        )


@dataclass(frozen=True)
class Estimate:
    """Before a cent is spent: how many `items` (pairs or texts) in how many calls at least and at most, with bounds on
    tokens and US dollars (None where the price is not known) for the most calls.

    `without_backstory` counts pairs that are left out since their topic has none.
    """

    items: int
    calls: int
    most_calls: int
    most_tokens: Tokens
    most_cost: Decimal | None
    prices_as_of: str
    without_backstory: int = 0


class Purpose(ABC, Generic[Row]):
    """What is particular of one batch, stored or drafted. Of a judge of ours it is all; see ServicePurpose."""

    work_kind: ClassVar[str]
    noun: ClassVar[str] = "batch"

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    @property
    @abstractmethod
    def rows(self) -> QuerySet[Row]:
        """The answers of the batch, those that are waited for among them."""

    @property
    @abstractmethod
    def subject(self) -> str:
        """What its work is about."""

    @property
    @abstractmethod
    def started(self) -> str:
        """The sentence for who started it."""

    def plan(self) -> None:
        """Note on the batch how much it asks for. Raises CannotAsk where that is nothing."""

    def store(self) -> None:
        """Store the batch as it is planned, with its rows where they are few. Raises CannotAsk."""
        self.batch.save()

    def lock(self) -> None:
        """Inside a transaction: hold what has to be held before the batch and its work are."""

    def reopen(self) -> None:
        """Let rows wait again that came to no grade or text."""

    def close(self, now: datetime) -> None:
        """Nothing more is asked for rows that wait."""
        self.rows.filter(state=State.QUEUED).update(state=State.CANCELLED, cause=CANCELLED)

    def finish(self) -> None:
        """What follows once every row has its final state, in the transaction that ends the batch."""

    @property
    def unfinished(self) -> QuerySet[Row]:
        """The rows that have no final state yet."""
        return self.rows.filter(state__in=[State.QUEUED, State.SUBMITTED])

    def progress(self) -> tuple[int, int]:
        """Rows that have their final state, and all."""
        total = self.rows.count()
        return total - self.unfinished.count(), total

    def findings(self, now: datetime) -> dict[str, object]:
        """What the page of the batch shows of its answers."""
        return {}


class ServicePurpose(Purpose[Row]):
    """A purpose whose rows are asked of a service, one message after the other."""

    related: ClassVar[tuple[str, ...]] = ()
    """What a message needs to read beside its row."""
    columns: ClassVar[tuple[str, ...]] = ()
    """What an answer can change of its row."""

    @property
    def prompt(self) -> Prompt:
        return required(self.batch.prompt)

    @abstractmethod
    def planned(self) -> Iterator[Row]:
        """Rows that are not stored, one for each message of a dry run."""

    @abstractmethod
    def message(self, row: Row) -> Request:
        """What the model is asked next for a row."""

    @abstractmethod
    def take(self, row: Row, reply: Reply, now: datetime) -> None:
        """Note an answer on its row: its final state, or QUEUED where it has to be asked again."""

    @abstractmethod
    def fail(self, row: Row, fault: Fault, now: datetime) -> None:
        """Note on its row that no answer comes."""

    @property
    def items(self) -> int:
        """Pairs or texts that are asked for, once it is planned."""
        return self.batch.pairs

    @property
    def calls_each(self) -> tuple[int, int]:
        """Calls for one planned row, at least and at most."""
        return 1, 1

    @property
    def capabilities(self) -> Capabilities:
        """What the model takes, as far as this batch knows by now."""
        known = providers.find_provider(self.batch.judge).capabilities(self.batch.parameters["model"])
        return known.restored(self.batch.capabilities)

    def most_tokens(self, row: Row) -> Tokens:
        """A bound on what all the calls for one planned row can use."""
        return llm_capabilities.bound_tokens(self.message(row), self.capabilities)

    def count_failures(self, row: Row) -> int:
        """Attempts at a row that came to no answer."""
        return row.attempts

    def estimate(self) -> Estimate:
        """A dry run of what is planned: no call is made."""
        least, most = self.calls_each
        price = llm_capabilities.Price.from_json(self.batch.price) if self.batch.price else None
        tokens, cost, rows, is_batch = Tokens(), Decimal(0), 0, self.batch.is_batched
        for row in self.planned():
            of_row = self.most_tokens(row)
            tokens += of_row
            rows += 1
            if price:
                cost += llm_capabilities.bound_cost(price, of_row, calls=most, is_batch=is_batch)
        return Estimate(
            items=self.items,
            calls=rows * least,
            most_calls=rows * most,
            most_tokens=tokens,
            most_cost=cost if price else None,
            prices_as_of=providers.find_prices(self.batch.judge, self.batch.parameters["model"]).as_of,
        )

    def line_up(self) -> Iterator[Step]:
        """Make sure that there is a row for all that is asked for; the last step says so by its cursor."""
        yield from ()

    def open_rows(self, state: str = State.QUEUED, *, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """The rows in a state, with all that their messages need, in the order of their ids: those after one id, and
        before another."""
        rows = self.rows.filter(state=state).order_by("pk").select_related(*self.related)
        if until is not None:
            rows = rows.filter(pk__lt=until)
        last = after
        while found := list(rows.filter(pk__gt=last)[:SLICE]):
            last = found[-1].pk
            yield from found

    def begin_storing(self, rows: Sequence[Row]) -> None:
        """In the transaction that stores answers to these rows, before any of them is noted."""


def note_reply(row: Answer, reply: Reply, tokens: Tokens, milliseconds: int) -> None:
    """What is kept of every answer, whatever it says."""
    row.stop_reason = storable(reply.stop_reason)[:MOST_IN_STOP]
    row.request_id = storable(reply.request_id)[:MOST_IN_ID]
    row.tokens = [tokens.fresh, tokens.cached, tokens.written, tokens.given, tokens.thought]
    row.model_version = storable(reply.model)[:MOST_IN_ID]
    row.milliseconds = milliseconds


def name_fault(fault: Fault) -> tuple[State, str]:
    """The state of a row that no answer comes for, and its cause."""
    state = State.FILTERED if isinstance(fault, Filtered) else State.FAILED
    return state, storable(fault.cause)[:MOST_IN_CAUSE]
