"""Reading the environment: each helper returns a value of one kind or stops with a sentence that says what to set."""

import fcntl
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from annotate.formats import whole_files


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


def integer(name: str, default: int) -> int:
    value = os.environ.get(name, "")
    if value == "":
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


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
            return Path(named).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {named}, which cannot be read: {error.strerror}.") from error
    return _kept_key(generated)


def folder(name: str, default: Path) -> Path:
    """The folder that NAME says, made where missing so that its owner alone may look into it."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} is {path}, which cannot be made: {error.strerror}.") from error
    return path


def _kept_key(path: Path) -> str:
    """Made by one of those who start at once. An empty file is what a loss of power leaves of a key."""
    whole_files.make_folder(path.parent)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not path.exists() or not path.stat().st_size:
            whole_files.write(path, [get_random_secret_key().encode()])
        return path.read_text(encoding="utf-8").strip()
    finally:
        os.close(folder)
