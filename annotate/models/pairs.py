"""Pairs of a topic and a passage, and the recorded draws among them."""

from django.db import models
from django.db.models import F, Q


class Pair(models.Model):
    """A topic and a passage that somebody pooled or graded. A hole is a state of it, not a table.

    `is_reference_closed`, `target`, `counted`, `places_open`, `consensus_grade`, `spread` and `is_disputed` follow from
    other rows and are kept here so that the queues read one row. `operations.pair_states` is the only writer; a
    property test recounts them.
    """

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="pairs")
    topic = models.ForeignKey("annotate.Topic", models.CASCADE, related_name="pairs")
    passage_id = models.CharField(max_length=512)
    passage_text = models.ForeignKey("annotate.Passage", models.SET_NULL, null=True, related_name="pairs")

    is_pooled = models.BooleanField(default=False)
    best_rank = models.PositiveIntegerField(null=True, help_text="the best rank in a pooled run, from 1")
    frame_version = models.PositiveIntegerField(default=0, help_text="of the frame in which it entered the pool")
    is_added = models.BooleanField(default=False, help_text="put into the pool by hand, whatever the runs retrieve")
    is_withdrawn = models.BooleanField(default=False)
    withdrawn_reason = models.TextField(blank=True)
    is_drawn = models.BooleanField(default=False, help_text="in the sample or list that the collection's order names")
    is_calibration = models.BooleanField(
        default=False, help_text="shown to people though the reference graded it, to measure their drift from it"
    )
    duplicate_of = models.ForeignKey(
        "annotate.Pair",
        models.SET_NULL,
        null=True,
        related_name="duplicates",
        help_text="the pair of the topic whose passage says nearly the same; never a duplicate itself",
    )

    is_reference_closed = models.BooleanField(default=False)
    consensus_grade = models.SmallIntegerField(null=True, help_text="an adjudicator's, else the consensus of people")
    spread = models.PositiveSmallIntegerField(default=0, help_text="highest minus lowest of people's grades")
    is_disputed = models.BooleanField(default=False, help_text="waits for an adjudicator")
    target = models.PositiveSmallIntegerField(default=0)
    counted = models.PositiveSmallIntegerField(default=0)
    places_open = models.PositiveSmallIntegerField(default=0, help_text="target - counted - open claims, not below 0")
    order_key = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="pair_once", fields=["topic", "passage_id"]),
            models.CheckConstraint(
                name="pair_need_is_not_negative", condition=Q(counted__lte=F("target")) | Q(target=0)
            ),
            models.CheckConstraint(name="pair_places_within_target", condition=Q(places_open__lte=F("target"))),
            models.CheckConstraint(
                name="pair_withdrawn_for_a_reason",
                condition=Q(is_withdrawn=False, withdrawn_reason="") | (Q(is_withdrawn=True) & ~Q(withdrawn_reason="")),
            ),
        ]
        indexes = [
            models.Index(name="pair_queue", fields=["collection", "order_key"], condition=Q(places_open__gt=0)),
            models.Index(name="pair_pool", fields=["collection", "is_pooled", "topic"]),
            models.Index(
                name="pair_disputes", fields=["collection", "-spread", "counted"], condition=Q(is_disputed=True)
            ),
        ]

    @property
    def is_hole(self) -> bool:
        return self.is_pooled and not self.is_reference_closed and self.consensus_grade is None


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


class HoleDraw(models.Model):
    """Synthetic holes: a seeded share of a reference rater's grades, hidden from everyone who judges."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="hole_draws")
    rater = models.ForeignKey("annotate.Rater", models.PROTECT, related_name="hole_draws")
    fraction = models.FloatField()
    grades = models.JSONField(help_text="the grades from each of which the fraction was dropped")
    seed = models.BigIntegerField()
    dropped = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="hole_draw_fraction_is_a_share", condition=Q(fraction__gt=0, fraction__lte=1)),
            models.UniqueConstraint(
                name="hole_draw_one_in_force", fields=["rater"], condition=Q(undone_at__isnull=True)
            ),
        ]
