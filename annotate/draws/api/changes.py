"""Pairs that are put into the pool by hand, withdrawn from people, or restored."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, parser_classes
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.draws.api import named_pairs
from annotate.draws.operations import additions, withdrawals
from annotate.web import access
from annotate.web.api import bodies, errors


class AddedOutput(serializers.Serializer):
    pooled = serializers.IntegerField(help_text="new in the pool")
    there = serializers.IntegerField(help_text="pooled before; they stay from now on even if the runs lose them")
    settled = serializers.IntegerField(help_text="of all, graded by the reference: nobody is asked")


class WithdrawnInput(named_pairs.PairsInput):
    reason = serializers.CharField(max_length=1000, help_text="stored with the pairs")


class ChangedOutput(serializers.Serializer):
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField(help_text="were so before")
    drawn = serializers.IntegerField(help_text="of those changed, in the sample or list in force")


ANSWERS = errors.answers(400, 403, 413, 415)
DESCRIPTION = f"All or nothing, at most {additions.MOST} at once. The same again changes nothing."


@extend_schema(
    operation_id="add_pairs",
    summary="Put pairs into the pool, also while people judge",
    description=DESCRIPTION,
    request={bodies.LongJson.media_type: named_pairs.PairsInput},
    responses={200: AddedOutput, **ANSWERS},
    tags=["pairs"],
)
@api_view(["POST"])
@parser_classes([bodies.LongJson])
def add(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    said = bodies.checked(named_pairs.PairsInput, request.data)
    with named_pairs.refusals():
        added = additions.add(collection=collection, named=named_pairs.of(said))
    return Response(AddedOutput(added).data)


@extend_schema(
    operation_id="withdraw_pairs",
    summary="Ask nobody about these pairs any more",
    description=DESCRIPTION,
    request={bodies.LongJson.media_type: WithdrawnInput},
    responses={200: ChangedOutput, **ANSWERS},
    tags=["pairs"],
)
@api_view(["POST"])
@parser_classes([bodies.LongJson])
def withdraw(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    said = bodies.checked(WithdrawnInput, request.data)
    with named_pairs.refusals():
        done = withdrawals.withdraw(
            collection=collection, named=named_pairs.of(said), reason=said["reason"], now=timezone.now()
        )
    return Response(ChangedOutput(done).data)


@extend_schema(
    operation_id="restore_pairs",
    summary="Ask about withdrawn pairs again",
    description=DESCRIPTION,
    request={bodies.LongJson.media_type: named_pairs.PairsInput},
    responses={200: ChangedOutput, **ANSWERS},
    tags=["pairs"],
)
@api_view(["POST"])
@parser_classes([bodies.LongJson])
def restore(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    said = bodies.checked(named_pairs.PairsInput, request.data)
    with named_pairs.refusals():
        done = withdrawals.restore(collection=collection, named=named_pairs.of(said), now=timezone.now())
    return Response(ChangedOutput(done).data)
