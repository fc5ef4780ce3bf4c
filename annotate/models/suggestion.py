from django.db import models
from django.db.models import Q


class Suggestion(models.Model):
    """What a model said of a pair. Only DONE has a grade; it never becomes a person's judgment."""

    class State(models.TextChoices):
        QUEUED = "QUEUED", "queued"
        SUBMITTED = "SUBMITTED", "submitted"
        DONE = "DONE", "done"
        REFUSED = "REFUSED", "refused"
        EMPTY = "EMPTY", "empty"
        UNPARSED = "UNPARSED", "not parsed"
        TRUNCATED = "TRUNCATED", "cut off"
        FILTERED = "FILTERED", "filtered"
        FAILED = "FAILED", "failed"
        CANCELLED = "CANCELLED", "cancelled"

    rater = models.ForeignKey("annotate.Rater", models.PROTECT, related_name="suggestions")
    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="suggestions")
    batch = models.ForeignKey("annotate.Batch", models.PROTECT, null=True, related_name="suggestions")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, null=True, related_name="suggestions")
    draw = models.PositiveSmallIntegerField(default=0, help_text="number of the answer where several were asked for")
    state = models.CharField(max_length=10, choices=State)
    grade = models.SmallIntegerField(null=True)
    probabilities = models.JSONField(null=True, help_text="over the scale, from the lowest grade up")
    for_scoring = models.JSONField(null=True, help_text="as probabilities, where a gain rests on others than the grade")
    reason = models.TextField(blank=True)
    answer = models.TextField(blank=True, help_text="the raw text of the answer")
    votes = models.JSONField(null=True, help_text="over the scale: the shares of several answers, on the first of them")
    cause = models.CharField(max_length=60, blank=True, help_text="why there is no answer")
    stop_reason = models.CharField(max_length=40, blank=True, help_text="in the service's words")
    request_id = models.CharField(max_length=100, blank=True)
    tokens = models.JSONField(null=True, help_text="[fresh, cached, written, given] as the service counts them")
    milliseconds = models.PositiveIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    service_batch = models.ForeignKey("annotate.ServiceBatch", models.SET_NULL, null=True, related_name="suggestions")
    backstory = models.ForeignKey("annotate.Backstory", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                name="suggestion_to_ask",
                fields=["batch", "id"],
                condition=Q(state__in=["QUEUED", "SUBMITTED"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(name="suggestion_once", fields=["rater", "pair", "draw"]),
            models.CheckConstraint(
                name="suggestion_grade_only_when_done",
                condition=Q(state="DONE", grade__isnull=False) | (~Q(state="DONE") & Q(grade__isnull=True)),
            ),
            models.CheckConstraint(
                name="suggestion_comes_from_a_batch_or_a_file",
                condition=Q(batch__isnull=False, source__isnull=True) | Q(batch__isnull=True, source__isnull=False),
            ),
        ]
