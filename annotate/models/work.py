"""Background work and the workers that run it."""

from django.db import models
from django.db.models import Q


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
            models.Index(name="work_waiting", fields=["created_at"], condition=Q(state__in=["QUEUED", "RUNNING"]))
        ]

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.STOPPED)


class Worker(models.Model):
    """A sign of life of a background worker, so that pages can say when none answers."""

    name = models.CharField(max_length=200, unique=True)
    beat_at = models.DateTimeField()
