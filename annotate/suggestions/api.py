"""A model's suggestion as an assessor may see it."""

from rest_framework import serializers


class SuggestionOutput(serializers.Serializer[object]):
    grade = serializers.IntegerField()
    probabilities = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="over the scale, from the lowest grade up"
    )
    reason = serializers.CharField(source="reason_for_assessors", help_text="without what quotes grades of other pairs")
    rater = serializers.CharField(source="rater.name")
