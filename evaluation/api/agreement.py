"""Agreement of two raters of a collection."""

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate import access
from annotate.api import errors
from evaluation import rater_agreement
from evaluation.agreement import value
from evaluation.api.reasons import ReasonsOutput
from evaluation.queries import agreement, raters
from evaluation.queries.agreement import Agreement, NotComparable, Side

NAMES = "`reference`, `dropped`, `people`, an assessor's pseudonym or the name of a rater; of people also with `:blind`"


class LeftOutOutput(serializers.Serializer):
    number = serializers.IntegerField()
    what = serializers.CharField()


class SideOutput(serializers.Serializer):
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
    tau_b = serializers.FloatField(allow_null=True)
    gamma = serializers.FloatField(allow_null=True)
    gamma_recipe = serializers.FloatField(
        allow_null=True, help_text="gamma, and 0 where one rater gives one grade only; null below two pairs"
    )
    share_equal = serializers.FloatField(allow_null=True)
    mean_difference = serializers.FloatField(allow_null=True)
    confusion = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="rows are grades of the first, columns of the second, from the lowest up",
    )


class PartOutput(serializers.Serializer):
    part = serializers.CharField(help_text="which grades of people")
    figures = FiguresOutput()


class AmongPeopleOutput(ReasonsOutput):
    alpha = serializers.FloatField(allow_null=True, help_text="ordinal")
    n = serializers.IntegerField(help_text="pairs with grades of two people or more")


class AgreementOutput(FiguresOutput):
    """Beside a model only those grades of people count that were given without a suggestion in view."""

    first = SideOutput()
    second = SideOutput()
    parts = PartOutput(many=True, help_text="the same by what people saw, where one side is people")
    among_people = AmongPeopleOutput(allow_null=True)


def _name(parameter: str) -> OpenApiParameter:
    return OpenApiParameter(parameter, str, required=True, description=NAMES)


@extend_schema(
    operation_id="agreement",
    summary="How far two raters agree",
    parameters=[_name("first"), _name("second")],
    responses={200: AgreementOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    first, second = (request.query_params.get(name, "") for name in ("first", "second"))
    try:
        found = agreement.agreement(collection, first, second)
    except (raters.NoSuchRater, NotComparable) as reason:
        raise errors.Refused(400, str(reason)) from None
    return Response(AgreementOutput(_told(found)).data)


def _told(found: Agreement) -> dict:
    return {
        "first": _side(found.first),
        "second": _side(found.second),
        **rater_agreement.as_json(found.figures),
        "parts": [{"part": each.part.value, "figures": rater_agreement.as_json(each.figures)} for each in found.parts],
        "among_people": found.among_people
        and {**value.as_json({"alpha": found.among_people}), "n": found.among_people_n},
    }


def _side(side: Side) -> dict:
    left_out = [{"number": number, "what": what} for number, what in side.left_out]
    return {"rater": side.rater.address, "counted": side.counted, "left_out": left_out}
