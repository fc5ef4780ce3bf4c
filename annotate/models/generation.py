from django.db import models
from django.db.models import Q

from annotate.models.suggestion import Suggestion


class Generation(models.Model):
    """One text that a model is asked to write: a topic's backstory, or a profile's query variants of a topic.

    The states are those of a suggestion; only DONE has given a text that is in use.
    """

    State = Suggestion.State

    batch = models.ForeignKey("annotate.Batch", models.PROTECT, related_name="generations")
    topic = models.ForeignKey("annotate.Topic", models.PROTECT, related_name="generations")
    profile = models.ForeignKey("annotate.Profile", models.PROTECT, null=True, related_name="generations")
    state = models.CharField(max_length=10, choices=Suggestion.State)
    texts = models.JSONField(default=list, help_text="what was taken from the answers")
    answers = models.JSONField(default=list, help_text="the raw text of every answer")
    cause = models.CharField(max_length=60, blank=True, help_text="why there is no text")
    stop_reason = models.CharField(max_length=40, blank=True, help_text="of the last answer, in the service's words")
    request_id = models.CharField(max_length=100, blank=True, help_text="of the last answer")
    tokens = models.JSONField(null=True, help_text="[fresh, cached, written, given] of all its answers")
    milliseconds = models.PositiveIntegerField(null=True, help_text="of all its answers")
    attempts = models.PositiveSmallIntegerField(default=0)
    rounds = models.PositiveSmallIntegerField(default=0, help_text="answers that were read since it was asked anew")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="generation_once_a_topic", fields=["batch", "topic"], condition=Q(profile__isnull=True)
            ),
            models.UniqueConstraint(
                name="generation_once_a_profile",
                fields=["batch", "topic", "profile"],
                condition=Q(profile__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                name="generation_to_ask", fields=["batch", "id"], condition=Q(state__in=["QUEUED", "SUBMITTED"])
            )
        ]
