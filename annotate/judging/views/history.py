"""A person's own judgments: pages of them, and any of them reopened and changed."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.judging import forms
from annotate.judging.operations import turns
from annotate.judging.queries import history as history_queries
from annotate.judging.queries import judging_card
from annotate.judging.views import judging
from annotate.models import Guidelines, Judgment, Membership
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in


@require_safe
@signed_in
def history(request: SignedInRequest, slug: str) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    show = request.GET.get("show", "")
    page = history_queries.list_judgments(assessor, show=show, number=request.GET.get("page", 1))
    guidelines = Guidelines.objects.filter(collection=assessor.collection_id).latest("version")
    earlier = history_queries.list_earlier_versions(list(page))
    answers = [(judgment, earlier.get(judgment.pk, [])) for judgment in page]
    context = {"collection": assessor.collection, "page": page, "answers": answers}
    return render(request, "annotate/judging/history.html", {**context, "show": show, "guidelines": guidelines})


@require_safe
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def reopen(request: SignedInRequest, slug: str, judgment_id: int) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    return judging.show_reopened(request, assessor, _current(assessor, judgment_id))


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def change_judgment(request: SignedInRequest, slug: str, judgment_id: int) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    judgment = _current(assessor, judgment_id)
    form = forms.AnswerForm(request.POST, scale=assessor.collection.scale)
    now = timezone.now()
    if not form.is_valid():
        address = reverse("reopen", args=[slug, judgment.pk])
        return judging.show_again(request, assessor, judging_card.build_judgment_card(judgment, now), form, address)
    turn = turns.change(
        assessor=assessor, judgment_id=judgment.pk, key=form.cleaned_data["key"], answer=form.answer(), now=now
    )
    return judging.answer_turn(request, turn)


def _current(assessor: Membership, judgment_id: int) -> Judgment:
    """The answer as it stands to the pair of one of the assessor's judgments: an old address leads to it as well."""
    asked = Judgment.objects.filter(pk=judgment_id, assessor=assessor).first()
    if asked is None:
        raise Http404("There is no such judgment, or it is not yours.")
    return Judgment.objects.select_related("assessor__collection", *judging_card.JUDGMENT_SHOWN).get(
        pair=asked.pair_id, assessor=assessor, round=asked.round, is_current=True
    )
