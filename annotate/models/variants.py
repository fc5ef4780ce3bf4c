"""Query variants of topics, and what people say of them."""

from django.db import models
from django.db.models import Q


class PublishedVariants(models.QuerySet["QueryVariant"]):
    def published(self) -> "PublishedVariants":
        """Those that were generated, or came with a file that is imported."""
        return self.filter(Q(source=None) | Q(source__state="PUBLISHED"))


class QueryVariant(models.Model):
    """Another wording of a topic's query; `variant_id` is opaque text, byte for byte.

    Pools, holes and grades belong to the topic: a passage that two wordings find is one pair.
    """

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="variants")
    variant_id = models.CharField(max_length=512)
    topic = models.ForeignKey("annotate.Topic", models.PROTECT, related_name="variants")
    profile = models.ForeignKey("annotate.Profile", models.PROTECT, related_name="variants")
    number = models.PositiveIntegerField(help_text="among those of its topic and profile, from 1")
    text = models.TextField(help_text="empty where only the mapping file was imported")
    generation = models.ForeignKey("annotate.Generation", models.PROTECT, null=True, related_name="variants")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, null=True, related_name="variants")
    measured = models.JSONField(null=True, help_text="likeness to the seed, length, reading grade, unknown words")
    checks_wanted = models.PositiveSmallIntegerField(default=0, help_text="people who are to say what they think of it")
    created_at = models.DateTimeField()

    objects = PublishedVariants.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="variant_id_once", fields=["collection", "variant_id"]),
            models.UniqueConstraint(name="variant_number_once", fields=["topic", "profile", "number"]),
            models.CheckConstraint(name="variant_counted_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="variant_generated_or_imported", condition=~Q(generation__isnull=False, source__isnull=False)
            ),
        ]
        indexes = [models.Index(name="variant_to_check", fields=["collection"], condition=Q(checks_wanted__gt=0))]

    def __str__(self) -> str:
        return self.variant_id


class VariantCheck(models.Model):
    """What one person says of a query variant without knowing its profile: same meaning, and who wrote it.

    `shown` names the profiles that were offered, the true one and another, in the order in which they stood.
    """

    class Writer(models.TextChoices):
        FIRST = "FIRST", "the first"
        SECOND = "SECOND", "the second"
        EITHER = "EITHER", "equally likely"

    variant = models.ForeignKey("annotate.QueryVariant", models.PROTECT, related_name="checks")
    member = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="variant_checks")
    has_same_meaning = models.BooleanField()
    writer = models.CharField(max_length=6, choices=Writer, blank=True, help_text="empty where it is not asked")
    first = models.ForeignKey("annotate.Profile", models.PROTECT, null=True, related_name="+")
    second = models.ForeignKey("annotate.Profile", models.PROTECT, null=True, related_name="+")
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="variant_check_once", fields=["variant", "member"]),
            models.CheckConstraint(
                name="variant_check_names_two_writers",
                condition=Q(first__isnull=False, second__isnull=False) | Q(first=None, second=None, writer=""),
            ),
        ]
