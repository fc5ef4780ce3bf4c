"""Rows that name a file in the data folder: imported files, runs, frozen exports."""

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


class Work(models.Model):
    """A piece of background work. The row is the truth: a worker claims it, leases it, and moves its progress."""

    class State(models.TextChoices):
        QUEUED = "QUEUED", "waiting"
        RUNNING = "RUNNING", "running"
        DONE = "DONE", "done"
        FAILED = "FAILED", "failed"
        STOPPED = "STOPPED", "stopped"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, null=True, related_name="work")
    kind = models.CharField(max_length=40)
    queue = models.CharField(
        max_length=20, db_column="lane", help_text="of a collection's work in one queue one piece runs at a time"
    )
    subject = models.CharField(max_length=200, help_text="what it is about, for people")
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    note = models.TextField(blank=True)
    cursor = models.JSONField(null=True, help_text="where to go on after a crash")
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    token = models.UUIDField(null=True, help_text="of the present lease; a result with an old one is refused")
    lease_until = models.DateTimeField(null=True)
    is_stop_wanted = models.BooleanField(default=False)
    served_at = models.DateTimeField(null=True, help_text="when a worker took it up last")
    not_before = models.DateTimeField(null=True, help_text="what it waits for cannot be there earlier")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="work_leased_while_running",
                condition=Q(state="RUNNING", token__isnull=False, lease_until__isnull=False) | ~Q(state="RUNNING"),
            ),
            models.UniqueConstraint(
                name="work_one_running_a_lane", fields=["collection", "queue"], condition=Q(state="RUNNING")
            ),
        ]
        indexes = [
            models.Index(
                name="work_waiting", fields=["collection", "queue", "created_at"], condition=Q(state="QUEUED")
            ),
            models.Index(name="work_served", fields=["collection", "served_at"]),
        ]

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.STOPPED)


class Worker(models.Model):
    """A sign of life of a background worker, so that pages can say when none answers."""

    name = models.CharField(max_length=200, unique=True)
    beat_at = models.DateTimeField()
