"""The families of models that `make test-live` asks, and what it says at its end: what each cost, and what was not
checked."""

import json
import os
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

from annotate.llm import capabilities, endpoints, providers
from annotate.llm.messages import Tokens

IS_LIVE = bool(os.environ.get("LACUNA_LIVE"))
LOCAL = "local-server"
LOCAL_URL, LOCAL_MODEL = "LACUNA_LIVE_LOCAL_URL", "LACUNA_LIVE_LOCAL_MODEL"
# Of each family the service that is asked for it.
FAMILIES = {
    "claude-haiku-4-5": "anthropic",
    "claude-haiku-5-5": "anthropic",
    "claude-sonnet-5-5": "anthropic",
    "claude-opus-5-5": "anthropic",
    "claude-fable-5-2": "anthropic",
    "gpt-4o": "openai",
    "gpt-5": "openai",
    "local-think": LOCAL,
}
_spent: dict[str, list[Tokens]] = defaultdict(list)


def name_local(folder: Path, address: str) -> None:
    """Let an endpoint of the installation name the local server."""
    said = {LOCAL: {"kind": "openai", "base_url": address, "timeout": 600}}
    (folder / "endpoints.json").write_text(json.dumps(said))
    endpoints.FOLDER = folder


def find_model(family: str) -> str:
    return os.environ[LOCAL_MODEL] if family == "local-think" else family


def find_missing(family: str) -> str:
    """What has to be set before the real model can be asked; empty where nothing is missing."""
    if FAMILIES[family] == LOCAL:
        unset = [name for name in (LOCAL_URL, LOCAL_MODEL) if not os.environ.get(name)]
        return f"Set {' and '.join(unset)} to ask a local server." if unset else ""
    return providers.find_provider(FAMILIES[family]).missing_setup()


def count(family: str, tokens: Tokens) -> None:
    """What one answer of a real model used."""
    _spent[family].append(tokens)


def report() -> list[str]:
    """A line for each family, and what all cost together."""
    lines, total = [], Decimal(0)
    for family, service in FAMILIES.items():
        if sentence := find_missing(family):
            lines.append(f"{family}: not checked. {sentence}")
            continue
        used = sum(_spent[family], Tokens())
        price = None if service == LOCAL else providers.find_price(service, family)
        cost = capabilities.compute_cost(price, used, is_batch=False) if price else None
        total += cost or 0
        spent = "at a price that is not known" if cost is None else f"${cost:.6f}"
        read = used.total - used.given
        lines.append(f"{family}: {len(_spent[family])} answers, {read:,} tokens read, {used.given:,} written, {spent}")
    return [*lines, f"All together: ${total:.6f}"]
