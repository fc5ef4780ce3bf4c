"""Pairs named in a body: added to the pool by hand, withdrawn, restored; and near-duplicates."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes, renderer_classes
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from annotate.draws.operations import changes
from annotate.draws.operations import near_duplicates as near_duplicates_operations
from annotate.draws.operations.changes import NoReason, TooMany
from annotate.draws.queries import near_duplicates
from annotate.formats import jsonl, named_pairs
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.rules import drawing
from annotate.web import access
from annotate.web import api as web_api

ANSWERS = web_api.error_answers(400, 403, 413, 415)
DESCRIPTION = f"All or nothing, at most {changes.MOST_AT_ONCE} at once. The same again changes nothing."


class PairInput(serializers.Serializer[object]):
    query_id = serializers.CharField(trim_whitespace=False)
    passage_id = serializers.CharField(trim_whitespace=False)


class PairsInput(serializers.Serializer[object]):
    pairs = PairInput(many=True, allow_empty=False)


def read_pairs(sent: dict[str, Any]) -> list[NamedPair]:
    """The pairs in the order in which they were sent. Raises FileRefused."""
    return named_pairs.check_pairs((pair["query_id"], pair["passage_id"]) for pair in sent["pairs"])


@contextmanager
def refusals() -> Iterator[None]:
    """Inside, bad values and pairs are answered with 400, what does not fit what is stored with 409."""
    try:
        yield
    except FileRefused as refused:
        raise web_api.refused_file(refused) from None
    except (drawing.BadValue, NoReason, TooMany) as reason:
        raise web_api.Refused(400, str(reason)) from None
    except drawing.CannotDraw as reason:
        raise web_api.Refused(409, str(reason)) from None


class AddedOutput(serializers.Serializer[object]):
    pooled = serializers.IntegerField(help_text="new in the pool")
    there = serializers.IntegerField(help_text="pooled before; they stay from now on even if the runs lose them")
    settled = serializers.IntegerField(help_text="of all, graded by the reference: nobody is asked")


class WithdrawnInput(PairsInput):
    reason = serializers.CharField(max_length=1000, help_text="stored with the pairs")


class ChangedOutput(serializers.Serializer[object]):
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField(help_text="were so before")
    drawn = serializers.IntegerField(help_text="of those changed, in the sample or list in force")


@extend_schema(
    operation_id="add_pairs",
    summary="Put pairs into the pool, also while people judge",
    description=DESCRIPTION,
    request={web_api.LongJsonParser.media_type: PairsInput},
    responses={200: AddedOutput, **ANSWERS},
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def add_pairs(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(PairsInput, request.data)
    with refusals():
        added = changes.add_pairs(collection=collection, named=read_pairs(body))
    return Response(AddedOutput(added).data)


@extend_schema(
    operation_id="withdraw_pairs",
    summary="Ask nobody about these pairs any more",
    description=DESCRIPTION,
    request={web_api.LongJsonParser.media_type: WithdrawnInput},
    responses={200: ChangedOutput, **ANSWERS},
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def withdraw_pairs(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(WithdrawnInput, request.data)
    with refusals():
        done = changes.withdraw_pairs(
            collection=collection, named=read_pairs(body), reason=body["reason"], now=timezone.now()
        )
    return Response(ChangedOutput(done).data)


@extend_schema(
    operation_id="restore_pairs",
    summary="Ask about withdrawn pairs again",
    description=DESCRIPTION,
    request={web_api.LongJsonParser.media_type: PairsInput},
    responses={200: ChangedOutput, **ANSWERS},
    tags=["pairs"],
)
@web_api.api_view("POST")
@parser_classes([web_api.LongJsonParser])
def restore_pairs(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    body = web_api.validate_body(PairsInput, request.data)
    with refusals():
        done = changes.restore_pairs(collection=collection, named=read_pairs(body), now=timezone.now())
    return Response(ChangedOutput(done).data)


class NearDuplicateOutput(serializers.Serializer[object]):
    """One line."""

    query_id = serializers.CharField()
    passage_id = serializers.CharField()
    duplicate_of = serializers.CharField(
        help_text="the passage of the topic that is judged for it, if the settings say"
    )
    grade = serializers.IntegerField(allow_null=True, help_text="people's, perhaps propagated; null without one")


class QueuedOutput(serializers.Serializer[object]):
    subject = serializers.CharField()
    state = serializers.CharField()


@extend_schema(
    operation_id="near_duplicates",
    summary="All near-duplicates, one JSON object a line",
    responses={(200, web_api.JsonLinesRenderer.media_type): NearDuplicateOutput, **web_api.error_answers(403)},
    tags=["pairs"],
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, web_api.JsonLinesRenderer])
def stream_near_duplicates(request: web_api.SignedInRequest, slug: str) -> StreamingHttpResponse:
    collection = access.researched_or_404(request.user, slug)
    lines = (jsonl.dump(record) for record in near_duplicates.near_duplicate_records(collection))
    return StreamingHttpResponse(lines, content_type=web_api.JsonLinesRenderer.media_type)


@extend_schema(
    operation_id="find_near_duplicates",
    summary="Look for near-duplicates in the background",
    request=None,
    responses={202: QueuedOutput, **web_api.error_answers(403)},
    tags=["pairs"],
)
@web_api.api_view("POST")
def find_near_duplicates(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    queued = near_duplicates_operations.request_finding(collection=collection, by=request.user, now=timezone.now())
    return Response(QueuedOutput(queued).data, status=202)
