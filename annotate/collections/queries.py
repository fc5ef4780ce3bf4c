"""The numbers of a collection, and the people in it."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.db.models import Count, Max, Q, Sum

from annotate.collections import rules
from annotate.grades import batches, model_raters, ratings
from annotate.grades.holes import HOLE
from annotate.models import (
    Batch,
    Collection,
    Export,
    ImportedFile,
    Invitation,
    Judgment,
    Membership,
    Pair,
    QueryVariant,
    Rater,
    ReferenceGrade,
    Run,
    Suggestion,
    User,
    Work,
)
from annotate.rules import permissions

PUBLISHED = ImportedFile.State.PUBLISHED
POOL = "pool"  # the kind of its work
POOLED_FROM = Q(kind__in=[ImportedFile.Kind.TOPICS, ImportedFile.Kind.RUN]) | Q(
    kind=ImportedFile.Kind.QRELS, options__rater_kind=Rater.Kind.REFERENCE
)
BEING_READ = Q(kind=ImportedFile.Kind.QRELS, state__in=[ImportedFile.State.WAITING, ImportedFile.State.STAGING])


@dataclass(frozen=True)
class Facts:
    """`runs` are of topics. `holes_suggested`: holes that the chosen model grades. `lacks_calibrated`: a model could be
    calibrated on judged pairs, and none is. `judged`: first-round judgments of all assessors. `is_pool_old`: an import
    came or went since the pool was asked for. `running`: subjects of work that goes on."""

    topics: int
    passages: int
    runs: int
    references: int
    models: int
    pooled: int
    holes: int
    without_text: int
    dropped: int
    is_pool_old: bool
    holes_suggested: int
    lacks_calibrated: bool
    assessors: int
    judged: int
    wanted: int
    still_open: int
    exports: int
    running: tuple[str, ...]
    variants: int = 0
    variant_runs: int = 0

    @property
    def is_poolable(self) -> bool:
        return bool(self.runs or self.variant_runs or self.references)


def count_facts(collection: Collection, *, for_stages: bool = False) -> Facts:
    """What only the line of stages tells is looked up `for_stages` alone."""
    draw, runs = ratings.hole_draw_in_force(collection), _runs(collection)
    return Facts(
        **_imported(collection),
        **runs,
        variants=QueryVariant.objects.published().filter(collection=collection).count(),
        **_pool(collection),
        **_people(collection),
        dropped=draw.dropped if draw else 0,
        is_pool_old=_is_pool_old(collection, bool(runs["variant_runs"])),
        holes_suggested=_holes_suggested(collection),
        lacks_calibrated=for_stages and model_raters.lacks_calibrated(collection),
        wanted=collection.pairs_wanted,
        still_open=collection.pairs_open,
        exports=Export.objects.filter(collection=collection).count(),
        running=_running(collection),
    )


def _imported(collection: Collection) -> dict[str, int]:
    kinds = ImportedFile.Kind
    files = ImportedFile.objects.filter(collection=collection, state=PUBLISHED).values_list("kind")
    added = dict(files.annotate(Sum("added")))
    raters = dict(Rater.objects.filter(collection=collection).values_list("kind").annotate(Count("pk")))
    return {
        "topics": added.get(kinds.TOPICS, 0),
        "passages": added.get(kinds.PASSAGES, 0),
        "references": raters.get(Rater.Kind.REFERENCE, 0),
        "models": raters.get(Rater.Kind.MODEL, 0),
    }


def _runs(collection: Collection) -> dict[str, int]:
    return Run.objects.filter(collection=collection, source__state=PUBLISHED).aggregate(
        runs=Count("pk", filter=Q(ranks_variants=False)), variant_runs=Count("pk", filter=Q(ranks_variants=True))
    )


def _pool(collection: Collection) -> dict[str, int]:
    return Pair.objects.filter(collection=collection, is_pooled=True).aggregate(
        pooled=Count("pk"), holes=Count("pk", filter=HOLE), without_text=Count("pk", filter=HOLE & Q(passage_text=None))
    )


def _is_pool_old(collection: Collection, has_variant_runs: bool) -> bool:
    """Query variants that come and go change what their runs bring in; without runs they bring nothing."""
    pooled_from = POOLED_FROM | Q(kind=ImportedFile.Kind.VARIANTS) if has_variant_runs else POOLED_FROM
    imported = ImportedFile.objects.filter(pooled_from, collection=collection)
    changed_at = imported.exclude(state=ImportedFile.State.REFUSED).aggregate(last=Max("finished_at"))["last"]
    pooled = Work.objects.filter(collection=collection, kind=POOL, state=Work.State.DONE)
    pooled_at = pooled.aggregate(last=Max("started_at"))["last"]
    return bool(changed_at and pooled_at and changed_at > pooled_at)


def _holes_suggested(collection: Collection) -> int:
    if collection.suggesting_rater_id is None:
        return 0
    graded = Suggestion.objects.visible().filter(rater=collection.suggesting_rater_id, state="DONE", draw=0)
    return graded.filter(model_raters.HOLE).count()


def _people(collection: Collection) -> dict[str, int]:
    rows = Membership.objects.filter(collection=collection, role=Membership.Role.ASSESSOR)
    counts = rows.aggregate(assessors=Count("pk", filter=Q(is_active=True)), judged=Sum("judged"))
    return {"assessors": counts["assessors"], "judged": counts["judged"] or 0}


def _running(collection: Collection) -> tuple[str, ...]:
    rows = Work.objects.filter(collection=collection, state__in=[Work.State.QUEUED, Work.State.RUNNING])
    return tuple(rows.order_by("created_at", "pk").values_list("subject", flat=True)[:5])


def has_stored_grades(collection: Collection) -> bool:
    """A judgment, a reference's or a model's grade; also qrels that are being read and batches that were started, but
    for those of texts."""
    return any(
        rows.exists()
        for rows in [
            Judgment.objects.filter(assessor__collection=collection),
            ReferenceGrade.objects.filter(rater__collection=collection),
            Suggestion.objects.filter(rater__collection=collection),
            ImportedFile.objects.filter(BEING_READ, collection=collection),
            Batch.objects.filter(collection=collection).exclude(purpose__in=batches.OF_TEXTS),
        ]
    )


NEWEST = 20


@dataclass(frozen=True)
class Member:
    """`reset_refusal`: why this person's password cannot be reset by the one who looks; empty where it can."""

    membership: Membership
    is_self: bool
    reset_refusal: str


def list_members(collection: Collection, by: User) -> list[Member]:
    """Researchers first, those who left last."""
    rows = list(
        Membership.objects.filter(collection=collection).select_related("user").order_by("-is_active", "-role", "pk")
    )
    elsewhere = _roles({row.user_id for row in rows})
    researched = Membership.objects.filter(user=by, role=Membership.Role.RESEARCHER, is_active=True)
    own = list(researched.values_list("collection", flat=True))
    return [Member(row, row.user_id == by.pk, _refusal(row.user, by, own, elsewhere[row.user_id])) for row in rows]


def _roles(users: set[int]) -> dict[int, list[tuple[int, str]]]:
    """Of each person the roles as (collection, role), in all collections, those that ended included."""
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = Membership.objects.filter(user__in=users)
    for user, collection, role in rows.values_list("user", "collection", "role"):
        found[user].append((collection, role))
    return found


def _refusal(user: User, by: User, own: list[int], theirs: list[tuple[int, str]]) -> str:
    is_researcher = any(role == Membership.Role.RESEARCHER for _, role in theirs)
    try:
        permissions.check_reset_password(
            is_superuser=by.is_superuser,
            own=own,
            theirs=[collection for collection, _ in theirs],
            is_peer=user.is_superuser or user.may_create_collections or is_researcher,
        )
    except permissions.NotAllowed as reason:
        return str(reason)
    return ""


class InvitationFacts(TypedDict):
    is_ended: bool
    is_expired: bool
    places: int
    used: int


@dataclass(frozen=True)
class ListedInvitation:
    """An invitation, how many may still come by it, and whether it is open."""

    invitation: Invitation
    remaining: int
    is_open: bool


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def list_invitations(collection: Collection, now: datetime) -> list[ListedInvitation]:
    """The twenty newest, newest first."""
    rows = Invitation.objects.filter(collection=collection).select_related("created_by").order_by("-pk")[:NEWEST]
    return [ListedInvitation(row, row.places - row.used, rules.is_open(**invitation_facts(row, now))) for row in rows]


def invitation_facts(invitation: Invitation, now: datetime) -> InvitationFacts:
    """What the rule asks about."""
    return {
        "is_ended": invitation.ended_at is not None,
        "is_expired": invitation.expires_at <= now,
        "places": invitation.places,
        "used": invitation.used,
    }
