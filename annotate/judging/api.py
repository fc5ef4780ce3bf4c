"""The API of judging: the next pair, what is stored of it, history."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.response import Response

from annotate.grades import holes
from annotate.judging.operations import judgments, turns
from annotate.judging.operations.judgments import Answer
from annotate.judging.queries import activity, judging_card
from annotate.models import Claim, Collection, Judgment, Membership
from annotate.web import access
from annotate.web import api as web_api


class SuggestionOutput(serializers.Serializer[object]):
    grade = serializers.IntegerField()
    probabilities = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="over the scale, from the lowest grade up"
    )
    reason = serializers.CharField(source="reason_for_assessors", help_text="without what quotes grades of other pairs")
    rater = serializers.CharField(source="rater.name")


class GradeWordOutput(serializers.Serializer[object]):
    grade = serializers.IntegerField()
    name = serializers.CharField()
    description = serializers.CharField()


class GuidelinesOutput(serializers.Serializer[object]):
    version = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown")
    grades = GradeWordOutput(source="grade_words", many=True)


LONGEST_COMMENT = 10_000
LONGEST_MS = 2**31 - 1


class AnswerInput(serializers.Serializer[object]):
    """Either a grade of the scale, or a reason why the pair cannot be judged."""

    grade = web_api.WholeNumberField(required=False, allow_null=True, default=None)
    reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=LONGEST_COMMENT, help_text="why it cannot be judged"
    )
    is_unsure = serializers.BooleanField(required=False, default=False)
    comment = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=LONGEST_COMMENT, trim_whitespace=False
    )
    visible_ms = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=LONGEST_MS
    )
    wall_ms = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0, max_value=LONGEST_MS)

    def validate(self, sent: dict[str, Any]) -> dict[str, object]:
        if (sent["grade"] is None) == (sent["reason"] == ""):
            raise serializers.ValidationError("Send either a grade, or a reason why the pair cannot be judged.")
        return sent


class JudgmentInput(AnswerInput):
    claim = serializers.UUIDField(help_text="of the pair that was shown")


class DecisionInput(serializers.Serializer[object]):
    grade = web_api.WholeNumberField()


def read_answer(sent: dict[str, Any]) -> Answer:
    return Answer(**{name: value for name, value in sent.items() if name != "claim"})


class RevealOutput(serializers.Serializer[object]):
    suggestion = SuggestionOutput()
    decide = serializers.CharField(help_text="where to send the grade that you keep or change to")


class JudgmentOutput(serializers.Serializer[object]):
    """What you said of a pair; `grade` is the final one."""

    id = serializers.IntegerField()
    query_id = serializers.CharField(source="pair.topic.query_id")
    passage_id = serializers.CharField(source="pair.passage_id")
    outcome = serializers.ChoiceField(choices=Judgment.Outcome.choices)
    grade = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    is_unsure = serializers.BooleanField()
    comment = serializers.CharField()
    version = serializers.IntegerField()
    judged_at = serializers.DateTimeField(source="created_at")


class RecordedOutput(JudgmentOutput):
    """`reveal` is set while a revealed suggestion waits for a decision."""

    reveal = serializers.SerializerMethodField()

    @extend_schema_field(RevealOutput(allow_null=True))
    def get_reveal(self, judgment: Judgment) -> dict[str, object] | None:
        reveal = judging_card.build_reveal(judgment)
        if reveal is None:
            return None
        decide_at = reverse("api_decide", args=[judgment.assessor.collection.slug, judgment.pk])
        return RevealOutput({"suggestion": reveal.suggestion, "decide": decide_at}).data


class AlreadyGradedOutput(web_api.ErrorOutput):
    judgment = JudgmentOutput()


@extend_schema(
    operation_id="record_judgment",
    summary="Store a judgment of a claimed pair",
    description="201 when it is stored, 200 when it was stored before. Without a key the claim is the key.",
    parameters=[web_api.key_header(is_required=False)],
    request=JudgmentInput,
    responses={
        200: RecordedOutput,
        201: RecordedOutput,
        **web_api.error_answers(400, 403, 413, 415),
        409: OpenApiResponse(AlreadyGradedOutput, "The pair holds another answer of yours."),
    },
    tags=["judging"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def record_judgment(request: web_api.SignedInRequest, slug: str) -> Response:
    access.assessor_or_404(request.user, slug)
    sent = web_api.validate_body(JudgmentInput, request.data)
    token, now = sent["claim"], timezone.now()
    key = web_api.read_key(request) or token
    with _refusals():
        turn = turns.save(
            by=request.user, slug=slug, token=token, key=key, answer=read_answer(sent), now=now, claims_next=False
        )
    judgment = turn.judgment
    return Response(RecordedOutput(judgment).data, status=201 if judgment.created_at == now else 200)


@extend_schema(
    operation_id="change_judgment",
    summary="Change a judgment of yours",
    description="Stores a new version; the earlier one stays in the history.",
    parameters=[web_api.key_header(is_required=True)],
    request=AnswerInput,
    responses={200: RecordedOutput, 201: RecordedOutput, **web_api.error_answers(400, 403, 413, 415)},
    tags=["judging"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def change_judgment(request: web_api.SignedInRequest, slug: str, judgment_id: int) -> Response:
    assessor = access.assessor_or_404(request.user, slug)
    answer = read_answer(web_api.validate_body(AnswerInput, request.data))
    key, now = web_api.require_key(request, "A change"), timezone.now()
    with _refusals():
        turn = turns.change(
            assessor=assessor, judgment_id=judgment_id, key=key, answer=answer, now=now, claims_next=False
        )
    judgment = turn.judgment
    return Response(RecordedOutput(judgment).data, status=201 if judgment.created_at == now else 200)


@extend_schema(
    operation_id="decide_after_reveal",
    summary="Keep or change your grade after a reveal",
    description="The first decision stands; another one later is answered with 409.",
    request=DecisionInput,
    responses={
        200: RecordedOutput,
        **web_api.error_answers(400, 403, 413, 415),
        409: OpenApiResponse(AlreadyGradedOutput, "It was decided otherwise before."),
    },
    tags=["judging"],
)
@web_api.api_view("POST")
@parser_classes([web_api.JsonParser])
def decide_after_reveal(request: web_api.SignedInRequest, slug: str, judgment_id: int) -> Response:
    assessor = access.assessor_or_404(request.user, slug)
    grade = web_api.validate_body(DecisionInput, request.data)["grade"]
    with _refusals():
        turn = turns.decide(
            assessor=assessor, judgment_id=judgment_id, grade=grade, now=timezone.now(), claims_next=False
        )
    judgment = turn.judgment
    if judgment.grade != grade:
        raise _conflict("It was decided before, with another grade. Change the judgment instead.", judgment)
    return Response(RecordedOutput(judgment).data)


@contextmanager
def _refusals() -> Iterator[None]:
    """From what an operation refuses to what the API answers."""
    try:
        yield
    except (Claim.DoesNotExist, Judgment.DoesNotExist, turns.NotAnAssessor):
        raise web_api.Refused(404, "There is no such claim or judgment of yours in this collection.") from None
    except judgments.NotOnScale as reason:
        raise web_api.Refused(400, str(reason), [("grade", str(reason))]) from None
    except judgments.AlreadyGraded as there:
        sentence = "This pair was saved before with another answer. Change that judgment instead."
        raise _conflict(sentence, there.judgment) from None


def _conflict(sentence: str, judgment: Judgment) -> web_api.Refused:
    return web_api.Refused(409, sentence, judgment=JudgmentOutput(judgment).data)


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
    undecided = RecordedOutput(allow_null=True, help_text="your judgment whose reveal waits for a decision")
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
    held = activity.Held(0, None) if claim else activity.count_held_by_others(assessor)
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
        "mine": activity.read_own_progress(assessor) if assessor else None,
        "holes": holes.count_holes(collection) if is_researcher else None,
        "without_text": activity.count_without_text(collection) if is_researcher else None,
    }
    return Response(ProgressOutput(progress).data)


def count_done(collection: Collection) -> dict[str, int]:
    met, wanted = activity.count_done(collection)
    return {"wanted": wanted, "done": met}
