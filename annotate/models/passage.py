from django.db import models


class PublishedPassages(models.QuerySet["Passage"]):
    def published(self) -> "PublishedPassages":
        return self.filter(source__state="PUBLISHED")


class Passage(models.Model):
    """A text that can be retrieved; stored raw and escaped once on output. `passage_id` is opaque text."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="passages")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, related_name="passages")
    passage_id = models.CharField(max_length=512)
    title = models.TextField(blank=True)
    text = models.TextField()

    objects = PublishedPassages.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(name="passage_id_once", fields=["collection", "passage_id"])]

    def __str__(self) -> str:
        return self.passage_id
