from django.db import models
from django.db.models import Q


class HoleDraw(models.Model):
    """Synthetic holes: a seeded share of a reference rater's grades, hidden from everyone who judges."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="hole_draws")
    rater = models.ForeignKey("annotate.Rater", models.PROTECT, related_name="hole_draws")
    fraction = models.FloatField()
    grades = models.JSONField(help_text="the grades from each of which the fraction was dropped")
    seed = models.BigIntegerField()
    dropped = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="hole_draw_fraction_is_a_share", condition=Q(fraction__gt=0, fraction__lte=1)),
            models.UniqueConstraint(
                name="hole_draw_one_in_force", fields=["rater"], condition=Q(undone_at__isnull=True)
            ),
        ]
