"""What waits for a person: the collections in which the person works, with their state."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from annotate.adjudication.queries import adjudication_queue
from annotate.grades import holes
from annotate.judging.queries import progress
from annotate.models import Collection, Membership, Pair, User
from annotate.variants.queries import variant_turn


@dataclass(frozen=True)
class Judged:
    """A collection that the person judges; `variants`: query variants that wait for the person's say."""

    collection: Collection
    mine: progress.Mine
    variants: int


@dataclass(frozen=True)
class Adjudicated:
    """A collection in which the person adjudicates, with how many pairs wait for the person."""

    collection: Collection
    counts: adjudication_queue.Counts


@dataclass(frozen=True)
class Researched:
    """A collection that the person researches: wanted pairs that met their target, all wanted pairs, holes left, and
    pairs that wait for an adjudicator."""

    collection: Collection
    done: int
    wanted: int
    holes: int
    disputed: int


@dataclass(frozen=True)
class Home:
    judged: list[Judged]
    adjudicated: list[Adjudicated]
    researched: list[Researched]


def of_person(user: User) -> Home:
    """Each list by title; a person who researches and judges a collection has it in both lists."""
    roles = list(
        Membership.objects.filter(user=user.pk, is_active=True)
        .select_related("collection")
        .order_by("collection__title", "collection")
    )
    return Home(
        judged=[_judged(role) for role in roles if role.role == Membership.Role.ASSESSOR],
        adjudicated=[
            Adjudicated(role.collection, adjudication_queue.counts_for(role))
            for role in roles
            if role.role == Membership.Role.ADJUDICATOR
        ],
        researched=_researched([role.collection for role in roles if role.role == Membership.Role.RESEARCHER]),
    )


def _judged(assessor: Membership) -> Judged:
    mine = progress.of_counters(assessor, assessor.collection)
    return Judged(assessor.collection, mine, variant_turn.waits_for(assessor).count())


def _researched(collections: list[Collection]) -> list[Researched]:
    pairs = Pair.objects.filter(collection__in=collections)
    left, disputed = _by_collection(pairs.filter(holes.HOLE)), _by_collection(pairs.filter(is_disputed=True))
    return [
        Researched(each, *progress.done(each), left.get(each.pk, 0), disputed.get(each.pk, 0)) for each in collections
    ]


def _by_collection(pairs: QuerySet[Pair]) -> dict[int, int]:
    return dict(pairs.values("collection").annotate(number=Count("id")).values_list("collection", "number"))
