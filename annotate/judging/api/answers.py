"""What an assessor says of a pair, as it is sent."""

from rest_framework import serializers

from annotate.judging.operations.judgments import Answer

LONGEST_COMMENT = 10_000
LONGEST_MS = 2**31 - 1


class AnswerInput(serializers.Serializer):
    """Either a grade of the scale, or a reason why the pair cannot be judged."""

    grade = serializers.IntegerField(required=False, allow_null=True, default=None)
    reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=LONGEST_COMMENT, help_text="why it cannot be judged"
    )
    is_unsure = serializers.BooleanField(required=False, default=False)
    comment = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=LONGEST_COMMENT, trim_whitespace=False
    )
    visible_ms = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=LONGEST_MS
    )
    wall_ms = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0, max_value=LONGEST_MS)

    def validate(self, sent: dict) -> dict:
        if (sent["grade"] is None) == (sent["reason"] == ""):
            raise serializers.ValidationError("Send either a grade, or a reason why the pair cannot be judged.")
        return sent


class JudgmentInput(AnswerInput):
    claim = serializers.UUIDField(help_text="of the pair that was shown")


class DecisionInput(serializers.Serializer):
    grade = serializers.IntegerField()


def of(sent: dict) -> Answer:
    return Answer(**{name: value for name, value in sent.items() if name != "claim"})
