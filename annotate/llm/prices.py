"""What calls cost, from a dated table beside this file. A model that is not in it has tokens and no price."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

from annotate.llm.messages import Request, Tokens

_TABLE = Path(__file__).with_name("prices.json")
_SNAPSHOT = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")
_MILLION = Decimal(1_000_000)


class Price(NamedTuple):
    """US dollars for a million tokens of each kind, one call at a time; `batch_share` of it in a service's batch."""

    fresh: Decimal
    cached: Decimal
    written: Decimal
    given: Decimal
    batch_share: Decimal

    def written_down(self) -> dict[str, str]:
        """As JSON keeps it exactly; `read` reads it."""
        return {name: str(value) for name, value in self._asdict().items()}

    @classmethod
    def read(cls, kept: Mapping[str, str]) -> "Price":
        return cls(**{name: Decimal(value) for name, value in kept.items()})


def find_price(model: str) -> Price | None:
    """The price of a model, or of the alias behind a dated snapshot of it; None where the table does not know it.

    >>> find_price("claude-haiku-4-5-20251001") == find_price("claude-haiku-4-5")
    True
    """
    table = _read_table()
    row = table["models"].get(model) or table["models"].get(_SNAPSHOT.sub("", model))
    if row is None:
        return None
    kinds = {kind: Decimal(row[kind]) for kind in ("fresh", "cached", "written", "given")}
    return Price(**kinds, batch_share=Decimal(str(table["batch_share"])))


def price_date() -> str:
    """The day on which the table was written, as YYYY-MM-DD."""
    return str(_read_table()["as_of"])


def compute_cost(price: Price, tokens: Tokens, *, is_batch: bool) -> Decimal:
    """US dollars for tokens as the service counted them.

    >>> compute_cost(find_price("gpt-4o"), Tokens(fresh=1_000_000), is_batch=False)
    Decimal('2.50')
    """
    full = (
        price.fresh * tokens.fresh
        + price.cached * tokens.cached
        + price.written * tokens.written
        + price.given * tokens.given
    ) / _MILLION
    return full * (price.batch_share if is_batch else 1)


def bound_tokens(request: Request) -> Tokens:
    """A bound on what a request can use, without asking the service: a token for every two bytes of text, all of it
    written into a cache (the dearest way), and as long an answer as is allowed.

    Services cut English into tokens of some four bytes and other scripts finer; two bytes a token stays above both in
    all but odd texts. It is a bound for a budget, not a forecast.
    """
    size = len(request.fixed.encode()) + len(request.text.encode())
    return Tokens(written=size // 2 + 50, given=request.most_tokens)


@cache
def _read_table() -> dict[str, dict[str, dict[str, str]]]:
    table: dict[str, dict[str, dict[str, str]]] = json.loads(_TABLE.read_text("utf-8"))
    return table
