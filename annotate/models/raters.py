"""Sources of grades other than the collection's own assessors, and what they may be called."""

import re
from typing import TypeVar

from django.db import models
from django.db.models import Q

LEARNED = "learned"  # from text alone
CALIBRATED = "calibrated"  # from what models say, and text
OWN_JUDGES = (LEARNED, CALIBRATED)
# With fewer judged pairs a model's grades would stand as they are.
LEAST_JUDGED = 10


MOST_CHARACTERS = 100
# The collection's own sources of grades, its people's pseudonyms, and the versions of its own judges.
TAKEN_NAMES = re.compile(
    r"reference|original|dropped|adjudicated|people|.*:(?:blind|unanswered-lowest)|"
    rf"(?:assessor|researcher|adjudicator|{'|'.join(OWN_JUDGES)})-\d+"
)


class BadName(ValueError):
    """Why a rater cannot be called so; the sentence that the person reads."""


def check_rater_name(name: str) -> str:
    """The name as it is; raises BadName for one that a rule could not tell, or that means something else there."""
    if not name or name != name.strip() or not name.isprintable() or "," in name or len(name) > MOST_CHARACTERS:
        raise BadName(f"Give the rater a name of up to {MOST_CHARACTERS} characters, without a comma.")
    if TAKEN_NAMES.fullmatch(name):
        raise BadName(f"{name} names grades of the collection itself; give the rater another name.")
    return name


class Rater(models.Model):
    """A named source of grades other than the collection's own assessors: reference qrels, or a model."""

    class Kind(models.TextChoices):
        REFERENCE = "REFERENCE", "reference"
        MODEL = "MODEL", "model"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="raters")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind)
    description = models.TextField(blank=True)
    judge = models.CharField(max_length=40, blank=True, help_text="learned, imported, anthropic ...; empty for people")
    parameters = models.JSONField(
        default=dict, help_text="model, prompt version, digest of the grades learned from ..."
    )
    created_at = models.DateTimeField()
    held_out_by = models.ForeignKey(
        "annotate.HoleDraw",
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="the draw in force that holds out grades which it learned from",
    )

    class Meta:
        constraints = [models.UniqueConstraint(name="rater_name_once", fields=["collection", "name"])]

    def __str__(self) -> str:
        return self.name


class ReferenceGrade(models.Model):
    """A grade of a reference rater, as imported. Negative ones are kept: -1 pooled but unjudged, -2 junk."""

    rater = models.ForeignKey("annotate.Rater", models.CASCADE, related_name="reference_grades")
    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="reference_grades")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, related_name="reference_grades")
    grade = models.SmallIntegerField()
    dropped_by = models.ForeignKey("annotate.HoleDraw", models.PROTECT, null=True, related_name="dropped_grades")

    class Meta:
        constraints = [models.UniqueConstraint(name="reference_grade_once", fields=["rater", "pair"])]
        indexes = [
            models.Index(name="reference_grade_dropped", fields=["dropped_by"], condition=Q(dropped_by__isnull=False))
        ]


Value = TypeVar("Value")


def required(value: Value | None) -> Value:
    """The value: a batch of grades has its rater, work of a collection its collection. Raises LookupError without."""
    if value is None:
        raise LookupError("A row lacks what it cannot lack.")
    return value
