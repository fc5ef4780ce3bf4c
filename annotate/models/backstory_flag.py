from django.db import models


class BackstoryFlag(models.Model):
    """An assessor says that a version of a backstory looks wrong. Once a version and person."""

    backstory = models.ForeignKey("annotate.Backstory", models.CASCADE, related_name="flags")
    assessor = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="+")
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="backstory_flag_once", fields=["backstory", "assessor"])]
