"""The next pair of an assessor: claimed, and shown as the judging page shows it."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.collections.api import GradeWordOutput
from annotate.judging.api import judgments
from annotate.judging.operations import turns
from annotate.judging.queries import judging_card, progress
from annotate.suggestions.api import SuggestionOutput
from annotate.web import access
from annotate.web.api import errors


class CardOutput(serializers.Serializer):
    """Nothing of other people is in it, and of models only what the arm lets through."""

    query_id = serializers.CharField(source="pair.topic.query_id")
    query = serializers.CharField(source="pair.topic.text")
    backstory = serializers.CharField(source="backstory.text", allow_null=True)
    passage_id = serializers.CharField(source="pair.passage_id")
    title = serializers.CharField(source="pair.passage_text.title")
    passage = serializers.CharField(source="pair.passage_text.text")
    grades = GradeWordOutput(source="guidelines.grade_words", many=True)
    guidelines_version = serializers.IntegerField(source="guidelines.version")
    is_suggestion_area = serializers.BooleanField(help_text="whether a suggestion is shown where the model has one")
    suggestion = SuggestionOutput(allow_null=True)


class NextOutput(serializers.Serializer):
    """One of `pair` and `undecided` is set, or neither: judging is paused, or nothing is free.

    `claim` is sent back with the judgment. Where nothing is free, the last two say what others hold.
    """

    claim = serializers.UUIDField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    pair = CardOutput(allow_null=True)
    undecided = judgments.RecordedOutput(allow_null=True, help_text="your judgment whose reveal waits for a decision")
    is_paused = serializers.BooleanField()
    held_by_others = serializers.IntegerField()
    free_at = serializers.DateTimeField(allow_null=True)


@extend_schema(
    operation_id="next_pair",
    summary="Claim the next pair to judge",
    description="Asked again, it answers with the pair that you hold, and holds it for the full time again.",
    request=None,
    responses={200: NextOutput, **errors.answers(403)},
    tags=["judging"],
)
@api_view(["POST"])
def next_pair(request: Request, slug: str) -> Response:
    assessor = access.assessor_or_404(request.user, slug)
    now = timezone.now()
    turn = turns.begin(assessor=assessor, now=now)
    claim = turn.claim
    held = progress.Held(0, None) if claim else progress.held_by_others(assessor)
    told = {
        "claim": claim and claim.token,
        "expires_at": claim and claim.expires_at,
        "pair": claim and judging_card.of_claim(claim, now),
        "undecided": turn.undecided,
        "is_paused": turn.is_paused,
        "held_by_others": held.pairs,
        "free_at": held.free_at,
    }
    return Response(NextOutput(told).data)
