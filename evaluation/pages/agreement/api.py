"""Agreement in the API: of two raters, whole and in groups, with its intervals; and of several together."""

from collections.abc import Iterable
from dataclasses import asdict

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from annotate.models import Collection
from annotate.web import access
from annotate.web import api as web_api
from evaluation import web
from evaluation.agreement import value
from evaluation.engine import rater_agreement
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings import finding
from evaluation.findings.agreement import agreement, matrix
from evaluation.findings.agreement import groups as agreement_anchoring
from evaluation.findings.agreement import groups as agreement_groups
from evaluation.findings.agreement.agreement import Agreement, NotComparable, Side, Sides
from evaluation.findings.agreement.details import DetailsQuestion
from evaluation.findings.agreement.groups import Group
from evaluation.findings.agreement.matrix import Several, SeveralIntervals, SeveralQuestion
from evaluation.findings.finding import KnownFinding
from evaluation.inputs import raters as inputs_raters
from evaluation.web import IntervalOutput, ReasonsOutput

NAMES = "`reference`, `dropped`, `people`, an assessor's pseudonym or the name of a rater; of people also with `:blind`"


class LeftOutOutput(serializers.Serializer[object]):
    number = serializers.IntegerField()
    what = serializers.CharField()


class SideOutput(serializers.Serializer[object]):
    rater = serializers.CharField()
    counted = serializers.IntegerField(help_text="grades of this rater that count")
    left_out = LeftOutOutput(many=True)


class KappaOutput(ReasonsOutput):
    unweighted = serializers.FloatField(allow_null=True)
    linear = serializers.FloatField(allow_null=True)
    quadratic = serializers.FloatField(allow_null=True)
    binary = serializers.FloatField(allow_null=True, help_text="relevant from `relevant_from` on")


@extend_schema_field(
    {
        "type": "object",
        "properties": {"reason": {"type": "object", "additionalProperties": {"type": "string"}}},
        "additionalProperties": {"type": ["number", "null"]},
    }
)
class KappaFromOutput(serializers.DictField):
    """Numbers by grade, with `reason` among them where one is null."""


class AlphaOutput(ReasonsOutput):
    nominal = serializers.FloatField(allow_null=True)
    ordinal = serializers.FloatField(allow_null=True)
    interval = serializers.FloatField(allow_null=True)


class FiguresOutput(ReasonsOutput):
    """`n` pairs have grades of both; `only_first` and `only_second` more are graded by one alone."""

    n = serializers.IntegerField()
    only_first = serializers.IntegerField()
    only_second = serializers.IntegerField()
    relevant_from = serializers.IntegerField()
    kappa = KappaOutput()
    kappa_from = KappaFromOutput(help_text="binary kappa by the grade from which a pair counts as relevant")
    alpha = AlphaOutput()
    ac1 = serializers.FloatField(allow_null=True, help_text="Gwet's")
    tau_b = serializers.FloatField(allow_null=True, help_text="Kendall's, of the two vectors of grades")
    tau_a = serializers.FloatField(allow_null=True)
    gamma = serializers.FloatField(allow_null=True)
    gamma_recipe = serializers.FloatField(
        allow_null=True, help_text="gamma, and 0 where one rater gives one grade only; null below two pairs"
    )
    spearman = serializers.FloatField(allow_null=True, help_text="of the two vectors of grades")
    share_equal = serializers.FloatField(allow_null=True)
    mean_difference = serializers.FloatField(allow_null=True)
    confusion = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="rows are grades of the first, columns of the second, from the lowest up",
    )


class AmongPeopleOutput(FiguresOutput):
    """People among themselves: `n` pairs have grades of two people or more, `only_first` of one alone. Alpha is that of
    all of them, the other figures are of every two grades of one pair together, and so is the table."""


class PartOutput(serializers.Serializer[object]):
    part = serializers.CharField(help_text="which grades of people")
    figures = FiguresOutput()
    among_people = AmongPeopleOutput(allow_null=True)


class AgreementOutput(FiguresOutput):
    """Beside a model only those grades of people count that were given without a suggestion in view."""

    first = SideOutput()
    second = SideOutput()
    parts = PartOutput(many=True, help_text="the same by what people saw, where one side is people")
    among_people = AmongPeopleOutput(
        allow_null=True, help_text="null where both are people, and where nobody has judged"
    )


def _rater_parameter(parameter: str) -> OpenApiParameter:
    return OpenApiParameter(parameter, str, required=True, description=NAMES)


PARAMETERS = [_rater_parameter("first"), _rater_parameter("second")]


def read_sides(request: web_api.SignedInRequest, collection: Collection) -> Sides:
    """The two raters of an address, as they are compared; refuses those that cannot be."""
    try:
        first, second = (
            inputs_raters.find_rater(collection, request.query_params.get(name, "")) for name in ("first", "second")
        )
        return agreement.make_sides(first, second)
    except (inputs_raters.NoSuchRater, NotComparable) as reason:
        raise web_api.Refused(400, str(reason)) from None


@extend_schema(
    operation_id="agreement",
    summary="How far two raters agree",
    parameters=PARAMETERS,
    responses={200: AgreementOutput, **web_api.error_answers(400, 403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_agreement(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    sides = read_sides(request, collection)
    return Response(AgreementOutput(_describe_agreement(agreement.compare_raters(collection, sides))).data)


def _describe_agreement(found: Agreement) -> dict[str, object]:
    return {
        "first": _describe_side(found.first),
        "second": _describe_side(found.second),
        **rater_agreement.as_json(found.figures),
        "parts": [
            {
                "part": each.part.value,
                "figures": rater_agreement.as_json(each.figures),
                "among_people": _describe_people(each.among),
            }
            for each in found.parts
        ],
        "among_people": _describe_people(found.among),
    }


def _describe_people(found: RaterAgreement | None) -> dict[str, object] | None:
    return None if found is None else rater_agreement.as_json(found)


def _describe_side(side: Side) -> dict[str, object]:
    left_out = [{"number": number, "what": what} for number, what in side.left_out]
    return {"rater": side.rater.address, "counted": side.counted, "left_out": left_out}


class GroupFiguresOutput(ReasonsOutput):
    n = serializers.IntegerField(help_text="pairs")
    alpha = serializers.FloatField(allow_null=True, help_text="ordinal")
    kappa = serializers.FloatField(allow_null=True, help_text="unweighted")
    binary = serializers.FloatField(allow_null=True, help_text="kappa, relevant from `relevant_from` on")
    ac1 = serializers.FloatField(allow_null=True)
    equal = serializers.FloatField(allow_null=True, help_text="the share of equal grades")
    difference = serializers.FloatField(allow_null=True, help_text="mean of the second grade less the first")


class GroupOutput(serializers.Serializer[object]):
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


class GroupsOutput(serializers.Serializer[object]):
    topics = GroupOutput(many=True)
    grades = GroupOutput(many=True, help_text="by the grade of the first")
    sources = GroupOutput(many=True, help_text="by where the pairs come from")
    periods = GroupOutput(many=True, help_text="days, weeks or months (UTC) in which people graded")
    anchoring = AnchoringOutput(allow_null=True, help_text="null unless people and a model are compared")


class IntervalsOutput(serializers.Serializer[object]):
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
    parameters=PARAMETERS,
    responses={200: GroupsOutput, **web_api.error_answers(400, 403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_groups(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    sides = read_sides(request, collection)
    found = agreement_groups.compare_in_groups(collection, sides)
    by_name = {name: _describe_groups(getattr(found, name)) for name in ("topics", "grades", "sources", "periods")}
    return Response(GroupsOutput({**by_name, "anchoring": _describe_anchoring(collection, sides)}).data)


@extend_schema(
    operation_id="agreement_details",
    summary="How sure the agreement of two raters is, and whether a judge leans on length or overlap",
    parameters=PARAMETERS,
    responses={200: DetailsOutput, **web_api.error_answers(400, 403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_details(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    sides = read_sides(request, collection)
    question = DetailsQuestion.of_sides(sides)
    known = finding.ask_finding(collection=collection, question=question, by=request.user, now=timezone.now())
    found = known.value
    if found is None:
        names = ("intervals", "among_people", "length", "overlap")
        nothing = value.as_json(dict.fromkeys(names, value.undefined(web.describe_waiting(known))))
        return Response(DetailsOutput({"is_stale": False, **nothing}).data)
    bins = {
        name: [{**row, "among_people": row["among"]} for row in rows]
        for name, rows in (("length", found["length"]), ("overlap", found["overlap"]))
    }
    answer = {"is_stale": known.is_stale, "intervals": found["intervals"], "among_people": found["among"], **bins}
    return Response(DetailsOutput(answer).data)


def _describe_groups(found: Iterable[Group]) -> list[dict[str, object]]:
    return [{**group.as_json(), "among_people": group.as_json()["among"]} for group in found]


def _describe_anchoring(collection: Collection, sides: Sides) -> dict[str, object] | None:
    if sides.person is None or sides.model is None:
        return None
    found = agreement_anchoring.count_decisions(collection, sides.person, sides.model)
    shares = {"share_changed": found.share_changed, "share_of_differing": found.share_of_differing}
    return {**asdict(found), **value.as_json(shares)}


class CountedOutput(serializers.Serializer[object]):
    rater = serializers.CharField()
    counted = serializers.IntegerField(help_text="grades of this rater that count")


class SeveralOutput(ReasonsOutput):
    """`n` pairs have grades of two raters or more, `complete` of them of all; `alone` more have one grade."""

    raters = CountedOutput(many=True)
    n = serializers.IntegerField()
    complete = serializers.IntegerField()
    alone = serializers.IntegerField()
    alpha = AlphaOutput()
    intervals = serializers.DictField(
        child=serializers.DictField(child=IntervalOutput()),
        allow_null=True,
        help_text="of each level, over topics and over pairs; null until computed in the background: ask again",
    )


@extend_schema(
    operation_id="agreement_several",
    summary="How far several raters agree together",
    parameters=[OpenApiParameter("raters", str, required=True, many=True, description=f"two or more of: {NAMES}")],
    responses={200: SeveralOutput, **web_api.error_answers(400, 403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_several(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    try:
        given = matrix.choose_raters(collection, request.query_params.getlist("raters"))
    except (inputs_raters.NoSuchRater, agreement.NotComparable) as reason:
        raise web_api.Refused(400, str(reason)) from None
    question = SeveralQuestion.of_raters(given)
    known = finding.ask_finding(collection=collection, question=question, by=request.user, now=timezone.now())
    return Response(SeveralOutput(_describe_several(matrix.compare_several(collection, given), known)).data)


def _describe_several(shown: Several, known: KnownFinding[SeveralIntervals]) -> dict[str, object]:
    waiting = {"intervals": None, "reason": {"intervals": web.describe_waiting(known)}}
    return {
        "raters": [
            {"rater": rater.address, "counted": counted}
            for rater, counted in zip(shown.raters, shown.counted, strict=True)
        ],
        "n": shown.found.n,
        "complete": shown.found.complete,
        "alone": shown.found.alone,
        "alpha": value.as_json(shown.found.alpha),
        **({"intervals": known.value} if known.value else waiting),
    }
