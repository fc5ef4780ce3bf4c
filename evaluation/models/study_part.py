from django.db import models


class StudyPart(models.Model):
    """What one part of a study found; a study that was interrupted goes on with the parts that are not there."""

    study = models.ForeignKey("evaluation.Study", models.CASCADE, related_name="parts")
    name = models.CharField(max_length=200)
    found = models.JSONField()
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="study_part_once", fields=["study", "name"])]
