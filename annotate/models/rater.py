from django.db import models


class Rater(models.Model):
    """A named source of grades other than the collection's own assessors: reference qrels, or a model."""

    class Kind(models.TextChoices):
        REFERENCE = "REFERENCE", "reference"
        MODEL = "MODEL", "model"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="raters")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind)
    description = models.TextField(blank=True)
    judge = models.CharField(max_length=40, blank=True, help_text="learned, imported, anthropic ...; empty for people")
    parameters = models.JSONField(
        default=dict, help_text="model, prompt version, digest of the grades learned from ..."
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="rater_name_once", fields=["collection", "name"])]

    def __str__(self) -> str:
        return self.name
