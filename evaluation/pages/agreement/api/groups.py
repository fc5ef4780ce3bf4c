"""Agreement of two raters in groups, and what takes a while to say of it."""

from collections.abc import Iterable
from dataclasses import asdict

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Collection
from annotate.web import access
from annotate.web.api import errors
from evaluation.agreement import value
from evaluation.findings import finding
from evaluation.findings.agreement import anchoring
from evaluation.findings.agreement import groups as agreement_groups
from evaluation.findings.agreement.common_pairs import Sides
from evaluation.findings.agreement.group_figures import Group
from evaluation.inputs import questions
from evaluation.pages.agreement.api import agreement as whole
from evaluation.web import reasons
from evaluation.web.intervals import IntervalOutput
from evaluation.web.reasons import ReasonsOutput


class GroupFiguresOutput(ReasonsOutput):
    n = serializers.IntegerField(help_text="pairs")
    alpha = serializers.FloatField(allow_null=True, help_text="ordinal")
    kappa = serializers.FloatField(allow_null=True, help_text="unweighted")
    binary = serializers.FloatField(allow_null=True, help_text="kappa, relevant from `relevant_from` on")
    ac1 = serializers.FloatField(allow_null=True)
    equal = serializers.FloatField(allow_null=True, help_text="the share of equal grades")
    difference = serializers.FloatField(allow_null=True, help_text="mean of the second grade less the first")


class GroupOutput(serializers.Serializer):
    key = serializers.CharField()
    figures = GroupFiguresOutput()
    among_people = GroupFiguresOutput(allow_null=True, help_text="people among themselves on pairs of the group")


class AnchoringOutput(ReasonsOutput):
    """Grades after which the model's suggestion was revealed, and what became of them."""

    decided = serializers.IntegerField()
    undecided = serializers.IntegerField()
    differing = serializers.IntegerField(help_text="of the decided, those that differed from the suggestion")
    changed = serializers.IntegerField()
    onto = serializers.IntegerField(help_text="the suggestion; part of towards")
    towards = serializers.IntegerField()
    away = serializers.IntegerField()
    raised = serializers.IntegerField()
    lowered = serializers.IntegerField()
    share_changed = serializers.FloatField(allow_null=True)
    share_of_differing = serializers.FloatField(allow_null=True, help_text="moved towards the suggestion")


class GroupsOutput(serializers.Serializer):
    topics = GroupOutput(many=True)
    grades = GroupOutput(many=True, help_text="by the grade of the first")
    sources = GroupOutput(many=True, help_text="by where the pairs come from")
    periods = GroupOutput(many=True, help_text="days, weeks or months (UTC) in which people graded")
    anchoring = AnchoringOutput(allow_null=True, help_text="null unless people and a model are compared")


class IntervalsOutput(serializers.Serializer):
    """Of the figures of the same names in `agreement`."""

    kappa = serializers.DictField(child=IntervalOutput())
    kappa_from = serializers.DictField(child=IntervalOutput())
    alpha = serializers.DictField(child=IntervalOutput())
    ac1 = IntervalOutput()
    tau_b = IntervalOutput()
    tau_a = IntervalOutput()
    gamma = IntervalOutput()
    spearman = IntervalOutput()
    share_equal = IntervalOutput()
    mean_difference = IntervalOutput()


class DetailsOutput(ReasonsOutput):
    """All null until they are computed in the background: ask again."""

    is_stale = serializers.BooleanField(help_text="the facts have changed since; it is being computed again")
    intervals = serializers.DictField(child=IntervalsOutput(), allow_null=True, help_text="over topics, and over pairs")
    among_people = serializers.DictField(
        child=IntervalsOutput(allow_null=True), allow_null=True, help_text="the same of people among themselves"
    )
    length = GroupOutput(many=True, allow_null=True, help_text="by the words of the passage")
    overlap = GroupOutput(many=True, allow_null=True, help_text="by the percent of the query's words in the passage")


@extend_schema(
    operation_id="agreement_groups",
    summary="How far two raters agree by topic, grade, source and time",
    parameters=whole.PARAMETERS,
    responses={200: GroupsOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def groups(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    sides = whole.asked(request, collection)
    found = agreement_groups.of(collection, sides)
    told = {name: _groups(getattr(found, name)) for name in ("topics", "grades", "sources", "periods")}
    return Response(GroupsOutput({**told, "anchoring": _anchoring(collection, sides)}).data)


@extend_schema(
    operation_id="agreement_details",
    summary="How sure the agreement of two raters is, and whether a judge leans on length or overlap",
    parameters=whole.PARAMETERS,
    responses={200: DetailsOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def details(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    sides = whole.asked(request, collection)
    question = questions.agreement(sides.first.address, sides.second.address, sides.models)
    known = finding.ask(collection=collection, question=question, by=request.user, now=timezone.now())
    told = known.value
    if told is None:
        names = ("intervals", "among_people", "length", "overlap")
        nothing = value.as_json(dict.fromkeys(names, value.undefined(reasons.waiting(known))))
        return Response(DetailsOutput({"is_stale": False, **nothing}).data)
    bins = {name: [{**row, "among_people": row["among"]} for row in told[name]] for name in ("length", "overlap")}
    answer = {"is_stale": known.is_stale, "intervals": told["intervals"], "among_people": told["among"], **bins}
    return Response(DetailsOutput(answer).data)


def _groups(found: Iterable[Group]) -> list[dict]:
    return [{**group.as_json(), "among_people": group.as_json()["among"]} for group in found]


def _anchoring(collection: Collection, sides: Sides) -> dict | None:
    if sides.person is None or sides.model is None:
        return None
    found = anchoring.of(collection, sides.person, sides.model)
    shares = {"share_changed": found.share_changed, "share_of_differing": found.share_of_differing}
    return {**asdict(found), **value.as_json(shares)}
