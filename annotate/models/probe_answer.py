from django.db import models

from annotate.models.suggestion import Suggestion
from annotate.rules.disguises import Disguise


class ProbeAnswer(models.Model):
    """What a judge says of a passage of another topic in a disguise: it measures the judge, and is no suggestion.

    The states are those of a suggestion; only DONE has a grade.
    """

    State = Suggestion.State

    batch = models.ForeignKey("annotate.Batch", models.CASCADE, related_name="probe_answers")
    topic = models.ForeignKey("annotate.Topic", models.CASCADE, related_name="+")
    passage = models.ForeignKey("annotate.Passage", models.CASCADE, related_name="+")
    backstory = models.ForeignKey("annotate.Backstory", models.RESTRICT, null=True, related_name="+")
    disguise = models.CharField(max_length=5, choices=[(one.value, one.value.lower()) for one in Disguise])
    state = models.CharField(max_length=10, choices=Suggestion.State, default=Suggestion.State.QUEUED)
    grade = models.SmallIntegerField(null=True)
    probabilities = models.JSONField(null=True, help_text="over the scale, from the lowest grade up")
    reason = models.TextField(blank=True)
    answer = models.TextField(blank=True, help_text="the raw text of the answer")
    cause = models.CharField(max_length=60, blank=True, help_text="why there is no answer")
    stop_reason = models.CharField(max_length=40, blank=True, help_text="in the service's words")
    request_id = models.CharField(max_length=100, blank=True)
    tokens = models.JSONField(null=True, help_text="[fresh, cached, written, given] as the service counts them")
    milliseconds = models.PositiveIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="probe_answer_once", fields=["batch", "topic", "passage", "disguise"]),
            models.CheckConstraint(
                name="probe_answer_grade_only_when_done",
                condition=models.Q(state="DONE", grade__isnull=False)
                | (~models.Q(state="DONE") & models.Q(grade__isnull=True)),
            ),
        ]
