"""How far judging is."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.grades import holes
from annotate.judging.queries import progress
from annotate.models import Collection, Membership
from annotate.web import access
from annotate.web.api import errors


class MineOutput(serializers.Serializer):
    judged = serializers.IntegerField()
    total = serializers.IntegerField()
    skipped = serializers.IntegerField()


class DoneOutput(serializers.Serializer):
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
    responses={200: ProgressOutput, **errors.answers()},
    tags=["collections"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    roles = {membership.role: membership for membership in access.memberships(request.user, slug)}
    collection = next(iter(roles.values())).collection
    assessor = roles.get(Membership.Role.ASSESSOR)
    is_researcher = Membership.Role.RESEARCHER in roles
    told = {
        **done(collection),
        "mine": progress.of_assessor(assessor) if assessor else None,
        "holes": holes.count(collection) if is_researcher else None,
        "without_text": progress.without_text(collection) if is_researcher else None,
    }
    return Response(ProgressOutput(told).data)


def done(collection: Collection) -> dict[str, int]:
    met, wanted = progress.done(collection)
    return {"wanted": wanted, "done": met}
