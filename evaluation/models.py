"""Findings and studies as rows. Findings can be deleted at any time and are computed again."""

from django.db import models
from django.db.models import Q

from annotate.models import Work


class Finding(models.Model):
    """Numbers that took time to compute from facts. It can be deleted at any time and is computed again.

    `question` says what was asked, `key` is its digest. `facts` is the digest of the facts that `value` was computed
    from: where those of today differ, the finding is stale and knows it.
    """

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="findings")
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    question = models.JSONField()
    facts = models.CharField(max_length=64)
    value = models.JSONField()
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="finding_once", fields=["collection", "kind", "key"])]


class Study(models.Model):
    """A question with its plan and its inputs written down before it runs, and what it found.

    `plan` is what was wanted; `manifest` names every input with its digest, the files that keep them, and the versions
    of what computes. The same plan and manifest give the same bytes of `result` and `report`, what there is to show;
    both are None until all parts are there.
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
    report = models.JSONField(null=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="study_number_once", fields=["collection", "number"]),
            models.CheckConstraint(
                name="study_finished_with_result",
                condition=Q(finished_at__isnull=True, result__isnull=True, report__isnull=True)
                | Q(finished_at__isnull=False, result__isnull=False, report__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def state(self) -> str:
        """As of its work; done as soon as there is a result, while its figures are still being drawn."""
        if self.finished_at is not None:
            return Work.State.DONE
        return self.work.state if self.work else Work.State.STOPPED

    @property
    def state_words(self) -> str:
        return Work.State(self.state).label


class StudyPart(models.Model):
    """What one part of a study found; a study that was interrupted goes on with the parts that are not there."""

    study = models.ForeignKey("evaluation.Study", models.CASCADE, related_name="parts")
    name = models.CharField(max_length=200)
    found = models.JSONField()
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="study_part_once", fields=["study", "name"])]
