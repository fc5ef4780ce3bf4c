"""Topics, passages and query variants: files of one record a line, TSV or JSON lines, each with an id of its own."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

from annotate.formats import jsonl, lines, records
from annotate.formats.faults import Faults, Refused
from annotate.formats.records import Passage, Topic, Variant

Record = TypeVar("Record", Topic, Passage, Variant)


def read_records(
    path: Path | str,
    name: str | None,
    from_pair: Callable[[str, str], Record],
    from_json: Callable[[jsonl.Fields], Record],
) -> Iterator[Record]:
    """Yields the records of a file, plain or gzip, in its order.

    Raises FileRefused at the end, or at the fault beyond the hundredth: records are good only once all have
    been read. A file without a record is refused; an id that comes again is a fault that names both lines.
    `name` is what the faults call the file, and tells its format by `jsonl.is_jsonl`. Memory grows with the
    number of ids.
    """
    faults = Faults(name or str(path))
    for _, record in read_numbered_records(path, faults, from_pair, from_json):
        yield record
    faults.raise_if_any()


def read_numbered_records(
    path: Path | str,
    faults: Faults,
    from_pair: Callable[[str, str], Record],
    from_json: Callable[[jsonl.Fields], Record],
) -> Iterator[tuple[int, Record]]:
    """Yields the good records with their lines, and notes in `faults` what `read_records` would refuse.

    A file without a record is refused at once. For a caller who has faults of its own to add before that.
    """
    first_lines: dict[str, int] = {}
    is_jsonl: bool | None = None
    for line in lines.read_lines(path, faults):
        if is_jsonl is None:
            is_jsonl = jsonl.is_jsonl(faults.file, line.text)
        try:
            record = from_json(jsonl.parse(line.text)) if is_jsonl else from_pair(*_split_id(line.text))
        except Refused as refused:
            faults.add(line.number, str(refused))
            continue
        first = first_lines.setdefault(record[0], line.number)
        if first == line.number:
            yield line.number, record
        else:
            faults.add(line.number, f"id {record[0]!r} is on line {first} already")
    if not first_lines and not faults:
        raise faults.refuse(None, "the file has no lines")


def _split_id(line: str) -> tuple[str, str]:
    """The id before the first tab and the text behind it, which may have more tabs."""
    identifier, tab, text = line.partition("\t")
    if not tab:
        raise Refused("no tab between id and text")
    return records.check_id(identifier), text


_TOPIC_ID_KEYS = ("query_id", "qid", "id", "topic_id")
_TOPIC_TEXT_KEYS = ("text", "query", "title")


def read_topics(path: Path | str, *, name: str | None = None) -> Iterator[Topic]:
    """Yields the topics of a file (TSV: `id<TAB>text`), as `read_records` says, which raises FileRefused.

    JSON: the id under query_id, qid, id or topic_id, the query under text, query or title (the first that is
    there), and, if it has them, description, narrative and backstory; other keys are ignored. A query that is
    empty or blank is refused.
    """
    return read_records(path, name, _topic_from_pair, _topic_from_json)


def read_numbered_topics(path: Path | str, faults: Faults) -> Iterator[tuple[int, Topic]]:
    """The topics with their lines, as `read_numbered_records` says."""
    return read_numbered_records(path, faults, _topic_from_pair, _topic_from_json)


def write_topics(topics: Iterable[Topic], stream: IO[bytes]) -> None:
    """Writes topics as JSON lines in their order, which `read_topics` gives back equal; leaves out what is empty."""
    for topic in topics:
        stream.write(jsonl.dump({key: text for key, text in topic._asdict().items() if text}))


def _topic_from_pair(query_id: str, text: str) -> Topic:
    return _checked_topic(Topic(query_id, text))


def _topic_from_json(fields: jsonl.Fields) -> Topic:
    texts = {key: jsonl.read_optional_text(fields, key) for key in ("description", "narrative", "backstory")}
    return _checked_topic(
        Topic(jsonl.read_identifier(fields, _TOPIC_ID_KEYS), jsonl.read_text(fields, _TOPIC_TEXT_KEYS), **texts)
    )


def _checked_topic(topic: Topic) -> Topic:
    if not topic.text.strip():
        raise Refused(f"topic {topic.query_id!r} has an empty text")
    return topic


_PASSAGE_ID_KEYS = ("docid", "id", "_id", "passage_id")
_PASSAGE_TEXT_KEYS = ("text", "contents", "segment")


def read_passages(path: Path | str, *, name: str | None = None) -> Iterator[Passage]:
    """Yields the passages of a file (TSV: `id<TAB>text`), as `read_records` says, which raises FileRefused.

    JSON: the id under docid, id, _id or passage_id, the text under text, contents or segment (the first that
    is there), and a title if it has one; other keys are ignored. Text is kept byte for byte and may be empty.
    """
    return read_records(path, name, Passage, _passage_from_json)


def read_numbered_passages(path: Path | str, faults: Faults) -> Iterator[tuple[int, Passage]]:
    """The passages with their lines, as `read_numbered_records` says."""
    return read_numbered_records(path, faults, Passage, _passage_from_json)


def write_passages(passages: Iterable[Passage], stream: IO[bytes]) -> None:
    """Writes passages as JSON lines in their order, which `read_passages` gives back equal."""
    for passage in passages:
        stream.write(jsonl.dump(passage._asdict()))


def _passage_from_json(fields: jsonl.Fields) -> Passage:
    return Passage(
        jsonl.read_identifier(fields, _PASSAGE_ID_KEYS),
        jsonl.read_text(fields, _PASSAGE_TEXT_KEYS),
        jsonl.read_optional_text(fields, "title"),
    )


_DIGITS = re.compile(r"[0-9]{1,9}")
_TOO_HIGH = 10**9


def read_variants(path: Path | str, *, name: str | None = None) -> Iterator[Variant]:
    """Yields the variants of a file, as `read_records` says, which raises FileRefused.

    Their ids are opaque: the file alone says what they stand for. TSV: variant, topic, profile, number. JSON:
    variant_id, query_id, profile, number (from 1, no text) and, if it has it, text; other keys are ignored. A number
    that a profile has already for the topic is refused.
    """
    faults = Faults(name or str(path))
    for _, variant in read_numbered_variants(path, faults):
        yield variant
    faults.raise_if_any()


def read_numbered_variants(path: Path | str, faults: Faults) -> Iterator[tuple[int, Variant]]:
    """The variants with their lines, as `read_numbered_records` says."""
    first_lines: dict[tuple[str, str, int], int] = {}
    for line, variant in read_numbered_records(path, faults, _variant_from_pair, _variant_from_json):
        _, query_id, profile, number, _ = variant
        first = first_lines.setdefault((query_id, profile, number), line)
        if first == line:
            yield line, variant
        else:
            faults.add(line, f"variant {number} of topic {query_id!r} as {profile!r} is on line {first} already")


def variant_line(variant: Variant) -> bytes:
    """Its line in four columns, which `read_variants` gives back without the text."""
    return "\t".join((*variant[:3], str(variant.number))).encode() + b"\n"


def variant_object(variant: Variant) -> bytes:
    """Its line in JSON, which `read_variants` gives back equal."""
    return jsonl.dump({key: value for key, value in variant._asdict().items() if value != ""})


def _variant_from_pair(variant_id: str, text: str) -> Variant:
    columns = text.split("\t")
    if len(columns) != 3:
        raise Refused(f"expected 4 columns (variant, topic, profile, number) between tabs, found {len(columns) + 1}")
    query_id, profile, number = columns
    return _checked_variant(
        variant_id, records.check_id(query_id), profile, int(number) if _DIGITS.fullmatch(number) else number
    )


def _variant_from_json(fields: jsonl.Fields) -> Variant:
    variant_id, query_id = (jsonl.read_identifier(fields, (key,)) for key in ("variant_id", "query_id"))
    profile, text = jsonl.read_text(fields, ("profile",)), jsonl.read_optional_text(fields, "text")
    if text and not text.strip():
        raise Refused(f"variant {variant_id!r} has an empty text")
    return _checked_variant(variant_id, query_id, profile, fields.get("number"), text)


def _checked_variant(variant_id: str, query_id: str, profile: str, number: object, text: str = "") -> Variant:
    if not profile.strip():
        raise Refused(f"variant {variant_id!r} has an empty profile")
    for character in profile:
        if unicodedata.category(character) == "Cc":
            raise Refused(f"the profile of variant {variant_id!r} has the character U+{ord(character):04X} in it")
    if type(number) is not int or not 1 <= number < _TOO_HIGH:
        raise Refused(f"the number of variant {variant_id!r} is {number!r} instead of a whole number from 1")
    return Variant(variant_id, query_id, profile, number, text)
