from django.db import models


class Probe(models.Model):
    """A test of how a judge is fooled: passages of other topics, dressed up, that it is asked to grade.

    `answers` holds a row for each pair and disguise; `result` the shares that were graded relevant.
    """

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="probes")
    judge = models.CharField(max_length=40, help_text="learned, or the service that is asked")
    prompt = models.ForeignKey("annotate.Prompt", models.PROTECT, null=True, related_name="+")
    parameters = models.JSONField(default=dict, help_text="model, number of pairs, seed ...")
    answers = models.JSONField(default=list)
    result = models.JSONField(null=True)
    batch = models.ForeignKey("annotate.Batch", models.PROTECT, null=True, related_name="+", help_text="its costs")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")
