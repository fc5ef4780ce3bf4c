"""Reading the environment: each helper returns a value of one kind or stops with a sentence that says what to set."""

import fcntl
import os
import re
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from annotate.formats import whole_files

DATABASES = ("sqlite", "postgres", "postgresql", "pgsql")
BROKERS = ("redis", "rediss", "redis+socket", "amqp", "amqps", "memory")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
HOST = re.compile(r"\*|\.?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
ORIGIN_HOST = re.compile(r"(?:\*\.)?[A-Za-z0-9_.-]+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?")


_OURS = ("secret_key", "db.sqlite3", "imports")  # one of them is in every data folder that has been used


def boolean(name: str, default: bool) -> bool:
    """The words True and False and nothing else, so that `0`, `no` or a typing error cannot switch something on."""
    value = os.environ.get(name, "")
    if value == "":
        return default
    if value not in ("True", "False"):
        raise ImproperlyConfigured(f"{name} must be True or False, not {value!r}.")
    return value == "True"


def text(name: str, default: str) -> str:
    """The value of NAME; an empty one counts as not set."""
    return os.environ.get(name) or default


def integer(name: str, default: int, least: int, most: int) -> int:
    value = os.environ.get(name, "")
    if value == "":
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(most)) and least <= int(value) <= most):
        raise ImproperlyConfigured(f"{name} must be a whole number from {least:,} to {most:,}, not {value!r}.")
    return int(value)


def choice(name: str, default: str, choices: Sequence[str]) -> str:
    value = text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}.")
    return value


def database(name: str, default: str) -> dict[str, Any]:
    """The settings of the database at the address NAME; addresses hold passwords, so none is repeated."""
    address = text(name, default)
    scheme = address.partition("://")[0]
    try:
        if scheme in DATABASES:
            found = dj_database_url.parse(address, conn_max_age=600, conn_health_checks=True)
            at = str(found["NAME"])
            if at and (scheme != "sqlite" or Path(at).absolute().parent.is_dir() and at != ":memory:"):
                return dict(found)
    except (ValueError, dj_database_url.ParseError, dj_database_url.UnknownSchemeError):
        pass
    raise ImproperlyConfigured(
        f"{name} is no address of a database: write postgres://user:password@host:5432/name, with %-signs for "
        "characters such as @ in the password, or sqlite:////path/to/file in a folder that exists."
    )


def broker(name: str) -> str:
    """The address of a broker, or nothing. What cannot be right is found here, and not by a worker hours later."""
    address = text(name, "")
    try:
        parts = urlsplit(address)
        is_right = (
            parts.scheme in BROKERS and bool(parts.hostname or parts.scheme == "memory") and (parts.port or 1) > 0
        )
    except ValueError:  # of the port
        is_right = False
    if address and not is_right:
        raise ImproperlyConfigured(
            f"{name} is no address of a broker: write redis://host:6379/0 or rediss://host:6379/0."
        )
    return address


def hosts(name: str, default: str) -> list[str]:
    """Names of hosts: a scheme, a port or a path in one would never match a request."""
    found = words(name, default)
    for host in found:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} must be names of hosts with commas between them, as judging.example.org; {host!r} is none: "
                "leave out scheme, port, path and spaces."
            )
    return found


def origins(name: str) -> list[str]:
    found = words(name)
    for origin in found:
        scheme, _, host = origin.partition("://")
        if scheme not in ("http", "https") or not ORIGIN_HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} must be addresses such as https://judging.example.org with commas between them, not "
                f"{origin!r}."
            )
    return found


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list; empty parts are dropped."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def secret(name: str, generated: Path) -> str:
    """The value of NAME, or the content of the file that NAME_FILE names, or a key kept in `generated`.

    A missing NAME_FILE stops the start: it is a deployment error. Where neither is set the key is made once
    and kept with mode 600, so that sessions live through a restart.
    """
    if value := os.environ.get(name):
        return value
    if named := os.environ.get(f"{name}_FILE"):
        try:
            if value := Path(named).read_text(encoding="utf-8").strip():
                return value
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {named}, which cannot be read: {error.strerror}.") from error
        except ValueError:
            raise ImproperlyConfigured(f"{name}_FILE names {named}, which is no text in UTF-8.") from None
        raise ImproperlyConfigured(f"{name}_FILE names {named}, which is empty.")
    return _kept_key(generated)


def folder(name: str, default: Path) -> Path:
    """The folder that NAME says, made where missing so that its owner alone may look into it.

    One that is open to all and empty or Lacuna's already is closed; any other is refused, since it may be one that
    others need.
    """
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} is {path}, which cannot be made: {error.strerror}.") from error
    if path.stat().st_mode & stat.S_IRWXO and not _close(path):
        raise ImproperlyConfigured(
            f"{name} is {path}, which every user of this machine may open, and it holds password hashes. Close it: "
            f"chmod 700 {shlex.quote(str(path))}"
        )
    return path


def _close(path: Path) -> bool:
    """Whether the folder could be closed to all but its owner, and is one to close."""
    try:
        is_ours = not any(path.iterdir()) or any((path / name).exists() for name in _OURS)
        if is_ours:
            path.chmod(0o700)
        return is_ours
    except OSError:
        return False


def _kept_key(path: Path) -> str:
    """Made by one of those who start at once. An empty file is what a loss of power leaves of a key."""
    try:
        whole_files.make_folder(path.parent)
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise ImproperlyConfigured(f"{path.parent} cannot be used as data folder: {error.strerror}.") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not path.exists() or not path.stat().st_size:
            whole_files.write(path, [get_random_secret_key().encode()])
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise ImproperlyConfigured(f"The key in {path} can be neither made nor read: {reason}.") from error
    finally:
        os.close(folder)
