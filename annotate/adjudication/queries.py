"""What adjudication shows: the queue of disagreements, and the card of one pair."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotate.judging.queries import activity, judging_card
from annotate.judging.queries.judging_card import Card
from annotate.models import Adjudication, Claim, Collection, Guidelines, Judgment, Membership, Pair
from annotate.rules import permissions

PAGE = 50
LAST_REPEAT = 2**31 - 1  # the highest that the column holds: with a higher one Django leaves the comparison out
ALL = ""
UNRESOLVED = "unresolved"
DIFFERENT = "different"
FLAGGED = "flagged"
DECIDED = "decided"
KINDS = (UNRESOLVED, DIFFERENT, FLAGGED)
ORDER = ("-spread", "counted", "order_key", "pk")

_DECIDED = Exists(Adjudication.objects.filter(pair=OuterRef("pk"), is_current=True))
_OF_KIND = {
    UNRESOLVED: Q(~_DECIDED, consensus_grade=None),
    DIFFERENT: Q(~_DECIDED, consensus_grade__isnull=False),
    FLAGGED: Q(_DECIDED),
}


@dataclass(frozen=True)
class Eligibility:
    """Whether a person may adjudicate a pair."""

    is_researcher: bool
    has_judged: bool
    is_still_to_judge: bool

    def check(self) -> None:
        """Raises permissions.NotAllowed."""
        permissions.check_adjudicate(
            is_researcher=self.is_researcher, has_judged=self.has_judged, is_still_to_judge=self.is_still_to_judge
        )


def find_eligibility(adjudicator: Membership, pair: Pair) -> Eligibility:
    this = Pair.objects.filter(pk=pair.pk)
    return Eligibility(
        is_researcher=_is_researcher(adjudicator),
        has_judged=this.filter(_has_judged(adjudicator)).exists(),
        is_still_to_judge=this.filter(_is_still_to_judge(adjudicator)).exists(),
    )


def allowed_pairs(adjudicator: Membership, pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Those of the pairs that rules.permissions.check_adjudicate allows to the person."""
    pairs = pairs.exclude(_is_still_to_judge(adjudicator))
    return pairs if _is_researcher(adjudicator) else pairs.exclude(_has_judged(adjudicator))


def _is_researcher(adjudicator: Membership) -> bool:
    return adjudicator.role == Membership.Role.RESEARCHER


def _has_judged(adjudicator: Membership) -> Q:
    return Q(Exists(Judgment.objects.filter(pair=OuterRef("pk"), assessor__user=adjudicator.user_id)))


def _is_still_to_judge(adjudicator: Membership) -> Q:
    """As an assessor of the collection the person holds the pair, or may get it, or has a revealed suggestion of it to
    decide on, or gets it again as a hidden repeat."""
    roles = Membership.objects.filter(
        user=adjudicator.user_id, collection=adjudicator.collection_id, role=Membership.Role.ASSESSOR, is_active=True
    )
    assessor = roles.first()
    if assessor is None:  # as usual: nothing is asked of each pair then
        return Q(pk__in=[])
    held = Claim.objects.filter(pair=OuterRef("pk"), assessor=assessor, state=Claim.State.OPEN)
    judged = Judgment.objects.filter(pair=OuterRef("pk"), assessor=assessor, is_current=True)
    undecided = judged.filter(revealed_at__isnull=False, decided_at=None)
    again = activity.due_repeats(assessor, LAST_REPEAT).filter(pair=OuterRef("pk"))
    decided = Adjudication.objects.filter(pair=OuterRef("pk"), adjudicator__user=adjudicator.user_id)
    may_come = Q(counted__lt=F("target")) & ~Exists(judged) & ~Exists(decided)
    comes_again = Q(Exists(again)) if adjudicator.collection.share_repeated else Q()
    return Q(Exists(held)) | Q(Exists(undecided)) | comes_again | may_come


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


def count_disputes(collection: Collection) -> Counts:
    return _count(_disputed(collection), _in_force(collection))


def count_for_adjudicator(adjudicator: Membership) -> Counts:
    """Of the pairs that this person may adjudicate, and the decisions on them."""
    return _count(list_waiting(adjudicator), list_decided(adjudicator))


def list_waiting(adjudicator: Membership, kind: str = ALL) -> QuerySet[Pair]:
    """In the order of the queue; any other word than a kind's gives all kinds."""
    pairs = allowed_pairs(adjudicator, _disputed(adjudicator.collection))
    return pairs.filter(_OF_KIND.get(kind, Q())).order_by(*ORDER)


def find_next(adjudicator: Membership, kind: str = ALL, after: Pair | None = None) -> Pair | None:
    """The first that waits, or the first behind the place of another pair: what was passed by does not come again."""
    pairs = list_waiting(adjudicator, kind)
    return (pairs.filter(_behind(after)) if after else pairs).first()


def list_decided(adjudicator: Membership) -> QuerySet[Adjudication]:
    """The decisions in force on pairs that the person may adjudicate, newest first."""
    its_pair = allowed_pairs(adjudicator, Pair.objects.filter(pk=OuterRef("pair")))
    rows = _in_force(adjudicator.collection).filter(Exists(its_pair))
    return rows.order_by("-created_at", "-pk")


def last_decision(adjudicator: Membership) -> Adjudication | None:
    """The person's own newest decision that still stands."""
    return list_decided(adjudicator).filter(adjudicator__user=adjudicator.user_id).first()


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


@dataclass(frozen=True)
class WaitingPair:
    """`grades` of people, highest first; None is somebody who could not judge."""

    pair: Pair
    grades: list[int | None]


@dataclass(frozen=True)
class Listing:
    """`show` is a kind of what waits, or DECIDED; `page` is of pairs or of decisions, `waiting` has a page's pairs.
    `left_out`: pairs that wait and are left to others, since this person is still to judge them or has judged them."""

    show: str
    counts: Counts
    page: Page[Pair] | Page[Adjudication]
    waiting: list[WaitingPair]
    left_out: int
    guidelines: Guidelines


def list_page(adjudicator: Membership, show: str, number: str | int) -> Listing:
    counts = count_for_adjudicator(adjudicator)
    page: Page[Pair] | Page[Adjudication]
    if show == DECIDED:
        decisions = list_decided(adjudicator).select_related(
            "pair__topic", "pair__passage_text", "adjudicator", "guidelines"
        )
        page, waiting = Paginator(decisions, PAGE).get_page(number), []
    else:
        show = show if show in KINDS else ALL
        pairs = list_waiting(adjudicator, show).select_related("topic", "passage_text")
        page = Paginator(pairs, PAGE).get_page(number)
        waiting = _waiting(list(page))
    return Listing(
        show=show,
        counts=counts,
        page=page,
        waiting=waiting,
        left_out=count_disputes(adjudicator.collection).waiting - counts.waiting,
        guidelines=Guidelines.objects.get(collection=adjudicator.collection_id, is_current=True),
    )


def _waiting(pairs: list[Pair]) -> list[WaitingPair]:
    found: dict[int, list[int | None]] = {pair.pk: [] for pair in pairs}
    rows = Judgment.objects.filter(pair__in=pairs, round=1, is_current=True)
    for pair, grade in rows.values_list("pair", "grade"):
        found[pair].append(grade)
    lowest = -1  # below every grade
    return [
        WaitingPair(pair, sorted(found[pair.pk], key=lambda g: lowest if g is None else g, reverse=True))
        for pair in pairs
    ]


@dataclass(frozen=True)
class Evidence:
    """`judgments`: of people, as they stand. `acts`: how often somebody judged, changed or decided after a reveal; it
    only grows, so that a difference tells that somebody judged in between."""

    judgments: int
    acts: int


@dataclass(frozen=True)
class Shown:
    """What stood before the adjudicator: the version of the decision in force (0: none), the acts of assessors, whether
    their names were in view, and the row id of the suggestion that was."""

    version: int
    acts: int
    names: bool
    suggestion: int | None


def gather_evidence(pair: Pair) -> Evidence:
    counts = Judgment.objects.filter(pair=pair, round=1).aggregate(
        current=Count("pk", filter=Q(is_current=True)), all=Count("pk"), decided=Count("decided_at")
    )
    return Evidence(counts["current"], counts["all"] + counts["decided"])


@dataclass(frozen=True)
class AssessorAnswer:
    """One assessor's answer, as it stands. `letter` names the assessor on this pair; `name` is empty where names are
    hidden. `first_grade` is the one before a reveal where it differs and suggestions are shown, else None."""

    letter: str
    name: str
    grade: int | None
    first_grade: int | None
    is_unsure: bool
    comment: str
    reason: str


@dataclass(frozen=True)
class Decided:
    """A decision of the pair's history; `by` is who decided, in words that the reader may see."""

    decision: Adjudication
    by: str


@dataclass(frozen=True)
class AdjudicationCard:
    """`card` is what is read (pair, backstory, guidelines, suggestion), as on the judging page. `history`: decisions,
    newest first; the first is in force. `has_judged`: the reader judged the pair too."""

    card: Card
    shown: Shown
    answers: list[AssessorAnswer]
    history: list[Decided]
    has_judged: bool

    @property
    def current(self) -> Adjudication | None:
        return self.history[0].decision if self.history else None


def build_card(adjudicator: Membership, pair_id: int, now: datetime) -> AdjudicationCard:
    """Raises Pair.DoesNotExist for a pair of another collection, and permissions.NotAllowed."""
    collection = adjudicator.collection
    pair = Pair.objects.select_related("topic", "passage_text").get(pk=pair_id, collection=collection)
    eligibility = find_eligibility(adjudicator, pair)
    eligibility.check()
    history = list(
        Adjudication.objects.filter(pair=pair).select_related("adjudicator__user", "guidelines").order_by("-version")
    )
    suggestion = (
        judging_card.find_suggestion(collection, pair) if collection.shows_suggestions_to_adjudicators else None
    )
    card = Card(
        pair=pair,
        backstory=judging_card.find_backstory(pair.topic_id),
        guidelines=Guidelines.objects.get(collection=collection, is_current=True),
        key=uuid.uuid4(),
        shown_at=now,
        is_suggestion_area=collection.shows_suggestions_to_adjudicators,
        suggestion=suggestion,
    )
    shown = Shown(
        version=history[0].version if history else 0,
        acts=gather_evidence(pair).acts,
        names=collection.shows_names_to_adjudicators,
        suggestion=suggestion.pk if suggestion else None,
    )
    decided = [Decided(decision, _by(decision, adjudicator)) for decision in history]
    return AdjudicationCard(card, shown, list_answers(pair, collection), decided, eligibility.has_judged)


def list_answers(pair: Pair, collection: Collection) -> list[AssessorAnswer]:
    """Assessors' answers of the first round, by letter. The letters go by who judged the pair first, so they stay when
    somebody judges it later; on another pair they are other people."""
    rows = Judgment.objects.filter(pair=pair, round=1).select_related("assessor__user").order_by("pk")
    current = {judgment.assessor_id: judgment for judgment in rows}  # in the order of each one's first, with the last
    return [_said(letter(place), judgment, collection) for place, judgment in enumerate(current.values())]


def letter(place: int) -> str:
    """A, B ... Z, AA, AB ...

    >>> [letter(place) for place in (0, 25, 26, 52)]
    ['A', 'Z', 'AA', 'BA']
    """
    tens, ones = divmod(place, 26)
    return (letter(tens - 1) if tens else "") + chr(ord("A") + ones)


def _said(name: str, judgment: Judgment, collection: Collection) -> AssessorAnswer:
    is_moved = collection.shows_suggestions_to_adjudicators and judgment.first_grade != judgment.grade
    return AssessorAnswer(
        letter=name,
        name=_name(judgment.assessor) if collection.shows_names_to_adjudicators else "",
        grade=judgment.grade,
        first_grade=judgment.first_grade if is_moved else None,
        is_unsure=judgment.is_unsure,
        comment=judgment.comment,
        reason=judgment.reason,
    )


def _name(assessor: Membership) -> str:
    """Somebody who left is known by the pseudonym alone."""
    return assessor.user.username if assessor.is_active else assessor.pseudonym


def _by(decision: Adjudication, reader: Membership) -> str:
    return "you" if decision.adjudicator.user_id == reader.user_id else decision.adjudicator.pseudonym
