"""Intervals, as `bootstrap.Interval.as_json` tells them."""

from rest_framework import serializers


class IntervalOutput(serializers.Serializer):
    """From `low` to `high`, or null with the reason; percentile bootstrap."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField(help_text="the share of the resamples that it spans")
    over = serializers.CharField(help_text="what was drawn anew: topics or pairs")
    n = serializers.IntegerField(help_text="how many of them there are")
    resamples = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="resamples in which the figure is undefined")
    seed = serializers.IntegerField()
    reason = serializers.CharField(required=False, help_text="why there is none")
