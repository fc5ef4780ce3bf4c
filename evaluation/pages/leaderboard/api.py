"""The leaderboard in the API: scores of runs under completed qrels, and what another rule changes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from annotate.exports import api as exports_api
from annotate.grades import rankings
from annotate.grades.completed_qrels import NoSuchRater
from annotate.models import Collection
from annotate.web import api as web_api
from evaluation import web
from evaluation.agreement.value import Value, as_json, undefined
from evaluation.engine.scoring import MeasureScores
from evaluation.findings.finding import KnownFinding
from evaluation.findings.leaderboard.comparisons import Changes, ChangesQuestion, compare_rules
from evaluation.findings.leaderboard.scores import SystemScores, compute_leaderboard
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


@web.research_api(
    "scores",
    "Scores of all runs, the best first",
    ScoresOutput,
    parameters=[
        *exports_api.RULE_PARAMETERS,
        MODELS_PARAMETER,
        OpenApiParameter(
            "measures", str, default=USUAL_MEASURES, description=f"at most {MOST_MEASURES}, with commas between them"
        ),
        OpenApiParameter("per_topic", bool, default=False, description="give the value of each topic as well"),
    ],
)
def show_scores(request: web_api.SignedInRequest, collection: Collection) -> object:
    asked = request.query_params
    rule, with_probabilities = exports_api.read_rule(asked, collection), read_models_parameter(asked)
    with _refusing("measures"):
        measures = _read_measures(asked.get("measures", USUAL_MEASURES))
        found = compute_leaderboard(collection, rule, measures, with_probabilities=with_probabilities, with_ranges=True)
    families, per_topic = rankings.model_families(collection), asked.get("per_topic") == "true"
    systems = [_describe_system(system, families.get(system.run_tag, ""), per_topic) for system in found.systems]
    return {**vars(found), "consensus": rule.consensus_rule, "systems": systems}


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """A measure or rater that there is not is refused; `name` is the parameter of the measure."""
    try:
        yield
    except (registry.MeasureRefused, CannotMeasure) as reason:
        raise web_api.Refused(400, str(reason), [(name, str(reason))]) from None
    except NoSuchRater as reason:
        raise web_api.Refused(400, str(reason), [("rule", str(reason))]) from None


def _read_measures(text: str) -> list[str]:
    names = [str(measure) for measure in registry.parse_list(text)]
    if len(names) > MOST_MEASURES:
        raise registry.MeasureRefused(f"at most {MOST_MEASURES} measures at a time, not {len(names)}")
    return names


def _describe_system(system: SystemScores, family: str, per_topic: bool) -> dict[str, object]:
    measures = {
        name: _describe_measure(scored, system.intervals.get(name), per_topic)
        for name, scored in system.by_measure.items()
    }
    return {**vars(system), "model_family": family, "measures": measures}


def _describe_measure(scored: MeasureScores, interval: Interval | None, per_topic: bool) -> dict[str, object]:
    described = {
        **vars(scored),
        "range": scored.range or undefined(unjudged.NO_RANGE),
        "interval": interval.as_json() if interval else undefined(scored.mean.reason),
        "topics": scored.topics,
        "note": scored.short_words,
    }
    described |= as_json({name: each for name, each in described.items() if isinstance(each, Value)})
    left_out = {name for name, is_there in (("note", scored.short_words), ("by_topic", per_topic)) if not is_there}
    return {name: each for name, each in described.items() if name not in left_out}


class ChangedPairOutput(serializers.Serializer[object]):
    """The difference is that of the means, the first less the second; p by Tukey's HSD."""

    first = serializers.CharField()
    second = serializers.CharField()
    significance_class = serializers.CharField(source="class", help_text="AD, MA or MD")
    difference = serializers.FloatField(source="difference_a")
    p = serializers.FloatField(source="p_a", allow_null=True)
    other_difference = serializers.FloatField(source="difference_b")
    other_p = serializers.FloatField(source="p_b", allow_null=True)


class ChangesOutput(ReasonsOutput):
    """Classes: significant under both rules (A), one (M), none (P); in the same order (A) or the other (D)."""

    is_stale = serializers.BooleanField(help_text="the facts have changed since; it is being computed again")
    computed_at = serializers.DateTimeField()
    intervals = serializers.DictField(
        source="correlations", child=IntervalOutput(), help_text="of the correlations, by their names"
    )
    pairs = serializers.IntegerField()
    significant = serializers.IntegerField(source="significant_a")
    other_significant = serializers.IntegerField(source="significant_b")
    classes = serializers.DictField(child=serializers.IntegerField())
    changed = ChangedPairOutput(many=True)


def _describe_changes(known: KnownFinding[Changes]) -> object:
    if known.value is None:
        return web.describe_waiting(known)
    described = {**known.value, "is_stale": known.is_stale, "computed_at": known.computed_at}
    reason = described.pop("reason")
    return {**described, "reason": {"p": reason}} if reason else described


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
    topics_only_rule = serializers.ListField(source="only_reference", child=serializers.CharField())
    topics_only_other = serializers.ListField(source="only_other", child=serializers.CharField())
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


@web.research_api(
    "comparison",
    "Whether another rule changes the ranking of systems",
    ComparisonOutput,
    parameters=[
        *exports_api.RULE_PARAMETERS,
        OpenApiParameter("other", str, required=True, description="the rule beside it, written in the same way"),
        OpenApiParameter("measure", str, default=USUAL_MEASURE),
        MODELS_PARAMETER,
    ],
)
def show_comparison(request: web_api.SignedInRequest, collection: Collection) -> object:
    asked = request.query_params
    if not asked.get("other"):
        raise web_api.Refused(400, "Two rules are compared: other is missing.", [("other", "is missing")])
    a, b = (exports_api.read_rule(asked, collection, name) for name in ("rule", "other"))
    with_probabilities, measure = read_models_parameter(asked), asked.get("measure", USUAL_MEASURE)
    with _refusing("measure"):
        found = compare_rules(collection, a, b, measure, with_probabilities=with_probabilities)
    question = ChangesQuestion.between(a, b, found.measure, with_probabilities=with_probabilities)
    known = web.ask_finding(collection, question, request.user)
    rules = {"rule": a, "other": b, "consensus": a.consensus_rule}
    shift = {**vars(found.shift), "moved": found.shift.moved}
    return {**vars(found), **shift, **rules, "changes": _describe_changes(known)}
