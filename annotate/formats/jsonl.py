"""One JSON object on a line."""

import json
from pathlib import PurePath

from annotate.formats import records
from annotate.formats.faults import Refused

Fields = dict[str, object]
_NAMES = {".jsonl": True, ".ndjson": True, ".json": True, ".tsv": False}


def is_jsonl(name: str, first_line: str) -> bool:
    """Whether a file holds JSON lines: by its name if that tells, else by the brace it begins with."""
    suffix = PurePath(name.lower().removesuffix(".gz")).suffix
    return _NAMES.get(suffix, first_line.lstrip().startswith("{"))


def parse(line: str) -> Fields:
    """The object on a line; raises Refused when there is none."""
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as error:
        raise Refused(f"not JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError):
        raise Refused("not JSON that can be read: a number too long or nested too deeply") from None
    if not isinstance(fields, dict):
        raise Refused(f"{_kind(fields)} instead of a JSON object")
    return fields


def read_identifier(fields: Fields, keys: tuple[str, ...]) -> str:
    """The id under the first of the keys that is there; raises Refused when none is, or it is no good id."""
    key = _present(fields, keys)
    value = fields[key]
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise Refused(f"{key} is the number {value}: an id is text in quotes, since a number loses leading zeros")
    return records.check_id(_text(key, value))


def read_text(fields: Fields, keys: tuple[str, ...]) -> str:
    """The text under the first of the keys that is there; raises Refused when none is, or it is not text."""
    key = _present(fields, keys)
    return _text(key, fields[key])


def read_optional_text(fields: Fields, key: str) -> str:
    """The text under a key, empty when it is absent or null; raises Refused when it is not text."""
    return read_text(fields, (key,)) if fields.get(key) is not None else ""


def dump(fields: Fields) -> bytes:
    """The line of an object, in UTF-8 and with its LF."""
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def _present(fields: Fields, keys: tuple[str, ...]) -> str:
    for key in keys:
        if fields.get(key) is not None:
            return key
    raise Refused(f"lacks {' or '.join(keys)}")


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise Refused(f"{key} is {_kind(value)} instead of text")
    if "\0" in value:
        raise Refused(f"{key} has a NUL in it")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Refused(f"{key} has half a character in it (U+{ord(value[error.start]):04X})") from None
    return value


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return kinds.get(type(value), "null")
