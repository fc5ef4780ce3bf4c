from django.db import models
from django.db.models import Q


class Adjudication(models.Model):
    """A decision on a pair that people disagree about. A change is a new version; a later judgment only flags it."""

    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="adjudications")
    adjudicator = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="adjudications")
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    key = models.UUIDField(unique=True, help_text="idempotency key: a repeated save finds its row")
    grade = models.SmallIntegerField(null=True, help_text="none: nobody can judge this pair, it stays a hole")
    reason = models.TextField()
    guidelines = models.ForeignKey("annotate.Guidelines", models.PROTECT, related_name="+")
    judgments = models.PositiveSmallIntegerField(help_text="of people that were there when it was decided")
    has_new_evidence = models.BooleanField(default=False, help_text="somebody judged the pair since")
    names_shown = models.BooleanField(default=False)
    has_judged = models.BooleanField(default=False, help_text="the adjudicator had judged the pair too")
    suggestion = models.ForeignKey(
        "annotate.Suggestion", models.PROTECT, null=True, related_name="+", help_text="in view when it was decided"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="adjudication_one_current", fields=["pair"], condition=Q(is_current=True)),
            models.UniqueConstraint(name="adjudication_version_once", fields=["pair", "version"]),
            models.CheckConstraint(name="adjudication_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="adjudication_grade_is_not_negative", condition=Q(grade__isnull=True) | Q(grade__gte=0)
            ),
        ]
