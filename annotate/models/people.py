"""People: who signs in, what they may do in a collection, and the links by which assessors come."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import F, Q


class Users(UserManager["User"]):
    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> "User":
        """By the name that a person types: upper and lower case alike, unless two names differ by nothing else."""
        try:
            return self.get(username=username)
        except self.model.DoesNotExist:
            alike = list(self.filter(username__iexact=username)[:2])
        if len(alike) != 1:
            raise self.model.DoesNotExist
        return alike[0]


class User(AbstractUser):
    """A person who signs in. What the person may do in a collection is said by the memberships."""

    class Theme(models.TextChoices):
        SYSTEM = "SYSTEM", "as the system"
        LIGHT = "LIGHT", "light"
        DARK = "DARK", "dark"

    may_create_collections = models.BooleanField(default=False)
    must_change_password = models.BooleanField(default=False)
    theme = models.CharField(max_length=6, choices=Theme, default=Theme.SYSTEM)
    has_single_key_shortcuts = models.BooleanField(default=True)
    confirms_with_enter = models.BooleanField(default=False)

    objects: ClassVar[Users] = Users()


class Memberships(models.QuerySet["Membership"]):
    def of_person(self, person: models.Model, slug: str) -> "Memberships":
        """The roles in force of a person in a collection."""
        return self.filter(collection__slug=slug, user=person.pk, is_active=True)

    def held(self) -> "Memberships":
        """Locked to the end of the transaction, with the collections as they are now. One thing at a time for a person:
        whoever acts as an assessor holds the own row first. On SQLite the transaction itself is the lock."""
        return self.select_for_update(of=("self",), no_key=True).select_related("collection")


class Membership(models.Model):
    """The role of one person in one collection. As an assessor it is the author of judgments, under a pseudonym."""

    class Role(models.TextChoices):
        RESEARCHER = "RESEARCHER", "researcher"
        ASSESSOR = "ASSESSOR", "assessor"
        ADJUDICATOR = "ADJUDICATOR", "adjudicator"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="memberships")
    user = models.ForeignKey("annotate.User", models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=11, choices=Role)
    pseudonym = models.CharField(max_length=40)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField()

    judged = models.PositiveIntegerField(default=0, help_text="pairs graded or found not judgeable, first round")
    repeated = models.PositiveIntegerField(default=0, help_text="hidden repeats answered")
    skipped = models.PositiveIntegerField(default=0, help_text="pairs skipped and not judged since")
    session = models.PositiveIntegerField(
        default=0, db_column="sitting", help_text="a pause of half an hour starts a new one"
    )
    session_position = models.PositiveIntegerField(default=0, db_column="sitting_position")
    last_judged_at = models.DateTimeField(null=True)

    objects = Memberships.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="membership_once_a_role", fields=["collection", "user", "role"]),
            models.UniqueConstraint(name="membership_pseudonym_once", fields=["collection", "pseudonym"]),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} in {self.collection_id}"


class Invitation(models.Model):
    """A link by which people become assessors of a collection. Only the hash of its secret is stored."""

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="invitations")
    secret_hash = models.CharField(max_length=64, unique=True)
    places = models.PositiveSmallIntegerField(help_text="people who may come by it")
    used = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, related_name="+")
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="when a researcher took it back")

    class Meta:
        constraints = [
            models.CheckConstraint(name="invitation_for_one_or_more", condition=Q(places__gte=1)),
            models.CheckConstraint(name="invitation_used_within_places", condition=Q(used__lte=F("places"))),
        ]
