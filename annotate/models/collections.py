"""Test collections, the choices that govern how their holes are judged, and their guidelines."""

from django.db import models
from django.db.models import F, Q

from annotate.formats.records import GradeScale
from annotate.rules import assignment


class Collection(models.Model):
    """A test collection and the choices that govern how its holes are judged."""

    class ArmUnit(models.TextChoices):
        PAIR = "PAIR", "by pair"
        TOPIC = "TOPIC", "by topic"
        ASSESSOR = "ASSESSOR", "by assessor"

    class Order(models.TextChoices):
        TOPIC = "TOPIC", "topic by topic"
        RANDOM = "RANDOM", "fully random"
        SAMPLE = "SAMPLE", "a recorded random sample"
        LIST = "LIST", "a fixed list"
        INFLUENCE = "INFLUENCE", "by influence on the ranking of systems"

    class Consensus(models.TextChoices):
        MAJORITY = "MAJORITY", "strict majority"
        MEDIAN = "MEDIAN", "median (lower of two)"
        MAXIMUM = "MAXIMUM", "maximum"
        UNANIMOUS = "UNANIMOUS", "unanimous"
        ADJUDICATED = "ADJUDICATED", "adjudicated only"

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
    pair_draw = models.ForeignKey(
        "annotate.PairDraw",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="where the order is a sample, a list or by influence: which one",
    )

    arm_unit = models.CharField(max_length=10, choices=ArmUnit, default=ArmUnit.PAIR)
    share_hidden = models.PositiveSmallIntegerField(default=100)
    share_shown = models.PositiveSmallIntegerField(default=0)
    share_reveal = models.PositiveSmallIntegerField(default=0)

    target = models.PositiveSmallIntegerField(default=1, help_text="judgments wanted for each hole")
    share_several = models.PositiveSmallIntegerField(default=0, help_text="percent of the pairs judged by several")
    target_several = models.PositiveSmallIntegerField(default=2, help_text="judgments wanted for each of those")
    share_repeated = models.PositiveSmallIntegerField(
        default=0, help_text="percent of a person's judgments asked again, hidden"
    )
    repeat_distance = models.PositiveSmallIntegerField(default=20, help_text="judgments between the two, at least")
    propagates_duplicates = models.BooleanField(
        default=False, help_text="near-duplicates of a passage get its people's grade and are not judged themselves"
    )
    shows_names_to_adjudicators = models.BooleanField(default=False)
    shows_suggestions_to_adjudicators = models.BooleanField(default=False)
    claim_minutes = models.PositiveSmallIntegerField(default=30)
    idle_seconds = models.PositiveSmallIntegerField(default=60)
    consensus = models.CharField(max_length=11, choices=Consensus, default=Consensus.MAJORITY)
    is_paused = models.BooleanField(default=False)

    calibrates_models = models.BooleanField(
        default=True, help_text="the calibrated judge learns from a language model once its batch has ended"
    )
    retrains_after = models.PositiveSmallIntegerField(
        default=50, help_text="new grades until the newest version of Lacuna's own judge has a successor; 0 for never"
    )
    suggests_newest = models.BooleanField(
        default=False, help_text="a successor takes the place of the version that assessors see"
    )

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
            models.CheckConstraint(
                name="collection_several_are_two_or_more", condition=Q(target_several__gte=2, share_several__lte=100)
            ),
            models.CheckConstraint(
                name="collection_repeats_keep_a_distance", condition=Q(repeat_distance__gte=1, share_repeated__lte=100)
            ),
            models.CheckConstraint(
                name="collection_drawn_order_has_its_draw",
                condition=Q(order__in=["TOPIC", "RANDOM"], pair_draw__isnull=True)
                | (~Q(order__in=["TOPIC", "RANDOM"]) & Q(pair_draw__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def scale(self) -> GradeScale:
        return GradeScale(self.lowest_grade, self.highest_grade)

    @property
    def arm_shares(self) -> dict[str, int]:
        """The weights of the arms."""
        return {
            assignment.HIDDEN: self.share_hidden,
            assignment.SHOWN: self.share_shown,
            assignment.REVEAL: self.share_reveal,
        }


class Guidelines(models.Model):
    """One version of what assessors are told, with the words for each grade. Never edited: a change is a version."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    text = models.TextField(blank=True, help_text="Markdown")
    grade_words = models.JSONField(help_text='[{"grade": 0, "name": ..., "description": ...}, ...] over the scale')
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="guidelines_version_once", fields=["collection", "version"]),
            models.UniqueConstraint(name="guidelines_one_current", fields=["collection"], condition=Q(is_current=True)),
        ]
