"""Scores of a collection's runs under completed qrels."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate import access
from annotate.api import errors, rules
from annotate.queries.completed_qrels import NoSuchRater
from evaluation.agreement import value
from evaluation.api.reasons import ReasonsOutput
from evaluation.measures import registry
from evaluation.measures.gains import GainsTooShort
from evaluation.queries import scores
from evaluation.queries.scores import Leaderboard, SystemScores
from evaluation.scoring import MeasureScores

USUAL = "nDCG@10,Judged@10"
MOST = 20


class MeasureOutput(ReasonsOutput):
    mean = serializers.FloatField(allow_null=True)
    mean_with_relevant = serializers.FloatField(allow_null=True)
    topics = serializers.IntegerField()
    topics_without_relevant = serializers.IntegerField()
    by_topic = serializers.DictField(child=serializers.FloatField(), required=False)


class SystemOutput(ReasonsOutput):
    """`place` is from 1 by the first measure. `model_share` is of the judged passages in the top tens."""

    run_tag = serializers.CharField()
    group = serializers.CharField()
    model_family = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    measures = serializers.DictField(child=MeasureOutput())
    judged = serializers.FloatField(allow_null=True, help_text="Judged@10")
    model_share = serializers.FloatField(allow_null=True)
    missing_topics = serializers.ListField(child=serializers.CharField(), help_text="not in the run; they count 0")


class ScoresOutput(serializers.Serializer):
    rule = serializers.CharField()
    consensus = serializers.CharField()
    topics = serializers.ListField(child=serializers.CharField(), help_text="all means are over these")
    graded = serializers.IntegerField(help_text="pairs")
    graded_by_models = serializers.IntegerField()
    systems = SystemOutput(many=True)


@extend_schema(
    operation_id="scores",
    summary="Scores of all runs, the best first",
    parameters=[
        *rules.PARAMETERS,
        OpenApiParameter("measures", str, default=USUAL, description=f"at most {MOST}, with commas between them"),
        OpenApiParameter("per_topic", bool, default=False, description="give the value of each topic as well"),
    ],
    responses={200: ScoresOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    rule = rules.asked(request.query_params, collection)
    try:
        found = scores.leaderboard(collection, rule, _measures(request.query_params.get("measures", USUAL)))
    except (registry.MeasureRefused, GainsTooShort) as reason:
        raise errors.Refused(400, str(reason), [("measures", str(reason))]) from None
    except NoSuchRater as reason:
        raise errors.Refused(400, str(reason), [("rule", str(reason))]) from None
    return Response(ScoresOutput(_told(found, request.query_params.get("per_topic") == "true")).data)


def _measures(text: str) -> list[str]:
    names = [str(measure) for measure in registry.parse_list(text)]
    if len(names) > MOST:
        raise registry.MeasureRefused(f"at most {MOST} measures at a time, not {len(names)}")
    return names


def _told(found: Leaderboard, per_topic: bool) -> dict:
    return {
        "rule": str(found.rule),
        "consensus": found.rule.consensus_rule,
        "topics": found.topics,
        "graded": found.graded,
        "graded_by_models": found.graded_by_models,
        "systems": [_system(system, per_topic) for system in found.systems],
    }


def _system(system: SystemScores, per_topic: bool) -> dict:
    return {
        "run_tag": system.run_tag,
        "group": system.group,
        "model_family": system.model_family,
        "place": system.place,
        "measures": {name: _measure(scored, per_topic) for name, scored in system.by_measure.items()},
        **value.as_json({"judged": system.judged, "model_share": system.model_share}),
        "missing_topics": system.missing_topics,
    }


def _measure(scored: MeasureScores, per_topic: bool) -> dict:
    return {
        **value.as_json({"mean": scored.mean, "mean_with_relevant": scored.mean_with_relevant}),
        "topics": scored.topics,
        "topics_without_relevant": scored.topics_without_relevant,
        **({"by_topic": dict(scored.by_topic)} if per_topic else {}),
    }
