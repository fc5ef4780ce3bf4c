"""Reading what was sent: bodies up to a limit, and their fields by a serializer."""

import json
import uuid
from collections.abc import Iterable, Iterator
from typing import IO

from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from annotate.api.errors import Refused

KIB = 1024
KEY_HEADER = "Idempotency-Key"


class Json(BaseParser):
    """A small JSON body."""

    media_type = "application/json"
    limit = 256 * KIB

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: object = None) -> object:
        try:
            return json.loads(_read(stream, self.limit), parse_constant=_refuse_constant)
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {error}.") from None


class LongJson(Json):
    """A JSON list of many records."""

    limit = 16 * KIB * KIB


class JsonLines(BaseParser):
    """Lines of JSON, handed on as they came: who reads them tells the line of each fault."""

    media_type = "application/x-ndjson"
    limit = LongJson.limit

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: object = None) -> bytes:
        return _read(stream, self.limit)


def checked(shape: type[serializers.Serializer], sent: object) -> dict:
    """The fields as the serializer reads them. Raises Refused, naming each field that is wrong."""
    serializer = shape(data=sent)
    if not serializer.is_valid():
        raise Refused(400, "The request cannot be read.", _faults(serializer.errors))
    return serializer.validated_data


def key(request: Request) -> uuid.UUID | None:
    """The idempotency key of the header, None without one. Raises Refused where it is not a UUID."""
    text = request.headers.get(KEY_HEADER)
    if text is None:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Refused(400, f"The header {KEY_HEADER} is not a UUID.", [(KEY_HEADER, "not a UUID")]) from None


def _read(stream: IO[bytes], limit: int) -> bytes:
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise Refused(413, f"The body is larger than {limit // KIB} KiB; send it in parts.")
    return content


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _faults(errors: dict[str, Iterable[object]]) -> Iterator[tuple[str, str]]:
    for field, reasons in errors.items():
        place = "body" if field == "non_field_errors" else field
        for reason in reasons:
            yield place, str(reason)
