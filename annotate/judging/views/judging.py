"""The judging page: one request stores an answer and brings the next pair, as a fragment, a page or a redirect."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.judging import forms
from annotate.judging.forms import AnswerForm
from annotate.judging.operations import judgments, turns
from annotate.judging.operations.turns import Turn
from annotate.judging.queries import assessor_progress, history, judging_card
from annotate.models import Claim, Judgment, Membership
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in

CARD = "annotate/judging/_card.html"
REVEAL = "annotate/judging/_reveal.html"
DONE = "annotate/judging/_done.html"
PAUSED = "annotate/judging/_paused.html"


def answer_turn(request: SignedInRequest, turn: Turn, notice: str = "") -> HttpResponse:
    """What to send after something was done: the next fragment, or without htmx the way to the page."""
    if request.htmx:
        return show_turn(request, turn, notice)
    if notice:
        messages.warning(request, notice)
    return redirect("judge", turn.assessor.collection.slug)


def show_turn(request: SignedInRequest, turn: Turn, notice: str = "") -> HttpResponse:
    assessor = turn.assessor
    newest = turn.saved or history.newest_judgment(assessor)
    context: dict[str, object] = {"saved": turn.saved, "notice": notice, "mine": turn.mine}
    context["earlier"] = newest.pk if newest else None
    address = reverse("judge", args=[assessor.collection.slug])
    if turn.undecided:
        reveal = judging_card.build_reveal(turn.undecided)
        return _send(request, assessor, REVEAL, {**context, "card": reveal}, address)
    if turn.claim:
        card = judging_card.build_claim_card(turn.claim, timezone.now())
        form = AnswerForm(scale=assessor.collection.scale)
        return _send(request, assessor, CARD, {**context, "card": card, "form": form}, address)
    if turn.is_paused:
        return _send(request, assessor, PAUSED, context, address)
    held = assessor_progress.count_held_by_others(assessor)
    return _send(request, assessor, DONE, {**context, "held": held}, address)


def show_reopened(request: SignedInRequest, assessor: Membership, judgment: Judgment) -> HttpResponse:
    beside = history.find_neighbours(judgment)
    mine = assessor_progress.read_own_progress(assessor)
    context = {"earlier": beside.earlier, "later": beside.later, "is_reopened": True, "mine": mine}
    address = reverse("reopen", args=[assessor.collection.slug, judgment.pk])
    if reveal := judging_card.build_reveal(judgment):
        return _send(request, assessor, REVEAL, {**context, "card": reveal}, address)
    card = judging_card.build_judgment_card(judgment, timezone.now())
    form = AnswerForm.of_judgment(judgment, assessor.collection.scale)
    return _send(request, assessor, CARD, {**context, "card": card, "form": form}, address)


def show_again(
    request: SignedInRequest, assessor: Membership, card: judging_card.Card, form: AnswerForm, address: str
) -> HttpResponse:
    """The card with the answer that was sent and what is wrong with it."""
    mine = assessor_progress.read_own_progress(assessor)
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
    everywhere = {"assessor": assessor, "collection": assessor.collection, "fragment": fragment}
    template = fragment if request.htmx else "annotate/judging/judging.html"
    response = render(request, template, {**everywhere, **context}, status=status)
    if request.htmx:
        # The address says what is shown, so that a reload shows it again.
        response["HX-Replace-Url"] = address
    return response


@require_safe
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def judge(request: SignedInRequest, slug: str) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    return show_turn(request, turns.begin(assessor=assessor, now=timezone.now()))


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def save_judgment(request: SignedInRequest, slug: str) -> HttpResponse:
    form = forms.AnswerForm(request.POST)
    try:
        if not form.is_valid():
            return _card_again(request, slug)
        data, now = form.cleaned_data, timezone.now()
        turn = turns.save(
            by=request.user, slug=slug, token=data["token"], key=data["key"], answer=form.answer(), now=now
        )
    except judgments.NotOnScale:
        return _card_again(request, slug)
    except (Claim.DoesNotExist, turns.NotAnAssessor):
        return _refused(request, access.assessor_or_404(request.user, slug))
    except judgments.AlreadyGraded as reason:
        turn = turns.begin(assessor=reason.judgment.assessor, now=now)
        return answer_turn(request, turn, notice=str(reason))
    return answer_turn(request, turn)


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def skip_pair(request: SignedInRequest, slug: str) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.ClaimForm(request.POST)
    if not form.is_valid():
        return _refused(request, assessor)
    turn = turns.skip(assessor=assessor, token=form.cleaned_data["token"], now=timezone.now())
    return answer_turn(request, turn)


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def decide(request: SignedInRequest, slug: str, judgment_id: int) -> HttpResponse:
    """Keep or change the grade after a reveal; without a grade of the scale the question stands again."""
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.DecisionForm(request.POST)
    now = timezone.now()
    if not form.is_valid() or form.cleaned_data["grade"] not in assessor.collection.scale:
        return answer_turn(request, turns.begin(assessor=assessor, now=now), "Choose a grade.")
    grade = form.cleaned_data["grade"]
    try:
        turn = turns.decide(assessor=assessor, judgment_id=judgment_id, grade=grade, now=now)
    except Judgment.DoesNotExist:
        return _refused(request, assessor)
    return answer_turn(request, turn)


@require_POST
@signed_in
def renew_claim(request: SignedInRequest, slug: str) -> HttpResponse:
    """Hold the pair in front of the person for the full time again."""
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.ClaimForm(request.POST)
    claim = form.is_valid() and Claim.objects.filter(assessor=assessor, token=form.cleaned_data["token"]).first()
    if not claim:
        return _refused(request, assessor)
    turns.renew(claim=claim, now=timezone.now())
    return HttpResponse(status=204)


def _refused(request: SignedInRequest, assessor: Membership) -> HttpResponse:
    """What was sent belongs to nobody here: another person signed in in this browser since the page was opened."""
    return render(request, "annotate/judging/judging_refused.html", {"collection": assessor.collection}, status=409)


def _card_again(request: SignedInRequest, slug: str) -> HttpResponse:
    """The same card with what is wrong with the answer."""
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.AnswerForm(request.POST, scale=assessor.collection.scale)
    form.is_valid()
    if (token := form.cleaned_data.get("token")) is None:
        raise Claim.DoesNotExist
    claim = Claim.objects.select_related("assessor__collection").get(assessor=assessor, token=token)
    card = judging_card.build_claim_card(claim, timezone.now())
    return show_again(request, assessor, card, form, reverse("judge", args=[slug]))
