"""The pairs that wait for an adjudicator: the widest spread of grades first, then the fewest judgments."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotate.adjudication.queries import access
from annotate.models import Adjudication, Collection, Membership, Pair

ALL = ""
UNRESOLVED = "unresolved"
DIFFERENT = "different"
FLAGGED = "flagged"
KINDS = (UNRESOLVED, DIFFERENT, FLAGGED)
ORDER = ("-spread", "counted", "order_key", "pk")

_DECIDED = Exists(Adjudication.objects.filter(pair=OuterRef("pk"), is_current=True))
_OF_KIND = {
    UNRESOLVED: Q(~_DECIDED, consensus_grade=None),
    DIFFERENT: Q(~_DECIDED, consensus_grade__isnull=False),
    FLAGGED: Q(_DECIDED),
}


@dataclass(frozen=True)
class Counts:
    """Of what waits: pairs that the rule leaves without a grade (also those that nobody could judge), pairs with
    different grades that the rule settles, and decisions with new evidence. `decided`: all decisions in force."""

    unresolved: int
    different: int
    flagged: int
    decided: int

    @property
    def waiting(self) -> int:
        return self.unresolved + self.different + self.flagged


def counts(collection: Collection) -> Counts:
    return _count(_disputed(collection), _in_force(collection))


def counts_for(adjudicator: Membership) -> Counts:
    """Of the pairs that this person may adjudicate, and the decisions on them."""
    return _count(waiting(adjudicator), decided(adjudicator))


def waiting(adjudicator: Membership, kind: str = ALL) -> QuerySet[Pair]:
    """In the order of the queue; any other word than a kind's gives all kinds."""
    pairs = access.allowed(adjudicator, _disputed(adjudicator.collection))
    return pairs.filter(_OF_KIND.get(kind, Q())).order_by(*ORDER)


def next_pair(adjudicator: Membership, kind: str = ALL, after: Pair | None = None) -> Pair | None:
    """The first that waits, or the first behind the place of another pair: what was passed by does not come again."""
    pairs = waiting(adjudicator, kind)
    return (pairs.filter(_behind(after)) if after else pairs).first()


def decided(adjudicator: Membership) -> QuerySet[Adjudication]:
    """The decisions in force on pairs that the person may adjudicate, newest first."""
    its_pair = access.allowed(adjudicator, Pair.objects.filter(pk=OuterRef("pair")))
    rows = _in_force(adjudicator.collection).filter(Exists(its_pair))
    return rows.order_by("-created_at", "-pk")


def last_decision(adjudicator: Membership) -> Adjudication | None:
    """The person's own newest decision that still stands."""
    return decided(adjudicator).filter(adjudicator__user=adjudicator.user_id).first()


def _behind(pair: Pair) -> Q:
    same_spread = Q(spread=pair.spread)
    same_counted = same_spread & Q(counted=pair.counted)
    return (
        Q(spread__lt=pair.spread)
        | same_spread & Q(counted__gt=pair.counted)
        | same_counted & Q(order_key__gt=pair.order_key)
        | same_counted & Q(order_key=pair.order_key, pk__gt=pair.pk)
    )


def _disputed(collection: Collection) -> QuerySet[Pair]:
    return Pair.objects.filter(collection=collection, is_disputed=True)


def _in_force(collection: Collection) -> QuerySet[Adjudication]:
    return Adjudication.objects.filter(pair__collection=collection, is_current=True)


def _count(disputed: QuerySet[Pair], decided: QuerySet[Adjudication]) -> Counts:
    found = disputed.order_by().aggregate(**{kind: Count("pk", filter=_OF_KIND[kind]) for kind in KINDS})
    return Counts(**found, decided=decided.count())
