"""Two rules of completed qrels beside one another: whether the ranking of systems changes, and what survives."""

from dataclasses import asdict

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.exports.api import rules
from annotate.grades.completed_qrels import NoSuchRater
from annotate.web import access
from annotate.web.api import errors
from evaluation.agreement import value
from evaluation.agreement.value import Value, undefined
from evaluation.engine.ranking_shift import SystemShift
from evaluation.findings import finding
from evaluation.findings.finding import Known
from evaluation.findings.leaderboard import comparisons
from evaluation.findings.leaderboard.comparisons import Comparison
from evaluation.inputs import questions
from evaluation.measures import registry
from evaluation.measures.definition import CannotMeasure
from evaluation.pages.leaderboard.api import chances, changes
from evaluation.pages.leaderboard.api.changes import ChangesOutput
from evaluation.web import reasons
from evaluation.web.reasons import ReasonsOutput

USUAL = "nDCG@10"


class PlacesOutput(serializers.Serializer):
    """`places_up` is how many places higher it stands under the other rule; below 0 it fell."""

    run_tag = serializers.CharField()
    reference_mean = serializers.FloatField()
    other_mean = serializers.FloatField()
    reference_place = serializers.IntegerField()
    other_place = serializers.IntegerField()
    places_up = serializers.IntegerField()


class ComparisonOutput(ReasonsOutput):
    """`rule` is the reference. All figures are over `topics`, which both rules grade."""

    measure = serializers.CharField()
    rule = serializers.CharField()
    other = serializers.CharField()
    consensus = serializers.CharField()
    topics = serializers.ListField(child=serializers.CharField())
    topics_only_rule = serializers.ListField(child=serializers.CharField())
    topics_only_other = serializers.ListField(child=serializers.CharField())
    tau_b = serializers.FloatField(allow_null=True)
    tau_ap = serializers.FloatField(allow_null=True)
    tau_a = serializers.FloatField(allow_null=True)
    gamma = serializers.FloatField(allow_null=True)
    spearman = serializers.FloatField(allow_null=True)
    pairs = serializers.IntegerField(help_text="of systems")
    swapped = serializers.IntegerField(help_text="of these, those that stand the other way round")
    systems = PlacesOutput(many=True)
    moved = PlacesOutput(many=True, help_text="the systems that changed their place, the farthest first")
    changes = ChangesOutput(allow_null=True, help_text="null until it is computed in the background: ask again")


@extend_schema(
    operation_id="comparison",
    summary="Whether another rule changes the ranking of systems",
    parameters=[
        *rules.PARAMETERS,
        OpenApiParameter("other", str, required=True, description="the rule beside it, written in the same way"),
        OpenApiParameter("measure", str, default=USUAL),
        chances.PARAMETER,
    ],
    responses={200: ComparisonOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    asked = request.query_params
    if not asked.get("other"):
        raise errors.Refused(400, "Two rules are compared: other is missing.", [("other", "is missing")])
    a, b = (rules.asked(asked, collection, name) for name in ("rule", "other"))
    with_chances, measure = chances.asked(asked), asked.get("measure", USUAL)
    try:
        found = comparisons.compare(collection, a, b, measure, with_chances=with_chances)
    except (registry.MeasureRefused, CannotMeasure) as reason:
        raise errors.Refused(400, str(reason), [("measure", str(reason))]) from None
    except NoSuchRater as reason:
        raise errors.Refused(400, str(reason), [("rule", str(reason))]) from None
    question = questions.comparison(a, b, found.measure, with_chances=with_chances)
    known = finding.ask(collection=collection, question=question, by=request.user, now=timezone.now())
    return Response(ComparisonOutput(_told(found, known)).data)


def _told(found: Comparison, known: Known) -> dict:
    shift = found.shift
    names = ("tau_b", "tau_ap", "tau_a", "gamma", "spearman")
    values: dict[str, Value] = {name: getattr(shift, name) for name in names}
    if known.value is None:
        values["changes"] = undefined(reasons.waiting(known))
    return {
        "measure": found.measure,
        "rule": str(found.reference.rule),
        "other": str(found.other.rule),
        "consensus": found.reference.rule.consensus_rule,
        "topics": shift.topics,
        "topics_only_rule": found.only_reference,
        "topics_only_other": found.only_other,
        **value.as_json(values),
        "pairs": found.pairs,
        "swapped": found.swapped,
        "systems": list(map(_places, shift.systems)),
        "moved": list(map(_places, shift.moved)),
        **({"changes": changes.told(known.value, known)} if known.value else {}),
    }


def _places(system: SystemShift) -> dict:
    return {**asdict(system), "places_up": system.places_up}
