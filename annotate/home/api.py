"""Collections that the person has a role in."""

import itertools

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from annotate.judging import api as judging_api
from annotate.judging.api import GuidelinesOutput
from annotate.models import Collection, Guidelines, Membership, Rater
from annotate.web import access
from annotate.web import api as web_api


class RaterOutput(serializers.Serializer[object]):
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Rater.Kind.choices)


class CollectionOutput(serializers.Serializer[object]):
    slug = serializers.CharField()
    title = serializers.CharField()
    scale = serializers.CharField(help_text="lowest and highest grade, for instance 0-3")
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Membership.Role.choices))
    progress = judging_api.DoneOutput()


class CollectionDetailOutput(CollectionOutput):
    description = serializers.CharField(allow_null=True, help_text="for researchers")
    is_paused = serializers.BooleanField()
    guidelines = GuidelinesOutput()
    raters = RaterOutput(many=True, allow_null=True, help_text="sources of grades, for researchers")


@extend_schema(
    operation_id="collections",
    summary="Your collections",
    responses={200: CollectionOutput(many=True), 401: web_api.error_answers()[401]},
    tags=["collections"],
)
@web_api.api_view("GET")
def index(request: web_api.SignedInRequest) -> Response:
    mine = Membership.objects.filter(user=request.user, is_active=True).select_related("collection")
    by_collection = itertools.groupby(mine.order_by("collection__slug", "role"), lambda m: m.collection)
    described = [_describe(collection, [m.role for m in roles]) for collection, roles in by_collection]
    return Response(CollectionOutput(described, many=True).data)


@extend_schema(
    operation_id="collection",
    summary="One collection, with the guidelines in force",
    responses={200: CollectionDetailOutput, **web_api.error_answers()},
    tags=["collections"],
)
@web_api.api_view("GET")
def detail(request: web_api.SignedInRequest, slug: str) -> Response:
    memberships = access.memberships(request.user, slug)
    collection, roles = memberships[0].collection, sorted(m.role for m in memberships)
    is_researcher = Membership.Role.RESEARCHER in roles
    described = {
        **_describe(collection, roles),
        "description": collection.description if is_researcher else None,
        "is_paused": collection.is_paused,
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
        "raters": Rater.objects.filter(collection=collection).order_by("name") if is_researcher else None,
    }
    return Response(CollectionDetailOutput(described).data)


def _describe(collection: Collection, roles: list[str]) -> dict[str, object]:
    return {
        "slug": collection.slug,
        "title": collection.title,
        "scale": str(collection.scale),
        "roles": roles,
        "progress": judging_api.count_done(collection),
    }
