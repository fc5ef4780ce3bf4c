"""Query variants: whose each is, as `variant<TAB>topic<TAB>profile<TAB>number`, or JSON lines that can have its text.

The ids of variants are opaque: this file alone says what they stand for.
"""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from annotate.formats import ids, jsonl, keyed_lines
from annotate.formats.faults import Faults, Refused
from annotate.formats.records import Variant

_DIGITS = re.compile(r"[0-9]{1,9}")
_TOO_HIGH = 10**9


def read(path: Path | str, *, name: str | None = None) -> Iterator[Variant]:
    """Yields the variants of a file, as `keyed_lines.read` tells, which raises FileRefused.

    JSON: variant_id, query_id, profile, number (from 1, no text) and, if it has it, text; other keys are ignored. A
    number that a profile has already for the topic is refused.
    """
    faults = Faults(name or str(path))
    for _, variant in numbered(path, faults):
        yield variant
    faults.raise_if_any()


def numbered(path: Path | str, faults: Faults) -> Iterator[tuple[int, Variant]]:
    """The variants with their lines, as `keyed_lines.numbered` tells."""
    first_lines: dict[tuple[str, str, int], int] = {}
    for line, variant in keyed_lines.numbered(path, faults, _from_pair, _from_json):
        _, query_id, profile, number, _ = variant
        first = first_lines.setdefault((query_id, profile, number), line)
        if first == line:
            yield line, variant
        else:
            faults.add(line, f"variant {number} of topic {query_id!r} as {profile!r} is on line {first} already")


def line_of(variant: Variant) -> bytes:
    """Its line in four columns, which `read` gives back without the text."""
    return "\t".join((*variant[:3], str(variant.number))).encode() + b"\n"


def object_of(variant: Variant) -> bytes:
    """Its line in JSON, which `read` gives back equal."""
    return jsonl.dump({key: value for key, value in variant._asdict().items() if value != ""})


def _from_pair(variant_id: str, text: str) -> Variant:
    columns = text.split("\t")
    if len(columns) != 3:
        raise Refused(f"expected 4 columns (variant, topic, profile, number) between tabs, found {len(columns) + 1}")
    query_id, profile, number = columns
    return _checked(variant_id, ids.check_id(query_id), profile, int(number) if _DIGITS.fullmatch(number) else number)


def _from_json(fields: jsonl.Fields) -> Variant:
    variant_id, query_id = (jsonl.identifier(fields, (key,)) for key in ("variant_id", "query_id"))
    profile, text = jsonl.words(fields, ("profile",)), jsonl.optional_words(fields, "text")
    if text and not text.strip():
        raise Refused(f"variant {variant_id!r} has an empty text")
    return _checked(variant_id, query_id, profile, fields.get("number"), text)


def _checked(variant_id: str, query_id: str, profile: str, number: object, text: str = "") -> Variant:
    if not profile.strip():
        raise Refused(f"variant {variant_id!r} has an empty profile")
    for character in profile:
        if unicodedata.category(character) == "Cc":
            raise Refused(f"the profile of variant {variant_id!r} has the character U+{ord(character):04X} in it")
    if type(number) is not int or not 1 <= number < _TOO_HIGH:
        raise Refused(f"the number of variant {variant_id!r} is {number!r} instead of a whole number from 1")
    return Variant(variant_id, query_id, profile, number, text)
