"""Agreement of two raters of a collection."""

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Collection
from annotate.web import access
from annotate.web.api import errors
from evaluation.engine import rater_agreement
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement import agreement
from evaluation.findings.agreement.agreement import Agreement, NotComparable, Side
from evaluation.findings.agreement.common_pairs import Sides
from evaluation.inputs import raters
from evaluation.web.reasons import ReasonsOutput

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


class PartOutput(serializers.Serializer):
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


def _name(parameter: str) -> OpenApiParameter:
    return OpenApiParameter(parameter, str, required=True, description=NAMES)


PARAMETERS = [_name("first"), _name("second")]


def asked(request: Request, collection: Collection) -> Sides:
    """The two raters of an address, as they are compared; refuses those that cannot be."""
    try:
        first, second = (raters.named(collection, request.query_params.get(name, "")) for name in ("first", "second"))
        return agreement.compared(first, second)
    except (raters.NoSuchRater, NotComparable) as reason:
        raise errors.Refused(400, str(reason)) from None


@extend_schema(
    operation_id="agreement",
    summary="How far two raters agree",
    parameters=PARAMETERS,
    responses={200: AgreementOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    sides = asked(request, collection)
    return Response(AgreementOutput(_told(agreement.of(collection, sides))).data)


def _told(found: Agreement) -> dict:
    return {
        "first": _side(found.first),
        "second": _side(found.second),
        **rater_agreement.as_json(found.figures),
        "parts": [
            {
                "part": each.part.value,
                "figures": rater_agreement.as_json(each.figures),
                "among_people": _among(each.among),
            }
            for each in found.parts
        ],
        "among_people": _among(found.among),
    }


def _among(found: RaterAgreement | None) -> dict | None:
    return None if found is None else rater_agreement.as_json(found)


def _side(side: Side) -> dict:
    left_out = [{"number": number, "what": what} for number, what in side.left_out]
    return {"rater": side.rater.address, "counted": side.counted, "left_out": left_out}
