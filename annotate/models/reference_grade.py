from django.db import models
from django.db.models import Q


class ReferenceGrade(models.Model):
    """A grade of a reference rater, as imported. Negative ones are kept: -1 pooled but unjudged, -2 junk."""

    rater = models.ForeignKey("annotate.Rater", models.CASCADE, related_name="reference_grades")
    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="reference_grades")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, related_name="reference_grades")
    grade = models.SmallIntegerField()
    dropped_by = models.ForeignKey("annotate.HoleDraw", models.PROTECT, null=True, related_name="dropped_grades")

    class Meta:
        constraints = [models.UniqueConstraint(name="reference_grade_once", fields=["rater", "pair"])]
        indexes = [
            models.Index(name="reference_grade_dropped", fields=["dropped_by"], condition=Q(dropped_by__isnull=False))
        ]
