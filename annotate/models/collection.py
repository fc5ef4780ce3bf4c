from django.db import models
from django.db.models import F, Q

from annotate.trec.scale import GradeScale


class Collection(models.Model):
    """A test collection and the choices that govern how its holes are judged."""

    class ArmUnit(models.TextChoices):
        PAIR = "PAIR", "by pair"
        TOPIC = "TOPIC", "by topic"
        ASSESSOR = "ASSESSOR", "by assessor"

    class Order(models.TextChoices):
        TOPIC = "TOPIC", "topic by topic"
        RANDOM = "RANDOM", "fully random"

    class Consensus(models.TextChoices):
        MAJORITY = "MAJORITY", "strict majority"
        MEDIAN = "MEDIAN", "median (lower of two)"
        MAXIMUM = "MAXIMUM", "maximum"
        UNANIMOUS = "UNANIMOUS", "unanimous"

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    lowest_grade = models.SmallIntegerField(default=0)
    highest_grade = models.SmallIntegerField(default=3)
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    reference_rater = models.ForeignKey("annotate.Rater", models.PROTECT, null=True, blank=True, related_name="+")
    suggesting_rater = models.ForeignKey("annotate.Rater", models.PROTECT, null=True, blank=True, related_name="+")

    pool_depth = models.PositiveIntegerField(default=10)
    frame_version = models.PositiveIntegerField(default=0, help_text="raised whenever the frame of pairs changes")
    order = models.CharField(max_length=10, choices=Order, default=Order.TOPIC)
    seed = models.BigIntegerField(default=1)

    arm_unit = models.CharField(max_length=10, choices=ArmUnit, default=ArmUnit.PAIR)
    share_hidden = models.PositiveSmallIntegerField(default=100)
    share_shown = models.PositiveSmallIntegerField(default=0)
    share_reveal = models.PositiveSmallIntegerField(default=0)

    target = models.PositiveSmallIntegerField(default=1, help_text="judgments wanted for each hole")
    claim_minutes = models.PositiveSmallIntegerField(default=30)
    idle_seconds = models.PositiveSmallIntegerField(default=60)
    consensus = models.CharField(max_length=10, choices=Consensus, default=Consensus.MAJORITY)
    is_paused = models.BooleanField(default=False)

    # Counters moved with each save, so that no request counts all judgments.
    pairs_wanted = models.PositiveIntegerField(default=0, help_text="pairs with a target above 0")
    pairs_open = models.PositiveIntegerField(default=0, help_text="of these, still short of their target")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="collection_scale_has_two_grades", condition=Q(highest_grade__gt=F("lowest_grade"))
            ),
            models.CheckConstraint(name="collection_scale_starts_at_0_or_above", condition=Q(lowest_grade__gte=0)),
            models.CheckConstraint(
                name="collection_arm_shares_are_not_all_0",
                condition=Q(share_hidden__gt=0) | Q(share_shown__gt=0) | Q(share_reveal__gt=0),
            ),
            models.CheckConstraint(name="collection_target_is_at_least_1", condition=Q(target__gte=1)),
            models.CheckConstraint(name="collection_claim_lasts_a_minute", condition=Q(claim_minutes__gte=1)),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def scale(self) -> GradeScale:
        return GradeScale(self.lowest_grade, self.highest_grade)
