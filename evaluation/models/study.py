from django.db import models


class Study(models.Model):
    """A question with its plan and its inputs written down before it runs, and what it found.

    `plan` is what was wanted; `manifest` names every input with its digest, and the files that keep them. The same
    plan, manifest and versions of libraries give the same bytes of `result`.
    """

    class Kind(models.TextChoices):
        HOLES = "HOLES", "hole filling"
        PROFILES = "PROFILES", "query variants of user profiles"
        SOURCES = "SOURCES", "sources side by side"
        MIXED = "MIXED", "people's and a model's labels together"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="studies")
    number = models.PositiveIntegerField(help_text="in its collection, from 1")
    kind = models.CharField(max_length=8, choices=Kind)
    title = models.CharField(max_length=200)
    plan = models.JSONField()
    manifest = models.JSONField()
    result = models.JSONField(null=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(name="study_number_once", fields=["collection", "number"])]

    def __str__(self) -> str:
        return self.title
