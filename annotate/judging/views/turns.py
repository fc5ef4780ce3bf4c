"""From an assessor's turn to what is sent: a fragment for htmx, the whole page or a redirect without it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from annotate.judging.forms.judging import AnswerForm
from annotate.judging.operations.turns import Turn
from annotate.judging.queries import history, judging_card, progress
from annotate.models import Judgment, Membership
from annotate.web.signed_in import SignedInRequest

CARD = "annotate/judging/_card.html"
REVEAL = "annotate/judging/_reveal.html"
DONE = "annotate/judging/_done.html"
PAUSED = "annotate/judging/_paused.html"


def answer(request: SignedInRequest, turn: Turn, notice: str = "") -> HttpResponse:
    """What to send after something was done: the next fragment, or without htmx the way to the page."""
    if request.htmx:
        return show(request, turn, notice)
    if notice:
        messages.warning(request, notice)
    return redirect("judge", turn.assessor.collection.slug)


def show(request: SignedInRequest, turn: Turn, notice: str = "") -> HttpResponse:
    assessor = turn.assessor
    newest = turn.saved or history.newest(assessor)
    context = {"saved": turn.saved, "notice": notice, "earlier": newest.pk if newest else None, "mine": turn.mine}
    address = reverse("judge", args=[assessor.collection.slug])
    if turn.undecided:
        reveal = judging_card.of_reveal(turn.undecided)
        return _send(request, assessor, REVEAL, {**context, "card": reveal}, address)
    if turn.claim:
        card = judging_card.of_claim(turn.claim, timezone.now())
        form = AnswerForm(scale=assessor.collection.scale)
        return _send(request, assessor, CARD, {**context, "card": card, "form": form}, address)
    if turn.is_paused:
        return _send(request, assessor, PAUSED, context, address)
    return _send(request, assessor, DONE, {**context, "held": progress.held_by_others(assessor)}, address)


def show_reopened(request: SignedInRequest, assessor: Membership, judgment: Judgment) -> HttpResponse:
    beside = history.neighbours(judgment)
    mine = progress.of_assessor(assessor)
    context = {"earlier": beside.earlier, "later": beside.later, "is_reopened": True, "mine": mine}
    address = reverse("reopen", args=[assessor.collection.slug, judgment.pk])
    if reveal := judging_card.of_reveal(judgment):
        return _send(request, assessor, REVEAL, {**context, "card": reveal}, address)
    card = judging_card.of_judgment(judgment, timezone.now())
    form = AnswerForm.of_judgment(judgment, assessor.collection.scale)
    return _send(request, assessor, CARD, {**context, "card": card, "form": form}, address)


def show_again(
    request: SignedInRequest, assessor: Membership, card: judging_card.Card, form: AnswerForm, address: str
) -> HttpResponse:
    """The card with what the person said and what is wrong with it."""
    mine = progress.of_assessor(assessor)
    context = {"card": card, "form": form, "is_reopened": card.judgment is not None, "mine": mine}
    return _send(request, assessor, CARD, context, address, status=422)


def _send(
    request: SignedInRequest,
    assessor: Membership,
    fragment: str,
    context: dict[str, object],
    address: str,
    status: int = 200,
) -> HttpResponse:
    everywhere = {
        "assessor": assessor,
        "collection": assessor.collection,
        "fragment": fragment,
    }
    template = fragment if request.htmx else "annotate/judging/judging.html"
    response = render(request, template, {**everywhere, **context}, status=status)
    if request.htmx:
        # The address says what is shown, so that a reload shows it again.
        response["HX-Replace-Url"] = address
    return response
