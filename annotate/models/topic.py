from django.db import models
from django.db.models import Q


class PublishedTopics(models.QuerySet["Topic"]):
    def published(self) -> "PublishedTopics":
        return self.filter(source__state="PUBLISHED")


class Topic(models.Model):
    """An information need; `query_id` is opaque text, byte for byte."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="topics")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, related_name="topics")
    query_id = models.CharField(max_length=512)
    text = models.TextField()
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)

    objects = PublishedTopics.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="topic_query_id_once", fields=["collection", "query_id"]),
            models.CheckConstraint(name="topic_has_text", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return self.query_id
