from django.db import models


class Run(models.Model):
    """What one system retrieved. The ranks live in an array file named by its digest, never in rows."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="runs")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, related_name="runs")
    tag = models.CharField(max_length=200)
    group = models.CharField(max_length=100, blank=True)
    model_family = models.CharField(max_length=100, blank=True)
    ranks_variants = models.BooleanField(default=False, help_text="its queries are query variants, not topics")
    is_pooled = models.BooleanField(default=True)
    path = models.CharField(max_length=500, help_text="of the array file, below the data folder")
    digest = models.CharField(max_length=64)
    topics = models.PositiveIntegerField()
    ranks = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="run_tag_once", fields=["collection", "tag"], condition=models.Q(ranks_variants=False)
            )
        ]

    def __str__(self) -> str:
        return self.tag
