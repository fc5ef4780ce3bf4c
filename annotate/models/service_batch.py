from django.db import models


class ServiceBatch(models.Model):
    """Requests that were handed to a service's own batch: its id, and when to look at it again."""

    batch = models.ForeignKey("annotate.Batch", models.CASCADE, related_name="service_batches")
    service_id = models.CharField(max_length=200)
    requests = models.PositiveIntegerField()
    submitted_at = models.DateTimeField()
    looks = models.PositiveIntegerField(default=0)
    next_look_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="when all its results were stored")

    class Meta:
        constraints = [models.UniqueConstraint(name="service_batch_once", fields=["batch", "service_id"])]
