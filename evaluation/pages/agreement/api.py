"""Agreement in the API: of two raters, whole and in groups, with its intervals; and of several together."""

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers

from annotate.models import Collection
from annotate.web import api as web_api
from evaluation import web
from evaluation.agreement.value import Value, as_json
from evaluation.findings.agreement import agreement, groups, matrix
from evaluation.findings.agreement.agreement import NotComparable, Sides
from evaluation.findings.agreement.details import DetailsQuestion
from evaluation.findings.agreement.matrix import SeveralQuestion
from evaluation.inputs import raters as inputs_raters
from evaluation.web import IntervalOutput, ReasonsOutput, RevealsOutput

NAMES = "`reference`, `dropped`, `people`, an assessor's pseudonym or the name of a rater; of people also with `:blind`"


class LeftOutOutput(serializers.Serializer[object]):
    number = serializers.IntegerField()
    what = serializers.CharField()


class SideOutput(serializers.Serializer[object]):
    rater = serializers.CharField(source="rater.address")
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

    def to_representation(self, instance: Mapping[int, Value]) -> dict[str, object]:
        return as_json({str(grade): kappa for grade, kappa in instance.items()})


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
    part = serializers.CharField(source="part.value", help_text="which grades of people")
    figures = FiguresOutput()
    among_people = AmongPeopleOutput(source="among", allow_null=True)


class AgreementOutput(FiguresOutput):
    """Beside a model only those grades of people count that were given without a suggestion in view."""

    first = SideOutput()
    second = SideOutput()
    parts = PartOutput(many=True, help_text="the same by what people saw, where one side is people")
    among_people = AmongPeopleOutput(
        source="among", allow_null=True, help_text="null where both are people, and where nobody has judged"
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


@web.research_api("agreement", "How far two raters agree", AgreementOutput, parameters=PARAMETERS)
def show_agreement(request: web_api.SignedInRequest, collection: Collection) -> object:
    found = agreement.compare_raters(collection, read_sides(request, collection))
    return {**vars(found.figures), **vars(found)}


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
    among_people = GroupFiguresOutput(
        source="among", allow_null=True, help_text="people among themselves on pairs of the group"
    )


class AnchoringOutput(ReasonsOutput, RevealsOutput):
    """Grades after which the model's suggestion was revealed, and what became of them."""

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


@web.research_api(
    "agreement_groups", "How far two raters agree by topic, grade, source and time", GroupsOutput, parameters=PARAMETERS
)
def show_groups(request: web_api.SignedInRequest, collection: Collection) -> object:
    sides = read_sides(request, collection)
    found = groups.compare_in_groups(collection, sides)
    by_name = {name: [group.as_json() for group in listed] for name, listed in vars(found).items()}
    if sides.person is None or sides.model is None:
        return {**by_name, "anchoring": None}
    return {**by_name, "anchoring": groups.count_decisions(collection, sides.person, sides.model)}


@web.research_api(
    "agreement_details",
    "How sure the agreement of two raters is, and whether a judge leans on length or overlap",
    DetailsOutput,
    parameters=PARAMETERS,
)
def show_details(request: web_api.SignedInRequest, collection: Collection) -> object:
    question = DetailsQuestion.of_sides(read_sides(request, collection))
    known = web.ask_finding(collection, question, request.user)
    if known.value is None:
        names = ("intervals", "among_people", "length", "overlap")
        return {"is_stale": False, **dict.fromkeys(names, web.describe_waiting(known))}
    return {**known.value, "is_stale": known.is_stale, "among_people": known.value["among"]}


class CountedOutput(serializers.Serializer[object]):
    rater = serializers.CharField(source="rater.address")
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


@web.research_api(
    "agreement_several",
    "How far several raters agree together",
    SeveralOutput,
    parameters=[OpenApiParameter("raters", str, required=True, many=True, description=f"two or more of: {NAMES}")],
)
def show_several(request: web_api.SignedInRequest, collection: Collection) -> object:
    try:
        given = matrix.choose_raters(collection, request.query_params.getlist("raters"))
    except (inputs_raters.NoSuchRater, agreement.NotComparable) as reason:
        raise web_api.Refused(400, str(reason)) from None
    known = web.ask_finding(collection, SeveralQuestion.of_raters(given), request.user)
    found = matrix.compare_several(collection, given)
    raters = [{"rater": rater, "counted": counted} for rater, counted in zip(given, found.counted, strict=True)]
    intervals = known.value or web.describe_waiting(known)
    return {**vars(found.result), "raters": raters, "intervals": intervals}
