"""What all of the API shares: bodies and their fields, the one shape of an error, permission, other forms than JSON."""

import json
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any, Concatenate, ParamSpec

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from annotate.formats.faults import FileRefused
from annotate.models import User

P = ParamSpec("P")

MEANINGS = {
    400: "The request is not as it should be; `faults` names the places.",
    401: "Nobody is signed in: send a personal token or a session.",
    403: "Your role in the collection does not allow this.",
    404: "There is no such thing, or it is not yours.",
    409: "It does not fit what is stored.",
    413: "The body is too large.",
    415: "The body is of another media type than the API reads here.",
}


class SignedInRequest(Request):
    """The type of a request to the API: without a token or a session it is answered by 401, so its person is known."""

    user: User


def api_view(
    *methods: str,
) -> Callable[
    [Callable[Concatenate[SignedInRequest, P], HttpResponseBase]],
    Callable[Concatenate[HttpRequest, P], HttpResponseBase],
]:
    """REST framework's, of a view that gets a request with a person."""
    from rest_framework import decorators  # whose modules import this one: the settings name its classes

    return decorators.api_view(methods)  # type: ignore[return-value]  # it knows nothing of what the permissions promise


class FaultOutput(serializers.Serializer[object]):
    place = serializers.CharField(help_text="`line 3` of a body of lines or list, or the name of a field")
    reason = serializers.CharField()


class ErrorOutput(serializers.Serializer[object]):
    detail = serializers.CharField(help_text="a sentence for people")
    faults = FaultOutput(many=True, required=False)


class Refused(APIException):
    """An answer with this status, sentence and faults; `more` adds fields of its own."""

    def __init__(self, status: int, sentence: str, faults: Iterable[tuple[str, str]] = (), **more: object) -> None:
        super().__init__(sentence)
        self.status_code = status
        listed = [{"place": place, "reason": reason} for place, reason in faults]
        body: dict[str, Any] = {"detail": sentence, **({"faults": listed} if listed else {}), **more}
        self.detail = body


def refused_file(refused: FileRefused) -> Refused:
    """A body of many lines that is refused as a whole."""
    faults = [(f"line {fault.line}", fault.reason) for fault in refused.faults]
    number = f"{'more than ' * refused.has_more}{len(faults)} fault{'s' * (len(faults) > 1)}"
    return Refused(400, f"Nothing was stored: {number}.", faults)


def error_answers(*statuses: int) -> dict[int, OpenApiResponse]:
    """The part of a description that tells of errors; 401 and 404 are everywhere."""
    return {status: OpenApiResponse(ErrorOutput, MEANINGS[status]) for status in sorted({401, 404, *statuses})}


KIB = 1024
KEY_HEADER = "Idempotency-Key"
MOST_FAULTS = 100
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class JsonParser(BaseParser):
    """A small JSON body."""

    media_type = "application/json"
    limit = 256 * KIB

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: object = None) -> Any:
        try:
            content = _read(stream, self.limit)
            found = json.loads(content, parse_constant=_refuse_constant)
            if _SURROGATE.search(content):
                json.dumps(found, ensure_ascii=False).encode()  # no field takes one, and no answer could repeat it
            return found
        except UnicodeEncodeError:
            raise ParseError("The body holds half of a character: \\ud800 to \\udfff stand in pairs only.") from None
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {error}.") from None


class LongJsonParser(JsonParser):
    """A JSON list of many records."""

    limit = 16 * KIB * KIB


class JsonLinesParser(BaseParser):
    """Lines of JSON, handed on as they came: who reads them tells the line of each fault."""

    media_type = "application/x-ndjson"
    limit = LongJsonParser.limit

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: object = None) -> Any:
        return _read(stream, self.limit)


class RecordsSerializer(serializers.ListSerializer[object]):
    """A list that is refused at its hundredth fault: naming those of 900,000 records took a minute and gigabytes."""

    def to_internal_value(self, data: Any) -> list[Any]:
        self._at, self._named = -1, list[tuple[str, str]]()
        records: list[Any] = super().to_internal_value(data)
        return records

    def run_child_validation(self, data: Any) -> Any:
        self._at += 1
        try:
            return super().run_child_validation(data)
        except serializers.ValidationError as error:
            self._named += _faults(error.detail, _place(self.field_name or "", self._at))
            if len(self._named) >= MOST_FAULTS:
                named = self._named[:MOST_FAULTS]
                raise Refused(400, f"Nothing was stored: {MOST_FAULTS} faults or more.", named) from None
            raise


class WholeNumberField(serializers.IntegerField):
    """A JSON integer: no text, no number with a point, no truth value."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


def validate_body(shape: type[serializers.Serializer[object]], sent: object) -> dict[str, Any]:
    """The fields as the serializer reads them. Raises Refused, naming each field that is wrong."""
    serializer = shape(data=sent)
    if not serializer.is_valid():
        raise Refused(400, "The request cannot be read.", _faults(serializer.errors))
    fields: dict[str, Any] = serializer.validated_data
    return fields


def read_key(request: Request) -> uuid.UUID | None:
    """The idempotency key of the header, None without one. Raises Refused where it is not a UUID."""
    text = request.headers.get(KEY_HEADER)
    if text is None:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Refused(400, f"The header {KEY_HEADER} is not a UUID.", [(KEY_HEADER, "not a UUID")]) from None


def require_key(request: Request, what: str) -> uuid.UUID:
    """The idempotency key of what is sent; `what` it is begins the sentence where it has none. Raises Refused."""
    found = read_key(request)
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


class HasOwnPassword(BasePermission):
    """A password that somebody else chose is changed before anything else is done, with a token too."""

    message = "Change your first password on the site before you use the API."

    def has_permission(self, request: Request, view: object) -> bool:
        return not (request.user.is_authenticated and request.user.must_change_password)


class JsonLinesRenderer(JSONRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class PlainTextRenderer(BaseRenderer):
    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> str:
        if isinstance(data, dict) and "detail" in data:
            return f"{data['detail']}\n"
        return json.dumps(data)
