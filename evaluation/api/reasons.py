"""Why a value is null: undefined is said, never NaN."""

from rest_framework import serializers


class ReasonsOutput(serializers.Serializer):
    reason = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="by name, why a value is null"
    )
