"""Why a value is null: undefined is said, never NaN."""

from rest_framework import serializers

from evaluation.findings.finding import Known


class ReasonsOutput(serializers.Serializer):
    reason = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="by name, why a value is null"
    )


def waiting(known: Known) -> str:
    """Why what the background computes is null."""
    if known.is_waiting or known.work is None:
        return "it is being computed in the background: ask again"
    return f"its computation {known.work.get_state_display()}: {known.work.error}".rstrip(": ")
