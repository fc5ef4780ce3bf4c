"""What models are asked with: prompts, and profiles of people who search. Never edited: a change is a version."""

from django.db import models
from django.db.models import Q


class Prompt(models.Model):
    """One version of a prompt, word for word. Never edited: another wording is another version."""

    class Purpose(models.TextChoices):
        JUDGING = "JUDGING", "grades a passage"
        BACKSTORY = "BACKSTORY", "writes a backstory"
        VARIANTS = "VARIANTS", "writes query variants"

    class Form(models.TextChoices):
        DIRECT = "DIRECT", "the grade alone"
        RATIONALE = "RATIONALE", "a reason, then the grade"
        DECOMPOSED = "DECOMPOSED", "intent, topicality, trust, then the grade"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="prompts")
    name = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    purpose = models.CharField(max_length=9, choices=Purpose)
    form = models.CharField(max_length=10, choices=Form, blank=True, help_text="of a prompt that grades")
    answer_form = models.CharField(
        max_length=200, blank=True, help_text="of a prompt that grades: where its answers hold the grade"
    )
    example = models.TextField(blank=True, help_text="how a worked example is shown; empty: as Lacuna shows it")
    fixed = models.TextField(blank=True, help_text="the part that is the same for all pairs")
    text = models.TextField(help_text="the part of one pair")
    digest = models.CharField(max_length=64)
    is_fenced = models.BooleanField(default=True, help_text="texts from outside stand between marks they cannot hold")
    is_own = models.BooleanField(help_text="written by a researcher, not one of Lacuna's")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="prompt_version_once", fields=["collection", "name", "version"]),
            models.CheckConstraint(
                name="prompt_form_where_it_grades",
                condition=(Q(purpose="JUDGING") & ~Q(form="")) | (~Q(purpose="JUDGING") & Q(form="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class Profile(models.Model):
    """One version of a kind of people who search, or of a way to change a query. Never edited: a change is a version.

    A profile that only names where imported query variants come from has an empty background.
    """

    class Group(models.TextChoices):
        CONTROL = "CONTROL", "neutral control"
        PERSONA = "PERSONA", "persona"
        GROUP = "GROUP", "user group"
        TEXTUAL = "TEXTUAL", "textual change"
        OTHER = "OTHER", "other"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="profiles")
    name = models.CharField(max_length=60, help_text="as it stands in tables and files")
    version = models.PositiveIntegerField(default=1)
    group = models.CharField(max_length=8, choices=Group, default=Group.OTHER)
    background = models.TextField(blank=True, help_text="who they are")
    factors = models.TextField(blank=True, help_text="what shapes their queries")
    digest = models.CharField(max_length=64)
    is_own = models.BooleanField(help_text="written by a researcher or imported, not one of Lacuna's")
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="profile_version_once", fields=["collection", "name", "version"]),
            models.UniqueConstraint(
                name="profile_one_current", fields=["collection", "name"], condition=Q(is_current=True)
            ),
        ]

    def __str__(self) -> str:
        return self.name
