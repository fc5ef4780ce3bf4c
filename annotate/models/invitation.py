from django.db import models
from django.db.models import F, Q


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
