from django.db import models
from django.db.models import Q


class VariantCheck(models.Model):
    """What one person says of a query variant without knowing its profile: same meaning, and who wrote it.

    `shown` names the profiles that were offered, the true one and another, in the order in which they stood.
    """

    class Writer(models.TextChoices):
        FIRST = "FIRST", "the first"
        SECOND = "SECOND", "the second"
        EITHER = "EITHER", "equally likely"

    variant = models.ForeignKey("annotate.QueryVariant", models.PROTECT, related_name="checks")
    member = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="variant_checks")
    has_same_meaning = models.BooleanField()
    writer = models.CharField(max_length=6, choices=Writer, blank=True, help_text="empty where it is not asked")
    first = models.ForeignKey("annotate.Profile", models.PROTECT, null=True, related_name="+")
    second = models.ForeignKey("annotate.Profile", models.PROTECT, null=True, related_name="+")
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="variant_check_once", fields=["variant", "member"]),
            models.CheckConstraint(
                name="variant_check_names_two_writers",
                condition=Q(first__isnull=False, second__isnull=False) | Q(first=None, second=None, writer=""),
            ),
        ]
