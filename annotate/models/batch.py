from django.db import models
from django.db.models import Q


class Batch(models.Model):
    """One request to a judge or a model: for grades, backstories or query variants, and what it has cost so far."""

    class Purpose(models.TextChoices):
        GRADES = "GRADES", "suggested grades"
        BACKSTORIES = "BACKSTORIES", "backstories"
        VARIANTS = "VARIANTS", "query variants"
        PROBE = "PROBE", "a test of how the judge is fooled"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="batches")
    purpose = models.CharField(max_length=11, choices=Purpose, default=Purpose.GRADES)
    rater = models.ForeignKey(
        "annotate.Rater", models.PROTECT, null=True, related_name="batches", help_text="of a batch of grades"
    )
    judge = models.CharField(max_length=40, help_text="learned, or the service that is asked")
    prompt = models.ForeignKey("annotate.Prompt", models.PROTECT, null=True, related_name="batches")
    parameters = models.JSONField(default=dict)
    pairs = models.PositiveIntegerField(default=0)
    samples = models.PositiveSmallIntegerField(default=1, help_text="answers asked for each pair")
    is_batched = models.BooleanField(default=False, help_text="by the service's own batches, at a lower price")
    budget = models.DecimalField(max_digits=10, decimal_places=2, null=True, help_text="US dollars, never passed")
    calls = models.PositiveIntegerField(default=0, help_text="answers that were paid")
    tokens_fresh = models.PositiveBigIntegerField(default=0)
    tokens_cached = models.PositiveBigIntegerField(default=0)
    tokens_written = models.PositiveBigIntegerField(default=0)
    tokens_given = models.PositiveBigIntegerField(default=0)
    price = models.JSONField(null=True, help_text="of a million tokens when it was asked; none where it is not known")
    note = models.TextField(blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="batch_of_grades_has_its_rater",
                condition=Q(purpose="GRADES", rater__isnull=False) | (~Q(purpose="GRADES") & Q(rater__isnull=True)),
            ),
            models.CheckConstraint(name="batch_asks_once_or_more", condition=Q(samples__gte=1)),
        ]
