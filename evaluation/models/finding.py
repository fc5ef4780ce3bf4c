from django.db import models


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
