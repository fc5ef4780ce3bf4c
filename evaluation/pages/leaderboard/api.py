"""The leaderboard in the API: scores of runs under completed qrels, and what another rule changes."""

from collections.abc import Mapping
from dataclasses import asdict

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from annotate.exports import api as exports_api
from annotate.grades import rankings
from annotate.grades.completed_qrels import NoSuchRater
from annotate.web import access
from annotate.web import api as web_api
from evaluation import web
from evaluation.agreement import value as agreement_value
from evaluation.agreement.value import Value, undefined
from evaluation.engine.ranking_shift import SystemShift
from evaluation.engine.scoring import MeasureScores, RangeScores
from evaluation.findings import finding
from evaluation.findings.finding import KnownFinding
from evaluation.findings.leaderboard import comparisons, scores
from evaluation.findings.leaderboard.comparisons import ChangedPair, Changes, ChangesQuestion, Comparison
from evaluation.findings.leaderboard.scores import Leaderboard, SystemScores
from evaluation.inputs.choices import CHANCES
from evaluation.measures import registry, unjudged
from evaluation.measures.definition import CannotMeasure
from evaluation.statistics.bootstrap import Interval
from evaluation.web import IntervalOutput, ReasonsOutput

MODELS_PARAMETER = OpenApiParameter(
    "models",
    str,
    enum=[CHANCES],
    description="grades of models count by their probabilities where the model gave them: expected gains; "
    "by default as they are",
)


def read_models_parameter(parameters: Mapping[str, str]) -> bool:
    """Whether they count by their probabilities. Raises Refused for a word that says neither."""
    models = parameters.get("models", "")
    if models not in ("", CHANCES):
        reason = f"models is {CHANCES} or left out"
        raise web_api.Refused(400, reason, [("models", reason)])
    return models == CHANCES


USUAL_MEASURES = "nDCG@10,Judged@10"
MOST_MEASURES = 20


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


class ScoresOutput(serializers.Serializer[object]):
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
        *exports_api.RULE_PARAMETERS,
        MODELS_PARAMETER,
        OpenApiParameter(
            "measures", str, default=USUAL_MEASURES, description=f"at most {MOST_MEASURES}, with commas between them"
        ),
        OpenApiParameter("per_topic", bool, default=False, description="give the value of each topic as well"),
    ],
    responses={200: ScoresOutput, **web_api.error_answers(400, 403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_scores(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    rule, with_probabilities = (
        exports_api.read_rule(request.query_params, collection),
        read_models_parameter(request.query_params),
    )
    try:
        measures = _read_measures(request.query_params.get("measures", USUAL_MEASURES))
        found = scores.compute_leaderboard(
            collection, rule, measures, with_probabilities=with_probabilities, with_ranges=True
        )
    except (registry.MeasureRefused, CannotMeasure) as reason:
        raise web_api.Refused(400, str(reason), [("measures", str(reason))]) from None
    except NoSuchRater as reason:
        raise web_api.Refused(400, str(reason), [("rule", str(reason))]) from None
    per_topic = request.query_params.get("per_topic") == "true"
    return Response(ScoresOutput(_describe_scores(found, rankings.model_families(collection), per_topic)).data)


def _read_measures(text: str) -> list[str]:
    names = [str(measure) for measure in registry.parse_list(text)]
    if len(names) > MOST_MEASURES:
        raise registry.MeasureRefused(f"at most {MOST_MEASURES} measures at a time, not {len(names)}")
    return names


def _describe_scores(found: Leaderboard, families: Mapping[str, str], per_topic: bool) -> dict[str, object]:
    return {
        "rule": str(found.rule),
        "consensus": found.rule.consensus_rule,
        "judged_measure": found.judged_measure,
        "topics": found.topics,
        "graded": found.graded,
        "graded_by_models": found.graded_by_models,
        "by_chances": found.by_chances,
        "systems": [_describe_system(system, families.get(system.run_tag, ""), per_topic) for system in found.systems],
    }


def _describe_system(system: SystemScores, family: str, per_topic: bool) -> dict[str, object]:
    return {
        "run_tag": system.run_tag,
        "group": system.group,
        "model_family": family,
        "place": system.place,
        "measures": {
            name: _describe_measure(scored, system.intervals.get(name), per_topic)
            for name, scored in system.by_measure.items()
        },
        **agreement_value.as_json(
            {"judged": system.judged, "model_share": system.model_share, "model_gains": system.model_gains}
        ),
        "missing_topics": system.missing_topics,
    }


def _describe_measure(scored: MeasureScores, interval: Interval | None, per_topic: bool) -> dict[str, object]:
    values = {"mean": scored.mean, "mean_with_relevant": scored.mean_with_relevant, "judged": scored.judged}
    if scored.range is None:
        values["range"] = undefined(unjudged.NO_RANGE)
    if interval is None:
        values["interval"] = undefined(scored.mean.reason)
    return {
        **agreement_value.as_json(values),
        **({"interval": interval.as_json()} if interval else {}),
        **({"range": _describe_range(scored.range)} if scored.range else {}),
        "topics": scored.topics,
        "topics_without_relevant": scored.topics_without_relevant,
        "judged_cutoff": scored.judged_cutoff,
        "short_topics": scored.short_topics,
        **({"note": scored.short_words} if scored.short_words else {}),
        **({"by_topic": dict(scored.by_topic)} if per_topic else {}),
    }


def _describe_range(found: RangeScores) -> dict[str, object]:
    means = {"mean_at_lowest": found.mean_at_lowest, "mean_at_highest": found.mean_at_highest}
    return {"name": found.name, **agreement_value.as_json(means)}


class ChangedPairOutput(serializers.Serializer[object]):
    """The difference is that of the means, the first less the second; p by Tukey's HSD."""

    first = serializers.CharField()
    second = serializers.CharField()
    significance_class = serializers.CharField(help_text="AD, MA or MD")
    difference = serializers.FloatField()
    p = serializers.FloatField(allow_null=True)
    other_difference = serializers.FloatField()
    other_p = serializers.FloatField(allow_null=True)


class ChangesOutput(ReasonsOutput):
    """Classes: significant under both rules (A), one (M), none (P); in the same order (A) or the other (D)."""

    is_stale = serializers.BooleanField(help_text="the facts have changed since; it is being computed again")
    computed_at = serializers.DateTimeField()
    intervals = serializers.DictField(child=IntervalOutput(), help_text="of the correlations, by their names")
    pairs = serializers.IntegerField()
    significant = serializers.IntegerField()
    other_significant = serializers.IntegerField()
    classes = serializers.DictField(child=serializers.IntegerField())
    changed = ChangedPairOutput(many=True)


def describe_changes(value: Changes, known: KnownFinding[Changes]) -> dict[str, object]:
    """What a finding of `system_changes` says."""
    intervals = {
        name: {key: value for key, value in each.items() if key not in ("value", "value_reason")}
        for name, each in value["correlations"].items()
    }
    return {
        "is_stale": known.is_stale,
        "computed_at": known.computed_at,
        "intervals": intervals,
        "pairs": value["pairs"],
        "significant": value["significant_a"],
        "other_significant": value["significant_b"],
        "classes": value["classes"],
        "changed": list(map(_describe_pair, value["changed"])),
        **({"reason": {"p": value["reason"]}} if value["reason"] else {}),
    }


def _describe_pair(pair: ChangedPair) -> dict[str, object]:
    return {
        "first": pair["first"],
        "second": pair["second"],
        "significance_class": pair["class"],
        "difference": pair["difference_a"],
        "p": pair["p_a"],
        "other_difference": pair["difference_b"],
        "other_p": pair["p_b"],
    }


USUAL_MEASURE = "nDCG@10"


class PlacesOutput(serializers.Serializer[object]):
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
        *exports_api.RULE_PARAMETERS,
        OpenApiParameter("other", str, required=True, description="the rule beside it, written in the same way"),
        OpenApiParameter("measure", str, default=USUAL_MEASURE),
        MODELS_PARAMETER,
    ],
    responses={200: ComparisonOutput, **web_api.error_answers(400, 403)},
    tags=["findings"],
)
@web_api.api_view("GET")
def show_comparison(request: web_api.SignedInRequest, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    asked = request.query_params
    if not asked.get("other"):
        raise web_api.Refused(400, "Two rules are compared: other is missing.", [("other", "is missing")])
    a, b = (exports_api.read_rule(asked, collection, name) for name in ("rule", "other"))
    with_probabilities, measure = read_models_parameter(asked), asked.get("measure", USUAL_MEASURE)
    try:
        found = comparisons.compare_rules(collection, a, b, measure, with_probabilities=with_probabilities)
    except (registry.MeasureRefused, CannotMeasure) as reason:
        raise web_api.Refused(400, str(reason), [("measure", str(reason))]) from None
    except NoSuchRater as reason:
        raise web_api.Refused(400, str(reason), [("rule", str(reason))]) from None
    question = ChangesQuestion.between(a, b, found.measure, with_probabilities=with_probabilities)
    known = finding.ask_finding(collection=collection, question=question, by=request.user, now=timezone.now())
    return Response(ComparisonOutput(_describe_comparison(found, known)).data)


def _describe_comparison(found: Comparison, known: KnownFinding[Changes]) -> dict[str, object]:
    shift = found.shift
    names = ("tau_b", "tau_ap", "tau_a", "gamma", "spearman")
    values: dict[str, Value] = {name: getattr(shift, name) for name in names}
    if known.value is None:
        values["changes"] = undefined(web.describe_waiting(known))
    return {
        "measure": found.measure,
        "rule": str(found.reference.rule),
        "other": str(found.other.rule),
        "consensus": found.reference.rule.consensus_rule,
        "topics": shift.topics,
        "topics_only_rule": found.only_reference,
        "topics_only_other": found.only_other,
        **agreement_value.as_json(values),
        "pairs": found.pairs,
        "swapped": found.swapped,
        "systems": list(map(_describe_places, shift.systems)),
        "moved": list(map(_describe_places, shift.moved)),
        **({"changes": describe_changes(known.value, known)} if known.value else {}),
    }


def _describe_places(system: SystemShift) -> dict[str, object]:
    return {**asdict(system), "places_up": system.places_up}
