"""Reading what was sent: bodies up to a limit, and their fields by a serializer."""

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import IO

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from annotate.web.api.errors import Refused

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


def required_key(request: Request, what: str) -> uuid.UUID:
    """The idempotency key of what is sent; `what` it is begins the sentence where it has none. Raises Refused."""
    found = key(request)
    if found is None:
        sentence = f"{what} needs the header {KEY_HEADER}, so that a repeated request is one."
        raise Refused(400, sentence, [(KEY_HEADER, "missing")])
    return found


def key_header(*, is_required: bool) -> OpenApiParameter:
    """How the header is described."""
    return OpenApiParameter(
        KEY_HEADER,
        {"type": "string", "format": "uuid"},
        OpenApiParameter.HEADER,
        required=is_required,
        description="a repeated request with the same key is answered with what is stored",
    )


def _read(stream: IO[bytes], limit: int) -> bytes:
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise Refused(413, f"The body is larger than {limit // KIB} KiB; send it in parts.")
    return content


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _faults(errors: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Place and reason of each fault: `grade`, `pairs[0].query_id`; `body`, or the part, where no field is named."""
    if isinstance(errors, Mapping):
        for field, below in errors.items():
            yield from _faults(below, _place(place, field))
    elif isinstance(errors, list):
        for reason in errors:
            yield from _faults(reason, place)
    else:
        yield place, str(errors)


def _place(place: str, field: str | int) -> str:
    if field == "non_field_errors":
        return place or "body"
    if isinstance(field, int):
        return f"{place}[{field}]"
    return f"{place}.{field}" if place else field
