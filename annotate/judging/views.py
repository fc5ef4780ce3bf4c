"""The pages of judging: the card, history, an assessor's settings."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.collections.operations import collections
from annotate.grades import ratings
from annotate.judging import forms
from annotate.judging.forms import AnswerForm, JudgingForm
from annotate.judging.operations import judgments, turns
from annotate.judging.operations.turns import Turn
from annotate.judging.queries import activity, judging_card
from annotate.judging.queries import activity as history_queries
from annotate.models import Claim, Collection, Guidelines, Judgment, Membership
from annotate.pairs import refresh
from annotate.web import access
from annotate.web.access import SignedInRequest, assessing, researched, signed_in
from annotate.work import progress

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
    newest = turn.saved or activity.newest_judgment(assessor)
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
    held = activity.count_held_by_others(assessor)
    return _send(request, assessor, DONE, {**context, "held": held}, address)


def show_reopened(request: SignedInRequest, assessor: Membership, judgment: Judgment, notice: str = "") -> HttpResponse:
    """`notice` says why what was sent is not stored."""
    beside = activity.find_neighbours(judgment)
    mine = activity.read_own_progress(assessor)
    context: dict[str, object] = {"earlier": beside.earlier, "later": beside.later, "is_reopened": True, "mine": mine}
    context["notice"] = notice
    address, status = reverse("reopen", args=[assessor.collection.slug, judgment.pk]), 409 if notice else 200
    if reveal := judging_card.build_reveal(judgment):
        response = _send(request, assessor, REVEAL, {**context, "card": reveal}, address, status)
    else:
        card = judging_card.build_judgment_card(judgment, timezone.now())
        form = AnswerForm.of_judgment(judgment, assessor.collection.scale)
        response = _send(request, assessor, CARD, {**context, "card": card, "form": form}, address, status)
    if notice:
        response["X-Lacuna-Shows"] = "stored"  # so that the script shows it and does not send the answer again
    return response


def show_again(
    request: SignedInRequest, assessor: Membership, card: judging_card.Card, form: AnswerForm, address: str
) -> HttpResponse:
    """The card with the answer that was sent and what is wrong with it."""
    mine = activity.read_own_progress(assessor)
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
@assessing
@never_cache
@vary_on_headers("HX-Request")
def judge(request: SignedInRequest, assessor: Membership) -> HttpResponse:
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
@assessing
@never_cache
@vary_on_headers("HX-Request")
def skip_pair(request: SignedInRequest, assessor: Membership) -> HttpResponse:
    form = forms.ClaimForm(request.POST)
    if not form.is_valid():
        return _refused(request, assessor)
    turn = turns.skip(assessor=assessor, token=form.cleaned_data["token"], now=timezone.now())
    return answer_turn(request, turn)


@require_POST
@assessing
@never_cache
@vary_on_headers("HX-Request")
def decide(request: SignedInRequest, assessor: Membership, judgment_id: int) -> HttpResponse:
    """Keep or change the grade after a reveal; without a grade of the scale the question stands again."""
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
@assessing
def renew_claim(request: SignedInRequest, assessor: Membership) -> HttpResponse:
    """Hold the pair in front of the person for the full time again."""
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


@require_safe
@assessing
def history(request: SignedInRequest, assessor: Membership) -> HttpResponse:
    show = request.GET.get("show", "")
    page = history_queries.list_judgments(assessor, show=show, number=request.GET.get("page", 1))
    guidelines = Guidelines.objects.filter(collection=assessor.collection_id).latest("version")
    earlier = history_queries.list_earlier_versions(list(page))
    answers = [(judgment, earlier.get(judgment.pk, [])) for judgment in page]
    context = {"collection": assessor.collection, "page": page, "answers": answers}
    return render(request, "annotate/judging/history.html", {**context, "show": show, "guidelines": guidelines})


@require_safe
@assessing
@never_cache
@vary_on_headers("HX-Request")
def reopen(request: SignedInRequest, assessor: Membership, judgment_id: int) -> HttpResponse:
    return show_reopened(request, assessor, _current(assessor, judgment_id))


@require_POST
@assessing
@never_cache
@vary_on_headers("HX-Request")
def change_judgment(request: SignedInRequest, assessor: Membership, judgment_id: int) -> HttpResponse:
    judgment = _current(assessor, judgment_id)
    form = forms.AnswerForm(request.POST, scale=assessor.collection.scale)
    now = timezone.now()
    if not form.is_valid():
        address = reverse("reopen", args=[assessor.collection.slug, judgment.pk])
        return show_again(request, assessor, judging_card.build_judgment_card(judgment, now), form, address)
    sent = form.cleaned_data
    try:
        turn = turns.change(
            assessor=assessor,
            judgment_id=judgment.pk,
            shown=sent["judgment"],
            key=sent["key"],
            answer=form.answer(),
            now=now,
        )
    except (judgments.ChangedSince, judgments.AlreadyGraded) as reason:
        return show_reopened(request, assessor, judgment, notice=str(reason))
    return answer_turn(request, turn)


def _current(assessor: Membership, judgment_id: int) -> Judgment:
    """The answer as it stands to the pair of one of the assessor's judgments: an old address leads to it as well."""
    asked = Judgment.objects.filter(pk=judgment_id, assessor=assessor).first()
    if asked is None:
        raise Http404("There is no such judgment, or it is not yours.")
    return Judgment.objects.select_related("assessor__collection", *judging_card.JUDGMENT_SHOWN).get(
        pair=asked.pair_id, assessor=assessor, round=asked.round, is_current=True
    )


@require_safe
@researched
def judging_progress(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The fragment that asks for itself while pairs are open."""
    return render(request, "annotate/judging/_progress.html", progress_context(collection))


@require_POST
@researched
def pause_judging(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Pause judging, or with `is_paused` empty open it again."""
    is_paused = bool(request.POST.get("is_paused"))
    collections.change_judging(collection=collection, changes={"is_paused": is_paused}, by=request.user)
    sentence = "Judging is paused: nobody gets a pair; what was judged is kept." if is_paused else "Judging is open."
    messages.success(request, sentence)
    return redirect("judging_settings", collection.slug)


def progress_context(collection: Collection) -> dict[str, object]:
    return {"collection": collection, "live": activity.read_live_progress(collection, timezone.now())}


@require_http_methods(["GET", "HEAD", "POST"])
@researched
def judging_settings(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = JudgingForm(
        request.POST or None,
        instance=collection,
        has_judgments=Judgment.objects.filter(assessor__collection=collection).exists(),
        has_draw=ratings.hole_draw_in_force(collection) is not None,
    )
    if form.is_valid():
        try:
            collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
        except collections.CannotChange as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, "Saved. Pairs are judged so from now on.")
            return redirect("judging_settings", collection.slug)
    context = {"form": form, **progress_context(collection), **_following(collection)}
    return render(request, "annotate/judging/judging_settings.html", context, status=422 if form.errors else 200)


def _following(collection: Collection) -> dict[str, object]:
    """The work that brings the pairs of a large collection in line with the settings, until it is done."""
    now = timezone.now()
    return {
        "following": progress.unfinished_progress(collection, refresh.REFRESH, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
