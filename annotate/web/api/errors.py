"""What the API answers when something is wrong: one shape, whatever it is."""

from collections.abc import Iterable

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.exceptions import APIException

from annotate.formats.faults import FileRefused

MEANINGS = {
    400: "The request is not as it should be; `faults` names the places.",
    401: "Nobody is signed in: send a personal token or a session.",
    403: "Your role in the collection does not allow this.",
    404: "There is no such thing, or it is not yours.",
    409: "It does not fit what is stored.",
    413: "The body is too large.",
    415: "The body is of another media type than the API reads here.",
}


class FaultOutput(serializers.Serializer):
    place = serializers.CharField(help_text="`line 3` of a body of lines or list, or the name of a field")
    reason = serializers.CharField()


class ErrorOutput(serializers.Serializer):
    detail = serializers.CharField(help_text="a sentence for people")
    faults = FaultOutput(many=True, required=False)


class Refused(APIException):
    """An answer with this status, sentence and faults; `more` adds fields of its own."""

    def __init__(self, status: int, sentence: str, faults: Iterable[tuple[str, str]] = (), **more: object) -> None:
        super().__init__(sentence)
        self.status_code = status
        listed = [{"place": place, "reason": reason} for place, reason in faults]
        self.detail = {"detail": sentence, **({"faults": listed} if listed else {}), **more}


def of_file(refused: FileRefused) -> Refused:
    """A body of many lines that is refused as a whole."""
    faults = [(f"line {fault.line}", fault.reason) for fault in refused.faults]
    number = f"{'more than ' * refused.has_more}{len(faults)} fault{'s' * (len(faults) > 1)}"
    return Refused(400, f"Nothing was stored: {number}.", faults)


def answers(*statuses: int) -> dict[int, OpenApiResponse]:
    """The part of a description that tells of errors; 401 and 404 are everywhere."""
    return {status: OpenApiResponse(ErrorOutput, MEANINGS[status]) for status in sorted({401, 404, *statuses})}
