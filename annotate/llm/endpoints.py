"""Where services are reached, with which keys, and the endpoints that an installation names itself.

A file says which of these there are, how they are reached and what they cost: the one that LACUNA_ENDPOINTS names, else
`endpoints.toml` or `endpoints.json` in the data folder. It is read again once it changes. A file that cannot be read
whole is none, and `flaw` says why.
"""

import importlib.util
import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

# Servers at home take any word as a key; a short one is no secret, and stands in many texts.
_LEAST_SIGNS = 8
SECRET_ENDINGS = ("_KEY", "_TOKEN", "_TOKEN_BEDROCK")


def is_secret(name: str) -> bool:
    """Whether a variable of the environment holds a key, by its name."""
    return name.endswith(SECRET_ENDINGS)


def find_key_flaw(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """What is wrong with the key in a variable, in a sentence without it; empty where nothing is, or none is set.

    >>> find_key_flaw("OPENAI_API_KEY", {"OPENAI_API_KEY": "sk-a\\n"})
    'OPENAI_API_KEY holds white space or signs that no key has (a line break at its end, perhaps): set it anew.'
    """
    key = environment.get(name, "")
    if all("!" <= sign <= "~" for sign in key):
        return ""
    return f"{name} holds white space or signs that no key has (a line break at its end, perhaps): set it anew."


def remove_keys(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text with every key that is set taken out: some servers repeat the key that they refuse.

    >>> remove_keys("no such key: sk-a1b2c3", {"OPENAI_API_KEY": "sk-a1b2c3"})
    'no such key: [key]'
    """
    for name, key in environment.items():
        if is_secret(name) and len(key) >= _LEAST_SIGNS:
            text = text.replace(key, "[key]")
    return text


@dataclass(frozen=True)
class Endpoint:
    """Where a provider is reached: the environment variables of its key and of another address than its own.

    `hint` ends the sentence that asks for the key. `needs_key_elsewhere`: whether a server at another address takes no
    call without a key either; servers at home do. `key_package`: what finds credentials by itself where no key is set.
    An endpoint that the installation names has its address as `url`, which stands before the one in the environment.
    """

    key: str
    address: str
    hint: str = ""
    timeout: float = 120.0
    needs_key_elsewhere: bool = True
    key_package: str = ""
    url: str = ""
    region: str = ""
    project: str = ""
    api_version: str = ""

    def __post_init__(self) -> None:
        if self.key and not is_secret(self.key):
            raise ValueError(f"{self.key} ends in none of {SECRET_ENDINGS}: no message would hide it")

    def missing_setup(self, environment: Mapping[str, str]) -> str:
        """What is to be set, or wrong with what is set, in a sentence; empty where nothing is."""
        address = self.url or environment.get(self.address, "")
        is_free = not self.key or (not self.needs_key_elsewhere and bool(environment.get(self.address)))
        finds_by_itself = self.key_package and is_installed(self.key_package)
        if not is_free and not finds_by_itself and not environment.get(self.key):
            return f"Set {self.key} in the environment of the server and of the worker{self.hint}."
        if flaw := find_key_flaw(self.key, environment):
            return flaw
        is_address = not address or address.startswith(("http://", "https://"))
        return "" if is_address else f"{self.address} has to begin with http:// or https://."

    def read_key(self) -> str | None:
        return os.environ.get(self.key) or None

    def read_address(self) -> str | None:
        """Where it is reached, unless that is the service's own address."""
        return self.url or os.environ.get(self.address) or None


def is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # of the package above it
        return False


VARIABLE = "LACUNA_ENDPOINTS"
FOLDER = Path()  # the data folder, once the app is ready
_USUAL = ("endpoints.toml", "endpoints.json")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _check_address(address: str) -> str:
    if not re.fullmatch(r"https?://[^\s/@?#]+[^\s@?#]*", address):
        raise ValueError("has to begin with http:// or https://, and holds no user, password or query")
    return address.rstrip("/")


def _check_variable(name: str) -> str:
    if not _VARIABLE.fullmatch(name):
        raise ValueError("is the name of a variable of the environment, not the key itself")
    return name


_Dollars = Annotated[Decimal, Field(ge=0, le=1_000_000)]


class Rates(BaseModel):
    """US dollars for a million tokens; see `capabilities.Price`. What is not said of reading costs what `fresh` does; a
    cache is never written for less, so that bounds hold."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fresh: _Dollars
    given: _Dollars
    cached: Annotated[_Dollars, Field(default_factory=lambda said: said.get("fresh", 0))]
    written: Annotated[_Dollars, Field(default_factory=lambda said: said.get("fresh", 0))]
    written_hour: Annotated[_Dollars, Field(default_factory=lambda said: said.get("written", 0))]
    batch_share: Annotated[Decimal, Field(gt=0, le=1)] = Decimal(1)
    long_from: Annotated[int, Field(ge=0)] = 0
    long_read: Annotated[Decimal, Field(ge=1)] = Decimal(1)
    long_given: Annotated[Decimal, Field(ge=1)] = Decimal(1)

    @field_validator("written", "written_hour")
    @classmethod
    def _check_written(cls, dollars: Decimal, said: ValidationInfo) -> Decimal:
        if dollars < said.data.get("fresh", 0):
            raise ValueError("is at least what fresh is")
        return dollars


class NamedEndpoint(BaseModel):
    """One table of the file. `key` names the variable of the environment that holds the key. `price` is that of every
    model which `prices` lacks. `concurrency` and `per_minute` hold for all batches together; 0 is no limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    base_url: Annotated[str, AfterValidator(_check_address)] = ""
    key: Annotated[str, AfterValidator(_check_variable)] = ""
    label: Annotated[str, Field(max_length=80)] = ""
    region: str = ""
    project: str = ""
    api_version: str = ""
    timeout: Annotated[int, Field(ge=1, le=3600)] = 120
    concurrency: Annotated[int, Field(ge=0, le=1024)] = 0
    per_minute: Annotated[int, Field(ge=0, le=100_000)] = 0
    price: Rates | None = None
    prices: dict[str, Rates] = {}
    as_of: date | None = None


class Endpoints(NamedTuple):
    """`flaw`: why the file cannot be used, in a sentence; empty where it can, or where there is none."""

    named: Mapping[str, NamedEndpoint] = {}
    flaw: str = ""


class _Broken(ValueError):
    """Where the file is broken, and how."""


Check = Callable[[str, NamedEndpoint], str]
"""What speaks against a name and its endpoint, beyond the form of the file; empty where nothing does."""


def read_endpoints(check: Check) -> Endpoints:
    """What the file says now."""
    try:
        path = _find_file()
        if path is None:
            return Endpoints()
        stat = path.stat()
        return Endpoints(_read(path, stat.st_mtime_ns, stat.st_size, check))
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        return Endpoints(flaw=_say(f"The file of endpoints cannot be read ({what})"))
    except _Broken as error:
        return Endpoints(flaw=_say(str(error)))


def _say(what: str) -> str:
    return f"{what}. None of the named endpoints can be asked until the file is fixed."


def _find_file() -> Path | None:
    if named := os.environ.get(VARIABLE):
        return Path(named)
    there = [FOLDER / name for name in _USUAL if (FOLDER / name).is_file()]
    if len(there) > 1:
        raise _Broken(f"The data folder has both {' and '.join(_USUAL)}: keep one of them")
    return there[0] if there else None


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int, check: Check) -> Mapping[str, NamedEndpoint]:
    """Raises OSError, UnicodeDecodeError and _Broken. `changed` and `size` tell one state of the file from another."""
    tables = _parse(path)
    day = datetime.fromtimestamp(changed / 1e9, UTC).date()
    named = {}
    for name, table in tables.items():
        where = f"{path.name}, endpoint {name[:60]}"
        if not _NAME.fullmatch(name):
            raise _Broken(f"{where}: a name has up to 40 small letters, digits and hyphens")
        try:
            endpoint = NamedEndpoint.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "the whole of it"
            raise _Broken(f"{where}, {place}: {first['msg'].removeprefix('Value error, ')}") from None
        if flaw := check(name, endpoint):
            raise _Broken(f"{where}: {flaw}")
        named[name] = endpoint.model_copy(update={"as_of": endpoint.as_of or day})
    return named


def _parse(path: Path) -> Mapping[str, Any]:
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix == ".json":
            tables = json.loads(text, parse_float=Decimal)
        else:
            tables = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise _Broken(f"{path.name}: {error}") from None
    if not isinstance(tables, dict):
        raise _Broken(f"{path.name}: expected a table for each endpoint, by its name")
    return tables
