"""What a batch has spent, may have spent and may still spend on the calls that are under way.

A call that ended without an answer may have been answered all the same, and services bill what they answered. So each
call is held at its bound from before it is sent until its answer is stored; one without an answer stays counted at its
bound, as possibly billed. What is held is stored with the batch: whoever goes on after a killed worker counts it too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import F

from annotate.grades import batches
from annotate.llm import capabilities as llm_capabilities
from annotate.llm.capabilities import Capabilities, Price
from annotate.llm.messages import Reply, Request, Tokens
from annotate.llm.providers import Fault
from annotate.models import Batch, Work


@dataclass(frozen=True)
class Bound:
    """So many calls and the most tokens that they can use."""

    calls: int = 0
    tokens: Tokens = Tokens()  # noqa: RUF009 - frozen

    def __add__(self, other: "Bound") -> "Bound":
        return Bound(self.calls + other.calls, self.tokens + other.tokens)


class Budget:
    """Nothing is asked that could pass the budgets of the batch, in US dollars and in tokens, whatever the answers turn
    out to be. One worker holds a batch, so it is read once and counted on here."""

    def __init__(self, batch: Batch) -> None:
        self._price = Price.from_json(batch.price) if batch.price else None
        self._is_batched, self._dollars, self._tokens = batch.is_batched, batch.budget, batch.budget_tokens
        stored = Batch.objects.get(pk=batch.pk)
        lost = batches.possibly_billed(stored)
        self._spent = (batches.batch_cost(stored) or Decimal(0)) + (lost.cost or Decimal(0))
        self._used = batches.count_tokens(stored).total + lost.tokens.total
        self._held: dict[int, Tokens] = {}
        self._held_cost, self._held_tokens = Decimal(0), 0
        self.is_empty = False

    @property
    def held(self) -> Bound:
        """What is under way."""
        return Bound(len(self._held), sum(self._held.values(), Tokens()))

    def may_pay(self, name: int, request: Request, capabilities: Capabilities) -> bool:
        """Whether the request can be asked; if so, its bound is held under its name."""
        tokens = llm_capabilities.bound_tokens(request, capabilities)
        cost, used = self._spent + self._held_cost, self._used + self._held_tokens
        is_costly = self._dollars is not None and cost + self._cost(tokens) > self._dollars
        if is_costly or (self._tokens is not None and used + tokens.total > self._tokens):
            self.is_empty = True
            return False
        self._hold(name, tokens)
        return True

    def hold(self, name: int, request: Request, capabilities: Capabilities) -> None:
        """Hold the bound of a request that is with the service already."""
        self._hold(name, llm_capabilities.bound_tokens(request, capabilities))

    def _hold(self, name: int, tokens: Tokens) -> None:
        self._held[name] = tokens
        self._held_cost, self._held_tokens = self._held_cost + self._cost(tokens), self._held_tokens + tokens.total

    def settle(self, name: int, outcome: Reply | Fault) -> Bound:
        """A call is over: what it cost is spent. Of one that may be billed without an answer, the bound; else
        nothing."""
        tokens = self._held.pop(name, Tokens())
        self._held_cost, self._held_tokens = self._held_cost - self._cost(tokens), self._held_tokens - tokens.total
        is_lost = not isinstance(outcome, Reply) and outcome.may_be_billed
        if isinstance(outcome, Reply) or is_lost:
            spent = outcome.tokens if isinstance(outcome, Reply) else tokens
            self._spent, self._used = self._spent + self._cost(spent), self._used + spent.total
        return Bound(1, tokens) if is_lost else Bound()

    def _cost(self, tokens: Tokens) -> Decimal:
        if self._price is None:
            return Decimal(0)
        return llm_capabilities.bound_cost(self._price, tokens, is_batch=self._is_batched)


def changes(batch: Batch, used: Sequence[Tokens], lost: Bound, held: Bound | None = None) -> dict[str, object]:
    """The columns of the batch after answers with these tokens came, and these calls were lost; `held`: what is under
    way then, None where that stays."""
    tokens = sum(used, Tokens())
    moved: dict[str, int | Decimal] = {
        "calls": len(used),
        "tokens_fresh": tokens.fresh,
        "tokens_cached": tokens.cached,
        "tokens_written": tokens.written,
        "tokens_given": tokens.given,
        "tokens_thought": tokens.thought,
        "lost_calls": lost.calls,
        "lost_read": _read(lost.tokens),
        "lost_given": lost.tokens.given,
        "surcharge": batches.sum_surcharges(batch, used),
    }
    counted: dict[str, object] = {name: F(name) + number for name, number in moved.items() if number}
    if held is not None:
        counted |= {"held_calls": held.calls, "held_read": _read(held.tokens), "held_given": held.tokens.given}
    return counted


def _read(tokens: Tokens) -> int:
    return tokens.fresh + tokens.cached + tokens.written


@transaction.atomic
def count_what_is_held(batch: Batch, work: Work) -> None:
    """What is held by nobody any more is possibly billed: after a worker was killed, or left calls behind."""
    if not Work.objects.select_for_update().filter(pk=work.pk, token=work.token).exists():
        return  # another goes on with it, and counts it
    held = {name: F(f"lost_{name}") + F(f"held_{name}") for name in ("calls", "read", "given")}
    columns = {f"lost_{name}": moved for name, moved in held.items()}
    Batch.objects.filter(pk=batch.pk).exclude(held_calls=0).update(**columns, held_calls=0, held_read=0, held_given=0)
