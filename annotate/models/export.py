from django.db import models


class Export(models.Model):
    """A frozen version of completed qrels: the digest stays, the files can be fetched again and cited."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="exports")
    number = models.PositiveIntegerField()
    rule = models.JSONField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of qrels.txt")
    path = models.CharField(max_length=500, help_text="of the folder, below the data folder")
    manifest = models.JSONField()
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(name="export_number_once", fields=["collection", "number"])]
