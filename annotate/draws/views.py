"""Which pairs people judge, and in which order: draws, pairs changed by hand, near-duplicates."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.collections.queries import collection_facts
from annotate.draws.forms import CalibrationForm, NamedPairsForm, SampleForm, WithdrawnPairsForm
from annotate.draws.operations import calibration, changes, draws, near_duplicates
from annotate.draws.operations.changes import TooMany
from annotate.draws.queries import near_duplicates as near_duplicates_query
from annotate.draws.queries import pair_draws, sample_plans
from annotate.draws.queries.sample_plans import Sample
from annotate.formats.faults import FileRefused
from annotate.models import Collection, PairDraw
from annotate.pairs import refresh
from annotate.rules import drawing
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


def show_page(
    request: SignedInRequest, collection: Collection, *, sample: Sample | None = None, **bound: Form | None
) -> HttpResponse:
    """`bound`: a form that was sent, under its name: sample_form, list_form, calibration_form, add_form,
    withdraw_form or restore_form."""
    now = timezone.now()
    told = {
        "collection": collection,
        "draw": PairDraw.objects.filter(pk=collection.pair_draw_id).select_related("created_by").first(),
        "calibration": pair_draws.calibration_in_force(collection),
        "counts": pair_draws.count_pairs(collection),
        "facts": collection_facts.count_facts(collection),
        "draws": pair_draws.list_draws_with_judgments(collection),
        "withdrawn": pair_draws.list_withdrawn(collection),
        "finding": progress.newest_progress(collection, near_duplicates.FIND, now),
        "following": progress.unfinished_progress(collection, refresh.REFRESH, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
        "sample": sample,
        "judgments": sample_plans.estimate_judgments(collection, sample) if sample else None,
        "sample_form": SampleForm(collection, auto_id="sample_%s"),
        "list_form": NamedPairsForm(auto_id="list_%s"),
        "calibration_form": CalibrationForm(auto_id="calibration_%s"),
        "add_form": NamedPairsForm(auto_id="add_%s"),
        "withdraw_form": WithdrawnPairsForm(auto_id="withdraw_%s"),
        "restore_form": NamedPairsForm(auto_id="restore_%s"),
        **bound,
    }
    is_refused = any(form.errors for form in bound.values())
    return render(request, "annotate/draws/pairs.html", told, status=422 if is_refused else 200)


def act_on_form(
    request: SignedInRequest, collection: Collection, name: str, form: Form, do: Callable[[dict], str]
) -> HttpResponse:
    """Do what a good form asks for, say the sentence that comes back and show the page anew; else show the form with
    what stands in the way."""
    if form.is_valid():
        try:
            messages.success(request, do(form.cleaned_data))
            return redirect("pairs", collection.slug)
        except (drawing.CannotDraw, TooMany) as reason:
            form.add_error(None, str(reason))
        except FileRefused as refused:
            form.refuse(refused)
    return show_page(request, collection, **{name: form})


@require_safe
@signed_in
def show_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    return show_page(request, access.researched_or_404(request.user, slug))


@require_POST
@signed_in
def draw_sample(request: SignedInRequest, slug: str) -> HttpResponse:
    """Draw a random sample, or with `preview` only say what would be drawn."""
    collection = access.researched_or_404(request.user, slug)
    form = SampleForm(collection, request.POST, auto_id="sample_%s")
    if "preview" in request.POST and form.is_valid():
        try:
            sample = sample_plans.plan_sample(collection, form.plan)
        except drawing.CannotDraw as reason:
            form.add_error(None, str(reason))
            sample = None
        return show_page(request, collection, sample=sample, sample_form=form)

    def draw(said: dict) -> str:
        drawn = draws.draw_sample(collection=collection, plan=form.plan, by=request.user, now=timezone.now())
        return f"Drawn: people judge {_number(drawn.size, 'pair')}, and no others."

    return act_on_form(request, collection, "sample_form", form, draw)


@require_POST
@signed_in
def draw_list(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def draw(said: dict) -> str:
        drawn = draws.draw_list(collection=collection, named=said["named"], by=request.user, now=timezone.now())
        return f"People judge the list of {_number(drawn.size, 'pair')}, and no others."

    form = NamedPairsForm(request.POST, request.FILES, auto_id="list_%s")
    return act_on_form(request, collection, "list_form", form, draw)


@require_POST
@signed_in
def end_draw(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    try:
        draws.end_draw(collection=collection, by=request.user, now=timezone.now())
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
    return act_on_form(request, collection, "calibration_form", form, draw)


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


@require_POST
@signed_in
def add_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def add(said: dict) -> str:
        added = changes.add_pairs(collection=collection, named=said["named"])
        settled = f" The reference graded {added.settled:,} of them: nobody is asked." if added.settled else ""
        return f"New in the pool: {added.pooled:,}; there already: {added.there:,}.{settled}"

    form = NamedPairsForm(request.POST, request.FILES, auto_id="add_%s")
    return act_on_form(request, collection, "add_form", form, add)


@require_POST
@signed_in
def withdraw_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def withdraw(said: dict) -> str:
        done = changes.withdraw_pairs(
            collection=collection, named=said["named"], reason=said["reason"], now=timezone.now()
        )
        drawn = f" In the draw in force: {done.drawn:,}, which it now lacks (nonresponse)." if done.drawn else ""
        return f"Withdrawn: {done.changed:,}; withdrawn before: {done.unchanged:,}.{drawn}"

    form = WithdrawnPairsForm(request.POST, request.FILES, auto_id="withdraw_%s")
    return act_on_form(request, collection, "withdraw_form", form, withdraw)


@require_POST
@signed_in
def restore_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def restore(said: dict) -> str:
        done = changes.restore_pairs(collection=collection, named=said["named"], now=timezone.now())
        return f"Restored: {done.changed:,}; were not withdrawn: {done.unchanged:,}."

    form = NamedPairsForm(request.POST, request.FILES, auto_id="restore_%s")
    return act_on_form(request, collection, "restore_form", form, restore)


PAGE = 10


@require_safe
@signed_in
def show_near_duplicates(request: SignedInRequest, slug: str) -> HttpResponse:
    """Each representative beside the passages that follow it."""
    collection = access.researched_or_404(request.user, slug)
    page = Paginator(near_duplicates_query.list_representatives(collection), PAGE).get_page(request.GET.get("page"))
    told = {
        "collection": collection,
        "page": page,
        "groups": [near_duplicates_query.compare_group(pair) for pair in page],
        "counts": pair_draws.count_pairs(collection),
    }
    return render(request, "annotate/draws/near_duplicates.html", told)


@require_POST
@signed_in
def find_near_duplicates(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    near_duplicates.request_finding(collection=collection, by=request.user, now=timezone.now())
    messages.success(request, "A worker looks for near-duplicates now.")
    return redirect("pairs", slug)
