"""What people say of pairs: claims, judgments and adjudications."""

from django.db import models
from django.db.models import Q


class Judgment(models.Model):
    """What one assessor said of one pair in one round. A change is a new row; the earlier one stays, no longer current.

    `first_grade` is what was given at the save; `grade` is the final one (they differ only after a reveal).
    """

    class Outcome(models.TextChoices):
        GRADED = "GRADED", "graded"
        CANNOT = "CANNOT", "cannot judge"

    class Arm(models.TextChoices):
        HIDDEN = "HIDDEN", "suggestion hidden"
        SHOWN = "SHOWN", "suggestion shown first"
        REVEAL = "REVEAL", "suggestion revealed after the save"

    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="judgments")
    assessor = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="judgments")
    claim = models.ForeignKey("annotate.Claim", models.PROTECT, related_name="judgments")
    round = models.PositiveSmallIntegerField(default=1)
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    key = models.UUIDField(unique=True, help_text="idempotency key: a repeated save finds its row")

    outcome = models.CharField(max_length=6, choices=Outcome)
    grade = models.SmallIntegerField(null=True)
    first_grade = models.SmallIntegerField(null=True)
    is_unsure = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    reason = models.TextField(blank=True, help_text="why it cannot be judged")
    is_extra = models.BooleanField(default=False, help_text="came when the target had been met")

    arm = models.CharField(max_length=6, choices=Arm)
    is_suggestion_seen = models.BooleanField(help_text="whether a suggestion was in view before first_grade")
    suggestion = models.ForeignKey("annotate.Suggestion", models.PROTECT, null=True, related_name="+")
    revealed_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True, help_text="when the person kept or changed after the reveal")
    backstory = models.ForeignKey("annotate.Backstory", models.PROTECT, null=True, related_name="+")
    guidelines = models.ForeignKey("annotate.Guidelines", models.PROTECT, related_name="+")

    created_at = models.DateTimeField()
    shown_at = models.DateTimeField(help_text="server clock, when the card was made")
    visible_ms = models.PositiveIntegerField(null=True, help_text="tab visible and person not idle")
    wall_ms = models.PositiveIntegerField(null=True)
    was_cut = models.BooleanField(default=False, help_text="the passage was shown cut when it was graded")
    session = models.PositiveIntegerField(db_column="sitting")
    session_position = models.PositiveIntegerField(db_column="sitting_position")

    # How the pair was drawn; inclusion probabilities are computed from these at analysis.
    order = models.CharField(max_length=10)
    order_seed = models.BigIntegerField()
    order_key = models.BigIntegerField(help_text="place in the permutation")
    pair_draw = models.ForeignKey("annotate.PairDraw", models.PROTECT, null=True, related_name="+")
    stratum = models.CharField(max_length=512)
    frame_version = models.PositiveIntegerField()
    draw_probability = models.FloatField(null=True, help_text="conditional; adaptive orders only")
    is_calibration = models.BooleanField(
        default=False, help_text="of a pair that the reference graded, put in front of people to measure drift"
    )
    repeat_from = models.PositiveIntegerField(
        null=True, help_text="once its author has judged so many, the pair comes again as a hidden repeat"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="judgment_one_current", fields=["pair", "assessor", "round"], condition=Q(is_current=True)
            ),
            models.UniqueConstraint(name="judgment_version_once", fields=["pair", "assessor", "round", "version"]),
            models.CheckConstraint(
                name="judgment_grade_when_graded",
                condition=Q(outcome="GRADED", grade__gte=0, first_grade__gte=0, reason="")
                | (Q(outcome="CANNOT", grade__isnull=True, first_grade__isnull=True) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="judgment_decided_only_after_reveal",
                condition=Q(decided_at__isnull=True) | Q(revealed_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="judgment_history", fields=["assessor", "-created_at"], condition=Q(is_current=True)),
            models.Index(
                name="judgment_repeats",
                fields=["assessor", "repeat_from"],
                condition=Q(is_current=True, repeat_from__isnull=False),
            ),
            models.Index(
                name="judgment_undecided",  # by decided_at too, or SQLite would rather walk the whole history
                fields=["assessor", "decided_at", "-created_at"],
                condition=Q(is_current=True, revealed_at__isnull=False, decided_at__isnull=True),
            ),
        ]


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


class Adjudication(models.Model):
    """A decision on a pair that people disagree about. A change is a new version; a later judgment only flags it."""

    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="adjudications")
    adjudicator = models.ForeignKey("annotate.Membership", models.PROTECT, related_name="adjudications")
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    key = models.UUIDField(unique=True, help_text="idempotency key: a repeated save finds its row")
    grade = models.SmallIntegerField(null=True, help_text="none: nobody can judge this pair, it stays a hole")
    reason = models.TextField()
    guidelines = models.ForeignKey("annotate.Guidelines", models.PROTECT, related_name="+")
    judgments = models.PositiveSmallIntegerField(help_text="of people that were there when it was decided")
    has_new_evidence = models.BooleanField(default=False, help_text="somebody judged the pair since")
    names_shown = models.BooleanField(default=False)
    has_judged = models.BooleanField(default=False, help_text="the adjudicator had judged the pair too")
    suggestion = models.ForeignKey(
        "annotate.Suggestion", models.PROTECT, null=True, related_name="+", help_text="in view when it was decided"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="adjudication_one_current", fields=["pair"], condition=Q(is_current=True)),
            models.UniqueConstraint(name="adjudication_version_once", fields=["pair", "version"]),
            models.CheckConstraint(name="adjudication_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="adjudication_grade_is_not_negative", condition=Q(grade__isnull=True) | Q(grade__gte=0)
            ),
        ]
