from django.db import models
from django.db.models import Q


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
