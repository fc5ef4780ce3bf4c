from django.db import models


class Memberships(models.QuerySet["Membership"]):
    def of_person(self, person: models.Model, slug: str) -> "Memberships":
        """The roles in force of a person in a collection."""
        return self.filter(collection__slug=slug, user=person.pk, is_active=True)


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
    sitting = models.PositiveIntegerField(default=0, help_text="a pause of half an hour starts a new one")
    sitting_position = models.PositiveIntegerField(default=0)
    last_judged_at = models.DateTimeField(null=True)

    objects = Memberships.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="membership_once_a_role", fields=["collection", "user", "role"]),
            models.UniqueConstraint(name="membership_pseudonym_once", fields=["collection", "pseudonym"]),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} in {self.collection_id}"
