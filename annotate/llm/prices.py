"""What calls cost, from the dated table of a provider. A model that is not in it has tokens and no price."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from annotate.llm.capabilities import Capabilities, plan_call
from annotate.llm.messages import Request, Tokens

_SNAPSHOT = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")
_MILLION = Decimal(1_000_000)


class Price(NamedTuple):
    """US dollars for a million tokens of each kind, one call at a time; `batch_share` of it in a service's batch."""

    fresh: Decimal
    cached: Decimal
    written: Decimal
    given: Decimal
    batch_share: Decimal

    def as_json(self) -> dict[str, str]:
        """As JSON keeps it exactly; `from_json` reads it."""
        return {name: str(value) for name, value in self._asdict().items()}

    @classmethod
    def from_json(cls, kept: Mapping[str, str]) -> "Price":
        return cls(**{name: Decimal(value) for name, value in kept.items()})


@dataclass(frozen=True)
class PriceTable:
    """What the models of a provider cost, as of a day (YYYY-MM-DD). `dollars`: of each model its prices for a million
    tokens that are fresh, cached, written and given."""

    as_of: str
    dollars: Mapping[str, tuple[str, str, str, str]]
    batch_share: str = "1"

    def find_price(self, model: str) -> Price | None:
        """The price of a model, or of the alias behind a dated snapshot of it; None where the table lacks both.

        >>> PriceTable("2026-11-30", {"m-1": ("2", "1", "2", "8")}).find_price("m-1-20251001").given
        Decimal('8')
        """
        row = self.dollars.get(model) or self.dollars.get(_SNAPSHOT.sub("", model))
        return Price(*map(Decimal, (*row, self.batch_share))) if row else None


def compute_cost(price: Price, tokens: Tokens, *, is_batch: bool) -> Decimal:
    """US dollars for tokens as the service counted them.

    >>> price = Price(*map(Decimal, ("2.50", "1.25", "2.50", "10", "0.5")))
    >>> compute_cost(price, Tokens(fresh=1_000_000), is_batch=False)
    Decimal('2.50')
    """
    full = (
        price.fresh * tokens.fresh
        + price.cached * tokens.cached
        + price.written * tokens.written
        + price.given * tokens.given
    ) / _MILLION
    return full * (price.batch_share if is_batch else 1)


def bound_tokens(request: Request, capabilities: Capabilities = Capabilities()) -> Tokens:  # noqa: B008 - frozen
    """A bound on what a request can use, put as a model of these capabilities takes it, without asking the service: a
    token for every two bytes of text, all of it written into a cache (the dearest way), and as long an answer, with the
    thinking before it, as is allowed.

    Services cut English into tokens of some four bytes and other scripts finer; two bytes a token stays above both in
    all but odd texts. It is a bound for a budget, not a forecast.
    """
    size = len(request.fixed.encode()) + len(request.text.encode())
    return Tokens(written=size // 2 + 50, given=plan_call(request, capabilities).most_tokens)
