from django.db import models
from django.db.models import Q


class ImportedFile(models.Model):
    """A file on its way into a collection: staged in short batches, made visible by the state PUBLISHED."""

    class Kind(models.TextChoices):
        TOPICS = "TOPICS", "topics"
        PASSAGES = "PASSAGES", "passages"
        QRELS = "QRELS", "qrels"
        RUN = "RUN", "run"
        VARIANTS = "VARIANTS", "query variants"
        GRADES = "GRADES", "grades of models"

    class State(models.TextChoices):
        WAITING = "WAITING", "waiting"
        STAGING = "STAGING", "being read"
        PUBLISHED = "PUBLISHED", "imported"
        REFUSED = "REFUSED", "refused"
        WITHDRAWING = "WITHDRAWING", "being withdrawn"
        WITHDRAWN = "WITHDRAWN", "withdrawn"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="imported_files")
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    name = models.CharField(max_length=255, help_text="the file's name as the person gave it")
    path = models.CharField(max_length=500, help_text="of the kept copy, below the data folder")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes")
    options = models.JSONField(default=dict, help_text="rater, kind of rater, group, model family, pooled")
    faults = models.JSONField(default=list, help_text="what was wrong, one sentence a place, at most 100")
    added = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0, help_text="records that the collection had already")
    left_out = models.PositiveIntegerField(default=0, help_text="records of pairs that the collection lacks")
    note = models.TextField(blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="imported_file_once",
                fields=["collection", "kind", "digest", "options"],
                condition=Q(state__in=["WAITING", "STAGING", "PUBLISHED"]),
            )
        ]
        indexes = [models.Index(fields=["collection", "-created_at"], name="imported_file_newest_first")]
