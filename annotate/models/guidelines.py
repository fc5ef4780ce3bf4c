from django.db import models
from django.db.models import Q


class Guidelines(models.Model):
    """One version of what assessors are told, with the words for each grade. Never edited: a change is a version."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    text = models.TextField(blank=True, help_text="Markdown")
    grade_words = models.JSONField(help_text='[{"grade": 0, "name": ..., "description": ...}, ...] over the scale')
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="guidelines_version_once", fields=["collection", "version"]),
            models.UniqueConstraint(name="guidelines_one_current", fields=["collection"], condition=Q(is_current=True)),
        ]
