"""Which pairs people judge, and in which order: the draws."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.draws.forms import CalibrationForm, NamedPairsForm, SampleForm
from annotate.draws.operations import calibration, drawn_orders, lists, samples
from annotate.draws.queries import sample_plans
from annotate.draws.views import page
from annotate.rules import drawing
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_safe
@signed_in
def pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    return page.page(request, access.researched_or_404(request.user, slug))


@require_POST
@signed_in
def draw_sample(request: SignedInRequest, slug: str) -> HttpResponse:
    """Draw a random sample, or with `preview` only say what would be drawn."""
    collection = access.researched_or_404(request.user, slug)
    form = SampleForm(collection, request.POST, auto_id="sample_%s")
    if "preview" in request.POST and form.is_valid():
        try:
            sample = sample_plans.work_out(collection, form.plan)
        except drawing.CannotDraw as reason:
            form.add_error(None, str(reason))
            sample = None
        return page.page(request, collection, sample=sample, sample_form=form)

    def draw(said: dict) -> str:
        drawn = samples.draw_sample(collection=collection, plan=form.plan, by=request.user, now=timezone.now())
        return f"Drawn: people judge {_number(drawn.size, 'pair')}, and no others."

    return page.act(request, collection, "sample_form", form, draw)


@require_POST
@signed_in
def draw_list(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def draw(said: dict) -> str:
        drawn = lists.draw_list(collection=collection, named=said["named"], by=request.user, now=timezone.now())
        return f"People judge the list of {_number(drawn.size, 'pair')}, and no others."

    form = NamedPairsForm(request.POST, request.FILES, auto_id="list_%s")
    return page.act(request, collection, "list_form", form, draw)


@require_POST
@signed_in
def end_draw(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    try:
        drawn_orders.end(collection=collection, by=request.user, now=timezone.now())
    except drawing.CannotDraw as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, "Ended: people judge every hole again, topic by topic. What was judged is kept.")
    return redirect("pairs", slug)


@require_POST
@signed_in
def draw_calibration(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def draw(said: dict) -> str:
        drawn = calibration.draw_calibration(collection=collection, **said, by=request.user, now=timezone.now())
        return f"Mixed in: {_number(drawn.size, 'pair')} of the reference, among the others."

    form = CalibrationForm(request.POST, auto_id="calibration_%s")
    return page.act(request, collection, "calibration_form", form, draw)


@require_POST
@signed_in
def end_calibration(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    try:
        calibration.end_calibration(collection=collection, now=timezone.now())
    except drawing.CannotDraw as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, "Ended: no more reference pairs are asked about. What was judged is kept.")
    return redirect("pairs", slug)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
