"""The next pair of an assessor, shown as the judging page shows it, skipped; and how far judging is."""

import uuid

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from annotate.collections.api import GradeWordOutput
from annotate.grades import holes
from annotate.judging.api import judgments
from annotate.judging.operations import turns
from annotate.judging.queries import assessor_progress, judging_card
from annotate.models import Collection, Membership
from annotate.suggestions.api import SuggestionOutput
from annotate.web import access
from annotate.web import api as web_api


class CardOutput(serializers.Serializer[object]):
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


class NextOutput(serializers.Serializer[object]):
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
    responses={200: NextOutput, **web_api.error_answers(403)},
    tags=["judging"],
)
@web_api.api_view("POST")
def next_pair(request: web_api.SignedInRequest, slug: str) -> Response:
    assessor = access.assessor_or_404(request.user, slug)
    now = timezone.now()
    turn = turns.begin(assessor=assessor, now=now)
    claim = turn.claim
    held = assessor_progress.Held(0, None) if claim else assessor_progress.count_held_by_others(assessor)
    shown = {
        "claim": claim and claim.token,
        "expires_at": claim and claim.expires_at,
        "pair": claim and judging_card.build_claim_card(claim, now),
        "undecided": turn.undecided,
        "is_paused": turn.is_paused,
        "held_by_others": held.pairs,
        "free_at": held.free_at,
    }
    return Response(NextOutput(shown).data)


@extend_schema(
    operation_id="skip_pair",
    summary="Put a claimed pair at the end of your queue",
    description="Skipping twice, or what you do not hold any more, changes nothing.",
    request=None,
    responses={204: None, **web_api.error_answers(403)},
    tags=["judging"],
)
@web_api.api_view("POST")
def skip_pair(request: web_api.SignedInRequest, slug: str, token: uuid.UUID) -> Response:
    assessor = access.assessor_or_404(request.user, slug)
    turns.skip(assessor=assessor, token=token, now=timezone.now(), claims_next=False)
    return Response(status=204)


class MineOutput(serializers.Serializer[object]):
    judged = serializers.IntegerField()
    total = serializers.IntegerField()
    skipped = serializers.IntegerField()


class DoneOutput(serializers.Serializer[object]):
    """Pairs that people are asked to judge, and how many of them have met their target."""

    wanted = serializers.IntegerField()
    done = serializers.IntegerField()


class ProgressOutput(DoneOutput):
    mine = MineOutput(allow_null=True, help_text="of an assessor")
    holes = serializers.IntegerField(allow_null=True, help_text="for researchers")
    without_text = serializers.IntegerField(
        allow_null=True, help_text="for researchers: pooled pairs that cannot be shown, since their text is missing"
    )


@extend_schema(
    operation_id="progress",
    summary="How far judging is",
    responses={200: ProgressOutput, **web_api.error_answers()},
    tags=["collections"],
)
@web_api.api_view("GET")
def show_progress(request: web_api.SignedInRequest, slug: str) -> Response:
    roles = {membership.role: membership for membership in access.memberships(request.user, slug)}
    collection = next(iter(roles.values())).collection
    assessor = roles.get(Membership.Role.ASSESSOR)
    is_researcher = Membership.Role.RESEARCHER in roles
    progress = {
        **count_done(collection),
        "mine": assessor_progress.read_own_progress(assessor) if assessor else None,
        "holes": holes.count_holes(collection) if is_researcher else None,
        "without_text": assessor_progress.count_without_text(collection) if is_researcher else None,
    }
    return Response(ProgressOutput(progress).data)


def count_done(collection: Collection) -> dict[str, int]:
    met, wanted = assessor_progress.count_done(collection)
    return {"wanted": wanted, "done": met}
