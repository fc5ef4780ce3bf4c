"""All that an adjudicator sees of one pair: the only source of the page, its fragments and the API.

Whether names and the model's suggestion are in it is the collection's choice; what is not shown is not in it at all.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotate.adjudication.queries import adjudication_queue
from annotate.judging.queries import judging_card
from annotate.judging.queries.judging_card import Card
from annotate.models import Adjudication, Collection, Guidelines, Judgment, Membership, Pair


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
    eligibility = adjudication_queue.find_eligibility(adjudicator, pair)
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
