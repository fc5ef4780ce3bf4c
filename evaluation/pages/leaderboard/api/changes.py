"""What another rule does to the differences between systems, as the background found it."""

from collections.abc import Mapping

from rest_framework import serializers

from evaluation.findings.finding import Known
from evaluation.web.intervals import IntervalOutput
from evaluation.web.reasons import ReasonsOutput


class ChangedPairOutput(serializers.Serializer):
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


def told(value: Mapping, known: Known) -> dict:
    """What a finding of `system_changes` says."""
    intervals = {
        name: {key: said for key, said in each.items() if key not in ("value", "value_reason")}
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
        "changed": list(map(_pair, value["changed"])),
        **({"reason": {"p": value["reason"]}} if value["reason"] else {}),
    }


def _pair(told: Mapping) -> dict:
    return {
        "first": told["first"],
        "second": told["second"],
        "significance_class": told["class"],
        "difference": told["difference_a"],
        "p": told["p_a"],
        "other_difference": told["difference_b"],
        "other_p": told["p_b"],
    }
