from django.db import models


class PairDraw(models.Model):
    """Which pairs people are asked about, or in which order, recorded before they judge. A new draw ends the old one.

    `design` holds what an analysis needs. SAMPLE: the strata (per topic the size of the frame and of the sample) and
    the digests of runs and model grades. LIST: its digest. INFLUENCE: what it was computed from. CALIBRATION: how many
    pairs of each reference grade.
    """

    class Kind(models.TextChoices):
        SAMPLE = "SAMPLE", "random sample"
        LIST = "LIST", "fixed list"
        INFLUENCE = "INFLUENCE", "order by influence"
        CALIBRATION = "CALIBRATION", "reference pairs mixed in"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="pair_draws")
    kind = models.CharField(max_length=11, choices=Kind)
    seed = models.BigIntegerField(null=True)
    size = models.PositiveIntegerField(help_text="pairs")
    frame_version = models.PositiveIntegerField(help_text="of the frame of pairs that it was drawn from")
    design = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)
