"""The providers of language models: every file of this folder that has a `PROVIDER` is one, and is found by itself.

Pages and commands offer what is listed here, so adding a provider is adding its file. An SDK costs a second to import:
the files import theirs where a client is opened.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from annotate.llm.capabilities import Price, PriceTable
from annotate.llm.provider import Provider

DEFAULT = "anthropic"


@cache
def installed() -> Mapping[str, Provider]:
    """All providers by name, in the order of the names."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    providers: list[Provider] = [module.PROVIDER for module in modules if hasattr(module, "PROVIDER")]
    return {provider.name: provider for provider in sorted(providers, key=lambda provider: provider.name)}


def find_provider(name: str) -> Provider:
    """Raises KeyError for a name that no provider has."""
    return installed()[name]


def list_names() -> list[str]:
    return list(installed())


def list_choices() -> list[tuple[str, str]]:
    """Name and label of each, for a form."""
    return [(provider.name, provider.label) for provider in installed().values()]


def missing_setups() -> dict[str, str]:
    """By name what a person has to do before the provider can be used; empty where nothing is missing."""
    return {name: provider.missing_setup() for name, provider in installed().items()}


def find_prices(name: str, model: str) -> PriceTable:
    """The provider's own table, or another's where that alone has the model: a server may pass on what others serve."""
    own = find_provider(name).prices
    tables = [own, *(provider.prices for provider in installed().values())]
    return next((table for table in tables if table.find_price(model)), own)


def find_price(name: str, model: str) -> Price | None:
    """None where no table has it."""
    return find_prices(name, model).find_price(model)
