"""Adjudication: what waits, one pair with all that people said of it, and the decision."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.adjudication import forms, operations, queries
from annotate.judging import api as judging_api
from annotate.judging.operations import judgments
from annotate.models import Membership, Pair
from annotate.rules import permissions
from annotate.web import access
from annotate.web import api as web_api

KINDS = (*queries.KINDS, queries.DECIDED)


class CountsOutput(serializers.Serializer[object]):
    waiting = serializers.IntegerField(help_text="the sum of the next three")
    unresolved = serializers.IntegerField(help_text="people's grades give no grade, or nobody could judge")
    different = serializers.IntegerField(help_text="the consensus rule gives a grade, but people's grades differ")
    flagged = serializers.IntegerField(help_text="somebody judged since it was decided")
    decided = serializers.IntegerField(help_text="decisions in force, the flagged ones too")


class WaitingOutput(serializers.Serializer[object]):
    pair = serializers.IntegerField(source="pair.pk", help_text="for the addresses of this pair")
    query_id = serializers.CharField(source="pair.topic.query_id")
    passage_id = serializers.CharField(source="pair.passage_id")
    spread = serializers.IntegerField(source="pair.spread", help_text="highest minus lowest grade")
    grades = serializers.ListField(child=serializers.IntegerField(allow_null=True), help_text="null: could not judge")


class AdjudicationOutput(serializers.Serializer[object]):
    pair = serializers.IntegerField(source="pair_id")
    grade = serializers.IntegerField(allow_null=True, help_text="null: nobody can judge the pair, it stays a hole")
    reason = serializers.CharField()
    version = serializers.IntegerField()
    adjudicator = serializers.CharField(source="adjudicator.pseudonym")
    judgments = serializers.IntegerField(help_text="of people, when it was decided")
    has_new_evidence = serializers.BooleanField()
    decided_at = serializers.DateTimeField(source="created_at")


class QueueOutput(serializers.Serializer[object]):
    """A page of pairs in the order of the queue, or with `show=decided` of decisions, newest first."""

    counts = CountsOutput()
    pages = serializers.IntegerField()
    waiting = WaitingOutput(many=True)
    decisions = AdjudicationOutput(many=True)


class SaidOutput(serializers.Serializer[object]):
    """What one assessor said. The letter names the assessor on this pair alone."""

    letter = serializers.CharField()
    name = serializers.CharField(help_text="empty unless the collection shows names to adjudicators")
    grade = serializers.IntegerField(allow_null=True)
    is_unsure = serializers.BooleanField()
    comment = serializers.CharField()
    reason = serializers.CharField(help_text="why it could not be judged")


class ToDecideOutput(serializers.Serializer[object]):
    """`shown` goes back with the decision, unchanged."""

    shown = serializers.CharField(source="seal")
    pair = judging_api.CardOutput(source="card")
    said = SaidOutput(many=True)
    decisions = AdjudicationOutput(many=True, help_text="newest first; the first is in force")
    has_judged = serializers.BooleanField(help_text="you judged this pair yourself")


class AdjudicationInput(serializers.Serializer[object]):
    shown = serializers.CharField()
    grade = web_api.WholeNumberField(allow_null=True, help_text="null: nobody can judge the pair, it stays a hole")
    reason = serializers.CharField(max_length=forms.LONGEST_REASON)


class DecidedMeanwhileOutput(web_api.ErrorOutput):
    decision = AdjudicationOutput()


@extend_schema(
    operation_id="adjudication",
    summary="Pairs that wait for an adjudicator",
    description="The widest spread of grades first, then the fewest judgments.",
    parameters=[OpenApiParameter("show", str, enum=KINDS), OpenApiParameter("page", int)],
    responses={200: QueueOutput, **web_api.error_answers(403)},
    tags=["adjudication"],
)
@web_api.api_view("GET")
def list_queue(request: web_api.SignedInRequest, slug: str) -> Response:
    adjudicator = access.adjudicator_or_404(request.user, slug)
    asked = request.query_params
    listing = queries.list_page(adjudicator, asked.get("show", ""), asked.get("page", 1))
    page = {
        "counts": listing.counts,
        "pages": listing.page.paginator.num_pages,
        "waiting": listing.waiting,
        "decisions": list(listing.page) if listing.show == queries.DECIDED else [],
    }
    return Response(QueueOutput(page).data)


@extend_schema(
    methods=["GET"],
    operation_id="pair_to_adjudicate",
    summary="One pair with all that people said of it",
    responses={200: ToDecideOutput, **web_api.error_answers(403)},
    tags=["adjudication"],
)
@extend_schema(
    methods=["POST"],
    operation_id="adjudicate",
    summary="Decide a pair",
    description="A later judgment flags the decision and never undoes it; another decision is a new version.",
    parameters=[web_api.key_header(is_required=True)],
    request=AdjudicationInput,
    responses={
        200: AdjudicationOutput,
        201: AdjudicationOutput,
        **web_api.error_answers(400, 403, 413, 415),
        409: OpenApiResponse(DecidedMeanwhileOutput, "It was decided since it was shown, or nobody judged it."),
    },
    tags=["adjudication"],
)
@web_api.api_view("GET", "POST")
@parser_classes([web_api.JsonParser])
def show_or_decide(request: web_api.SignedInRequest, slug: str, pair_id: int) -> Response:
    adjudicator = access.adjudicator_or_404(request.user, slug)
    with _refusals():
        return _show(adjudicator, pair_id) if request.method == "GET" else _decide(request, adjudicator, pair_id)


def _show(adjudicator: Membership, pair_id: int) -> Response:
    dispute = queries.build_card(adjudicator, pair_id, timezone.now())
    answer = {
        "seal": forms.seal(dispute.card.pair, dispute.shown),
        "card": dispute.card,
        "said": dispute.answers,
        "decisions": [each.decision for each in dispute.history],
        "has_judged": dispute.has_judged,
    }
    return Response(ToDecideOutput(answer).data)


def _decide(request: web_api.SignedInRequest, adjudicator: Membership, pair_id: int) -> Response:
    sent = web_api.validate_body(AdjudicationInput, request.data)
    key, now = web_api.require_key(request, "A decision"), timezone.now()
    of, shown = forms.unseal(sent["shown"])
    if of != pair_id:
        raise forms.NotShown("What was shown is of another pair.")
    decision = operations.decide(
        adjudicator=adjudicator,
        pair_id=pair_id,
        key=key,
        shown=shown,
        decision=operations.Decision(sent["grade"], sent["reason"]),
        now=now,
    )
    return Response(AdjudicationOutput(decision).data, status=201 if decision.created_at == now else 200)


@contextmanager
def _refusals() -> Iterator[None]:
    """From what is refused to what the API answers."""
    try:
        yield
    except Pair.DoesNotExist:
        raise web_api.Refused(404, "There is no such pair in this collection.") from None
    except permissions.NotAllowed as reason:
        raise web_api.Refused(403, str(reason)) from None
    except judgments.NotOnScale as reason:
        raise web_api.Refused(400, str(reason), [("grade", str(reason))]) from None
    except forms.NotShown as reason:
        raise web_api.Refused(400, str(reason), [("shown", str(reason))]) from None
    except operations.NothingToDecide as reason:
        raise web_api.Refused(409, str(reason)) from None
    except operations.DecidedMeanwhile as reason:
        raise web_api.Refused(409, str(reason), decision=AdjudicationOutput(reason.decision).data) from None
