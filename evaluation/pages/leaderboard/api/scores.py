"""Scores of a collection's runs under completed qrels."""

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.exports.api import rules
from annotate.grades import rankings
from annotate.grades.completed_qrels import NoSuchRater
from annotate.web import access
from annotate.web.api import errors
from evaluation.agreement import value
from evaluation.agreement.value import undefined
from evaluation.engine.scoring import MeasureScores, RangeScores
from evaluation.findings.leaderboard import scores
from evaluation.findings.leaderboard.scores import Leaderboard, SystemScores
from evaluation.measures import registry, unjudged
from evaluation.measures.definition import CannotMeasure
from evaluation.pages.leaderboard.api import chances
from evaluation.statistics.bootstrap import Interval
from evaluation.web.intervals import IntervalOutput
from evaluation.web.reasons import ReasonsOutput

USUAL = "nDCG@10,Judged@10"
MOST = 20


class RangeOutput(ReasonsOutput):
    """The means with all holes at the lowest and at the highest grade; a sensitivity range is no bound."""

    name = serializers.CharField(help_text="`bounds` or `sensitivity range`")
    mean_at_lowest = serializers.FloatField(allow_null=True)
    mean_at_highest = serializers.FloatField(allow_null=True)


class MeasureOutput(ReasonsOutput):
    mean = serializers.FloatField(allow_null=True)
    mean_with_relevant = serializers.FloatField(allow_null=True)
    topics = serializers.IntegerField()
    topics_without_relevant = serializers.IntegerField()
    judged = serializers.FloatField(allow_null=True, help_text="mean of Judged@judged_cutoff")
    judged_cutoff = serializers.IntegerField(help_text="the cut-off of the measure; 10 where it has none")
    short_topics = serializers.IntegerField(help_text="are ranked, but not down to the cut-off")
    interval = IntervalOutput(allow_null=True, help_text="of the mean, over the topics")
    range = RangeOutput(allow_null=True)
    note = serializers.CharField(required=False, help_text="on the short topics, in words")
    by_topic = serializers.DictField(child=serializers.FloatField(), required=False)


class SystemOutput(ReasonsOutput):
    """`place` is from 1 by the first measure. `model_share` is of the judged passages down to the rank of `judged`."""

    run_tag = serializers.CharField()
    group = serializers.CharField()
    model_family = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    measures = serializers.DictField(child=MeasureOutput())
    judged = serializers.FloatField(allow_null=True, help_text="the mean of `judged_measure`")
    model_share = serializers.FloatField(allow_null=True)
    model_gains = serializers.FloatField(
        allow_null=True, help_text="the share of its gains by the first measure that grades of models give"
    )
    missing_topics = serializers.ListField(child=serializers.CharField(), help_text="not in the run; they count 0")


class ScoresOutput(serializers.Serializer):
    rule = serializers.CharField()
    consensus = serializers.CharField()
    judged_measure = serializers.CharField(help_text="Judged at the cut-off of the first measure, at 10 without one")
    topics = serializers.ListField(child=serializers.CharField(), help_text="all means are over these")
    graded = serializers.IntegerField(help_text="pairs")
    graded_by_models = serializers.IntegerField()
    by_chances = serializers.IntegerField(help_text="of these, pairs that count by the probabilities of their grades")
    systems = SystemOutput(many=True)


@extend_schema(
    operation_id="scores",
    summary="Scores of all runs, the best first",
    parameters=[
        *rules.PARAMETERS,
        chances.PARAMETER,
        OpenApiParameter("measures", str, default=USUAL, description=f"at most {MOST}, with commas between them"),
        OpenApiParameter("per_topic", bool, default=False, description="give the value of each topic as well"),
    ],
    responses={200: ScoresOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    rule, with_chances = rules.asked(request.query_params, collection), chances.asked(request.query_params)
    try:
        measures = _measures(request.query_params.get("measures", USUAL))
        found = scores.leaderboard(collection, rule, measures, with_chances=with_chances, with_ranges=True)
    except (registry.MeasureRefused, CannotMeasure) as reason:
        raise errors.Refused(400, str(reason), [("measures", str(reason))]) from None
    except NoSuchRater as reason:
        raise errors.Refused(400, str(reason), [("rule", str(reason))]) from None
    per_topic = request.query_params.get("per_topic") == "true"
    return Response(ScoresOutput(_told(found, rankings.families(collection), per_topic)).data)


def _measures(text: str) -> list[str]:
    names = [str(measure) for measure in registry.parse_list(text)]
    if len(names) > MOST:
        raise registry.MeasureRefused(f"at most {MOST} measures at a time, not {len(names)}")
    return names


def _told(found: Leaderboard, families: Mapping[str, str], per_topic: bool) -> dict:
    return {
        "rule": str(found.rule),
        "consensus": found.rule.consensus_rule,
        "judged_measure": found.judged_measure,
        "topics": found.topics,
        "graded": found.graded,
        "graded_by_models": found.graded_by_models,
        "by_chances": found.by_chances,
        "systems": [_system(system, families.get(system.run_tag, ""), per_topic) for system in found.systems],
    }


def _system(system: SystemScores, family: str, per_topic: bool) -> dict:
    return {
        "run_tag": system.run_tag,
        "group": system.group,
        "model_family": family,
        "place": system.place,
        "measures": {
            name: _measure(scored, system.intervals.get(name), per_topic) for name, scored in system.by_measure.items()
        },
        **value.as_json(
            {"judged": system.judged, "model_share": system.model_share, "model_gains": system.model_gains}
        ),
        "missing_topics": system.missing_topics,
    }


def _measure(scored: MeasureScores, interval: Interval | None, per_topic: bool) -> dict:
    values = {"mean": scored.mean, "mean_with_relevant": scored.mean_with_relevant, "judged": scored.judged}
    if scored.range is None:
        values["range"] = undefined(unjudged.NO_RANGE)
    if interval is None:
        values["interval"] = undefined(scored.mean.reason)
    return {
        **value.as_json(values),
        **({"interval": interval.as_json()} if interval else {}),
        **({"range": _range(scored.range)} if scored.range else {}),
        "topics": scored.topics,
        "topics_without_relevant": scored.topics_without_relevant,
        "judged_cutoff": scored.judged_cutoff,
        "short_topics": scored.short_topics,
        **({"note": scored.short_words} if scored.short_words else {}),
        **({"by_topic": dict(scored.by_topic)} if per_topic else {}),
    }


def _range(found: RangeScores) -> dict:
    means = {"mean_at_lowest": found.mean_at_lowest, "mean_at_highest": found.mean_at_highest}
    return {"name": found.name, **value.as_json(means)}
