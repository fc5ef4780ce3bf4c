"""The judging page: one request stores an answer and brings the next pair."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.judging.forms import judging as forms
from annotate.judging.operations import claims, held_rows, judgments
from annotate.judging.operations import turns as turns_operations
from annotate.judging.queries import judging_card
from annotate.judging.views import turns
from annotate.models import Claim, Judgment, Membership
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_safe
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def judge(request: SignedInRequest, slug: str) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    return turns.show(request, turns_operations.begin(assessor=assessor, now=timezone.now()))


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def save_judgment(request: SignedInRequest, slug: str) -> HttpResponse:
    form = forms.AnswerForm(request.POST)
    try:
        if not form.is_valid():
            return _card_again(request, slug)
        said, now = form.cleaned_data, timezone.now()
        turn = turns_operations.save(
            by=request.user, slug=slug, token=said["token"], key=said["key"], answer=form.answer(), now=now
        )
    except judgments.NotOnScale:
        return _card_again(request, slug)
    except (Claim.DoesNotExist, held_rows.NotAnAssessor):
        return _refused(request, access.assessor_or_404(request.user, slug))
    except judgments.AlreadyGraded as reason:
        turn = turns_operations.begin(assessor=reason.judgment.assessor, now=now)
        return turns.answer(request, turn, notice=str(reason))
    return turns.answer(request, turn)


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def skip_pair(request: SignedInRequest, slug: str) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.ClaimForm(request.POST)
    if not form.is_valid():
        return _refused(request, assessor)
    turn = turns_operations.skip(assessor=assessor, token=form.cleaned_data["token"], now=timezone.now())
    return turns.answer(request, turn)


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def decide(request: SignedInRequest, slug: str, judgment_id: int) -> HttpResponse:
    """Keep or change the grade after a reveal; without a grade of the scale the question stands again."""
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.DecisionForm(request.POST)
    now = timezone.now()
    try:
        grade = form.cleaned_data["grade"] if form.is_valid() else None
        if grade not in assessor.collection.scale:
            return turns.answer(request, turns_operations.begin(assessor=assessor, now=now), "Choose a grade.")
        turn = turns_operations.decide(assessor=assessor, judgment_id=judgment_id, grade=grade, now=now)
    except Judgment.DoesNotExist:
        return _refused(request, assessor)
    return turns.answer(request, turn)


@require_POST
@signed_in
def renew_claim(request: SignedInRequest, slug: str) -> HttpResponse:
    """Hold the pair in front of the person for the full time again."""
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.ClaimForm(request.POST)
    claim = form.is_valid() and Claim.objects.filter(assessor=assessor, token=form.cleaned_data["token"]).first()
    if not claim:
        return _refused(request, assessor)
    claims.renew(claim=claim, now=timezone.now())
    return HttpResponse(status=204)


def _refused(request: SignedInRequest, assessor: Membership) -> HttpResponse:
    """What was sent belongs to nobody here: another person signed in in this browser since the page was opened."""
    return render(request, "annotate/judging/judging_refused.html", {"collection": assessor.collection}, status=409)


def _card_again(request: SignedInRequest, slug: str) -> HttpResponse:
    """The same card with what is wrong with the answer."""
    assessor = access.assessor_or_404(request.user, slug)
    form = forms.AnswerForm(request.POST, scale=assessor.collection.scale)
    form.is_valid()
    claim = Claim.objects.select_related("assessor__collection").get(
        assessor=assessor, token=form.cleaned_data.get("token")
    )
    card = judging_card.of_claim(claim, timezone.now())
    return turns.show_again(request, assessor, card, form, reverse("judge", args=[slug]))
