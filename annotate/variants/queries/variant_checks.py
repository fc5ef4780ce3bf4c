"""What people said of query variants, by profile, and as raters for their agreement."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotate.models import Collection, Profile, QueryVariant, VariantCheck

RIGHT, OTHER, EITHER = "right", "other", "equally likely"


@dataclass(frozen=True)
class CheckLine:
    """Of a profile's variants: how many answers, in how many the meaning is the same, and of those that were asked who
    wrote it how many named the right profile, the other one, or either."""

    profile: Profile
    variants: int
    answers: int
    same: int
    asked: int
    right: int
    other: int
    either: int

    @property
    def share_same(self) -> float | None:
        return self.same / self.answers if self.answers else None

    @property
    def share_right(self) -> float | None:
        return self.right / self.asked if self.asked else None


@dataclass(frozen=True)
class Progress:
    """`wanted` answers and those `given` of them; `variants` are chosen for people."""

    variants: int
    wanted: int
    given: int


def by_profile(collection: Collection) -> list[CheckLine]:
    """Profiles with answers, in the order in which profiles came."""
    told: dict[int, list[VariantCheck]] = {}
    for check in _checks(collection):
        told.setdefault(check.variant.profile_id, []).append(check)
    profiles = Profile.objects.filter(pk__in=told).order_by("pk")
    return [_line(profile, told[profile.pk]) for profile in profiles]


def progress(collection: Collection) -> Progress:
    rows = QueryVariant.objects.filter(collection=collection, checks_wanted__gt=0)
    wanted = dict(rows.values_list("pk", "checks_wanted"))
    given = dict.fromkeys(wanted, 0)
    for variant in VariantCheck.objects.filter(variant__in=rows).values_list("variant", flat=True):
        given[variant] += 1
    return Progress(len(wanted), sum(wanted.values()), sum(min(given[one], wanted[one]) for one in wanted))


def meanings(collection: Collection) -> dict[str, dict[str, int]]:
    """By person and variant id: 1 where the meaning is the same, else 0."""
    return _by_person(collection, lambda check: int(check.has_same_meaning))


def writers(collection: Collection) -> dict[str, dict[str, int]]:
    """By person and variant id: 0 for the right profile, 1 for the other one, 2 for either."""
    codes = [RIGHT, OTHER, EITHER]
    return _by_person(collection, lambda check: codes.index(named(check)) if check.writer else None)


def named(check: VariantCheck) -> str:
    """Whom the person named, whatever the order in which the two stood."""
    if check.writer == VariantCheck.Writer.EITHER:
        return EITHER
    chosen = check.first_id if check.writer == VariantCheck.Writer.FIRST else check.second_id
    return RIGHT if chosen == check.variant.profile_id else OTHER


def _by_person(collection: Collection, said) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for check in _checks(collection):
        if (code := said(check)) is not None:
            found.setdefault(check.member.pseudonym, {})[check.variant.variant_id] = code
    return found


def _checks(collection: Collection) -> QuerySet[VariantCheck]:
    is_published = Q(variant__source=None) | Q(variant__source__state="PUBLISHED")
    rows = VariantCheck.objects.filter(is_published, variant__collection=collection)
    return rows.select_related("variant", "member").order_by("pk")


def _line(profile: Profile, checks: list[VariantCheck]) -> CheckLine:
    names = [named(check) for check in checks if check.writer]
    return CheckLine(
        profile=profile,
        variants=len({check.variant_id for check in checks}),
        answers=len(checks),
        same=sum(check.has_same_meaning for check in checks),
        asked=len(names),
        right=names.count(RIGHT),
        other=names.count(OTHER),
        either=names.count(EITHER),
    )
