"""An assessor's look at query variants, one by one: the same meaning, and who wrote it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.models import Membership, VariantCheck
from annotate.variants.forms import CheckForm
from annotate.variants.operations import checks
from annotate.variants.operations.checks import Said
from annotate.variants.queries import variant_turn
from annotate.variants.queries.variant_turn import Turn
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in

CARD, DONE = "annotate/variants/_variant_card.html", "annotate/variants/_variant_done.html"


@require_safe
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def check_variants(request: SignedInRequest, slug: str) -> HttpResponse:
    """The next variant; with `again` the one that was answered last."""
    assessor = access.assessor_or_404(request.user, slug)
    again = variant_turn.said_last(assessor) if "again" in request.GET else None
    return _show(request, assessor, again or variant_turn.next_for(assessor))


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def save_variant_check(request: SignedInRequest, slug: str, variant_id: int) -> HttpResponse:
    assessor = access.assessor_or_404(request.user, slug)
    form = CheckForm(request.POST)
    if not form.is_valid():
        turn = variant_turn.of(assessor, variant_id) or variant_turn.next_for(assessor)
        return _show(request, assessor, turn, form=form)
    said = form.cleaned_data
    try:
        saved = checks.record(
            member=assessor,
            variant_id=variant_id,
            said=Said(said["meaning"] == "yes", said["writer"], said["first"], said["second"], said["comment"]),
            now=timezone.now(),
        )
    except checks.NotOffered:
        told = {"collection": assessor.collection}
        return render(request, "annotate/judging/judging_refused.html", told, status=409)
    if request.htmx:
        return _show(request, assessor, variant_turn.next_for(assessor), saved=saved)
    messages.success(request, "Saved.")
    return redirect("check_variants", slug)


def _show(
    request: SignedInRequest,
    assessor: Membership,
    turn: Turn | None,
    form: CheckForm | None = None,
    saved: VariantCheck | None = None,
) -> HttpResponse:
    fragment = CARD if turn else DONE
    told = {
        "collection": assessor.collection,
        "fragment": fragment,
        "turn": turn,
        "form": form,
        "saved": saved,
        "has_said": VariantCheck.objects.filter(member=assessor).exists(),
    }
    template = fragment if request.htmx else "annotate/variants/check_variants.html"
    return render(request, template, told, status=422 if form and form.errors else 200)
