"""The query variant that a person is to look at next, and what is offered; nothing of what others said is in it."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from annotate.models import Backstory, Membership, Profile, QueryVariant, VariantCheck
from annotate.rules import seeds


@dataclass(frozen=True)
class Turn:
    """A variant beside the query it stands for and the backstory in force. `writers`: two profiles, or nothing where
    there is but one. `done` and `left` are the person's own. `said`: what the person said of it before."""

    variant: QueryVariant
    backstory: Backstory | None
    writers: tuple[Profile, Profile] | None
    done: int
    left: int
    said: VariantCheck | None = None

    @property
    def meaning(self) -> str:
        """What the person said before, as the form says it."""
        return "" if self.said is None else "yes" if self.said.has_same_meaning else "no"


def waits_for(member: Membership) -> QuerySet[QueryVariant]:
    """Variants that still want a say and have none of this person."""
    rows = QueryVariant.objects.published().filter(collection=member.collection_id, checks_wanted__gt=0)
    rows = rows.annotate(said=Count("checks")).filter(said__lt=F("checks_wanted"))
    return rows.exclude(Q(pk__in=VariantCheck.objects.filter(member=member).values("variant")))


def next_for(member: Membership) -> Turn | None:
    """The waiting variant that comes first in an order of the person's own; None where none waits."""
    waiting = list(waits_for(member).values_list("pk", "variant_id"))
    if not waiting:
        return None
    seed = member.collection.seed
    pk, _ = min(waiting, key=lambda row: seeds.number(seed, "turn", str(member.pk), row[1]))
    return _turn(member, _rows().get(pk=pk), len(waiting))


def of(member: Membership, pk: int) -> Turn | None:
    """A variant that the person was asked about, by its row id; None where there is none."""
    variant = _rows().filter(pk=pk, collection=member.collection_id, checks_wanted__gt=0).first()
    return _turn(member, variant, waits_for(member).count()) if variant else None


def said_last(member: Membership) -> Turn | None:
    """What the person said last, to be changed."""
    checks = VariantCheck.objects.filter(member=member).order_by("created_at", "pk")
    if (check := checks.select_related("first", "second").last()) is None:
        return None
    return _turn(member, _rows().get(pk=check.variant_id), waits_for(member).count(), check)


def _rows() -> QuerySet[QueryVariant]:
    return QueryVariant.objects.select_related("topic", "profile", "collection")


def offered(variant: QueryVariant, member: Membership) -> tuple[Profile, Profile] | None:
    """The profile that wrote the variant and another one that has variants in its collection, in the person's order.

    Who the other is depends on the variant alone, so that answers of several people can be compared.
    """
    others = Profile.objects.filter(variants__collection=variant.collection).exclude(name=variant.profile.name)
    rows = sorted(others.distinct(), key=lambda one: (one.name, one.version))
    if not rows:
        return None
    seed, name = variant.collection.seed, variant.variant_id
    other = rows[seeds.number(seed, "other writer", name) % len(rows)]
    is_first = seeds.number(seed, "order of writers", name, str(member.pk), bits=1)
    return (variant.profile, other) if is_first else (other, variant.profile)


def _turn(member: Membership, variant: QueryVariant, left: int, said: VariantCheck | None = None) -> Turn:
    done = VariantCheck.objects.filter(member=member, variant__collection=member.collection_id).count()
    writers = (said.first, said.second) if said and said.first and said.second else offered(variant, member)
    backstory = Backstory.objects.filter(topic=variant.topic_id, is_current=True).first()
    return Turn(variant, backstory, writers, done, left, said)
