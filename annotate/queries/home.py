"""What waits for a person: the collections in which the person works, with their state."""

from dataclasses import dataclass

from django.db.models import Count

from annotate.models import Collection, Membership, Pair, User
from annotate.queries import holes, progress


@dataclass(frozen=True)
class Judged:
    """A collection that the person judges."""

    collection: Collection
    mine: progress.Mine


@dataclass(frozen=True)
class Researched:
    """A collection that the person researches: wanted pairs that met their target, all wanted pairs, holes left."""

    collection: Collection
    done: int
    wanted: int
    holes: int


@dataclass(frozen=True)
class Home:
    judged: list[Judged]
    researched: list[Researched]


def of_person(user: User) -> Home:
    """Both lists by title; a person who researches and judges a collection has it in both."""
    roles = list(
        Membership.objects.filter(user=user.pk, is_active=True)
        .select_related("collection")
        .order_by("collection__title", "collection")
    )
    return Home(
        judged=[_judged(role) for role in roles if role.role == Membership.Role.ASSESSOR],
        researched=_researched([role.collection for role in roles if role.role == Membership.Role.RESEARCHER]),
    )


def _judged(assessor: Membership) -> Judged:
    return Judged(assessor.collection, progress.of_counters(assessor, assessor.collection))


def _researched(collections: list[Collection]) -> list[Researched]:
    counted = Pair.objects.filter(holes.HOLE, collection__in=collections).values("collection")
    left = dict(counted.annotate(number=Count("id")).values_list("collection", "number"))
    return [Researched(each, *progress.done(each), left.get(each.pk, 0)) for each in collections]
