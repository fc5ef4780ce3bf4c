from django.db import models
from django.db.models import Q

from annotate.models.judgment import Judgment


class Claim(models.Model):
    """A pair held for one assessor for a while: no two people get it by chance. `token` names what was shown.

    What stands beside the pair is chosen when it is claimed and kept here: every showing of the claim shows it, and a
    judgment stores it as what was seen, whatever has changed meanwhile.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", "open"
        JUDGED = "JUDGED", "judged"
        SKIPPED = "SKIPPED", "skipped"
        EXPIRED = "EXPIRED", "expired"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="claims")
    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="claims")
    assessor = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="claims")
    round = models.PositiveSmallIntegerField(default=1)
    token = models.UUIDField(unique=True)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    claimed_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    arm = models.CharField(max_length=6, choices=Judgment.Arm)
    suggestion = models.ForeignKey(
        "annotate.Suggestion", models.PROTECT, null=True, related_name="+", help_text="in view before the grade"
    )
    backstory = models.ForeignKey("annotate.Backstory", models.PROTECT, null=True, related_name="+")
    guidelines = models.ForeignKey("annotate.Guidelines", models.PROTECT, related_name="+")

    # How the pair was drawn when it was claimed; the settings may change before it is judged.
    order = models.CharField(max_length=10)
    order_seed = models.BigIntegerField()
    order_key = models.BigIntegerField(help_text="place in the permutation")
    pair_draw = models.ForeignKey("annotate.PairDraw", models.PROTECT, null=True, related_name="+")
    is_calibration = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="claim_one_open_a_pair", fields=["pair", "assessor"], condition=Q(state="OPEN")
            ),
            models.UniqueConstraint(name="claim_one_open_an_assessor", fields=["assessor"], condition=Q(state="OPEN")),
            models.CheckConstraint(
                name="claim_closed_at_when_closed",
                condition=Q(state="OPEN", closed_at__isnull=True) | (~Q(state="OPEN") & Q(closed_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="claim_suggestion_only_where_shown", condition=Q(suggestion__isnull=True) | Q(arm="SHOWN")
            ),
        ]
        indexes = [
            models.Index(name="claim_expiry", fields=["collection", "expires_at"], condition=Q(state="OPEN")),
            models.Index(name="claim_skipped", fields=["assessor", "pair"], condition=Q(state="SKIPPED")),
        ]
