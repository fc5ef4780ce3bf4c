from django.db import models


class Batch(models.Model):
    """One request for suggestions: which judge, on which pairs, with which parameters, and how far it is."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="batches")
    rater = models.ForeignKey("annotate.Rater", models.PROTECT, related_name="batches")
    judge = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    pairs = models.PositiveIntegerField(default=0)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")
