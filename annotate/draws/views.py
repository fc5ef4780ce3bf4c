"""Which pairs people judge, and in which order: draws, pairs changed by hand, near-duplicates."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.collections import queries as collections_queries
from annotate.draws import queries
from annotate.draws import queries as near_duplicates_query
from annotate.draws.forms import CalibrationForm, NamedPairsForm, SampleForm, WithdrawnPairsForm, add_faults
from annotate.draws.operations import changes, draws
from annotate.draws.operations.changes import TooMany
from annotate.draws.queries import Sample
from annotate.formats.faults import FileRefused
from annotate.models import Collection
from annotate.pairs import refresh
from annotate.rules import drawing
from annotate.web.access import SignedInRequest, researched
from annotate.work import progress

PAGE = 10  # representatives


def show_page(
    request: SignedInRequest, collection: Collection, sent: Mapping[str, Form], sample: Sample | None = None
) -> HttpResponse:
    """`sent`: a form that was sent, under its name: sample_form, list_form, calibration_form, add_form, withdraw_form
    or restore_form."""
    now = timezone.now()
    context = {
        "collection": collection,
        "draw": queries.find_in_force(collection),
        "calibration": queries.calibration_in_force(collection),
        "counts": queries.count_pairs(collection),
        "facts": collections_queries.count_facts(collection),
        "draws": queries.list_draws_with_judgments(collection),
        "withdrawn": queries.list_withdrawn(collection),
        "finding": progress.newest_progress(collection, changes.FIND, now),
        "following": progress.unfinished_progress(collection, refresh.REFRESH, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
        "sample": sample,
        "judgments": queries.estimate_judgments(collection, sample) if sample else None,
        "sample_form": SampleForm(collection, auto_id="sample_%s"),
        "list_form": NamedPairsForm(auto_id="list_%s"),
        "calibration_form": CalibrationForm(auto_id="calibration_%s"),
        "add_form": NamedPairsForm(auto_id="add_%s"),
        "withdraw_form": WithdrawnPairsForm(auto_id="withdraw_%s"),
        "restore_form": NamedPairsForm(auto_id="restore_%s"),
        **sent,
    }
    is_refused = any(form.errors for form in sent.values())
    return render(request, "annotate/draws/pairs.html", context, status=422 if is_refused else 200)


def act_on_form(
    request: SignedInRequest, collection: Collection, name: str, form: Form, do: Callable[[], str]
) -> HttpResponse:
    """Do what a good form asks for, say the sentence that comes back and show the page anew; else show the form with
    what stands in the way."""
    if form.is_valid():
        try:
            messages.success(request, do())
            return redirect("pairs", collection.slug)
        except (drawing.CannotDraw, TooMany) as reason:
            form.add_error(None, str(reason))
        except FileRefused as refused:
            add_faults(form, refused)
    return show_page(request, collection, {name: form})


@require_safe
@researched
def show_pairs(request: SignedInRequest, collection: Collection) -> HttpResponse:
    return show_page(request, collection, {})


@require_POST
@researched
def draw_sample(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Draw a random sample, or with `preview` only say what would be drawn."""
    form = SampleForm(collection, request.POST, auto_id="sample_%s")
    if "preview" in request.POST and form.is_valid():
        sample = None
        try:
            sample = queries.plan_sample(collection, form.plan)
        except drawing.CannotDraw as reason:
            form.add_error(None, str(reason))
        return show_page(request, collection, {"sample_form": form}, sample)

    def draw() -> str:
        drawn = draws.draw_sample(collection=collection, plan=form.plan, by=request.user, now=timezone.now())
        return f"Drawn: people judge {_number(drawn.size, 'pair')}, and no others."

    return act_on_form(request, collection, "sample_form", form, draw)


@require_POST
@researched
def draw_list(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = NamedPairsForm(request.POST, request.FILES, auto_id="list_%s")

    def draw() -> str:
        drawn = draws.draw_list(
            collection=collection, named=form.cleaned_data["named"], by=request.user, now=timezone.now()
        )
        return f"People judge the list of {_number(drawn.size, 'pair')}, and no others."

    return act_on_form(request, collection, "list_form", form, draw)


@require_POST
@researched
def end_draw(request: SignedInRequest, collection: Collection) -> HttpResponse:
    try:
        draws.end_draw(collection=collection, by=request.user, now=timezone.now())
    except drawing.CannotDraw as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, "Ended: people judge every hole again, topic by topic. What was judged is kept.")
    return redirect("pairs", collection.slug)


@require_POST
@researched
def draw_calibration(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = CalibrationForm(request.POST, auto_id="calibration_%s")

    def draw() -> str:
        drawn = draws.draw_calibration(collection=collection, **form.cleaned_data, by=request.user, now=timezone.now())
        return f"Mixed in: {_number(drawn.size, 'pair')} of the reference, among the others."

    return act_on_form(request, collection, "calibration_form", form, draw)


@require_POST
@researched
def end_calibration(request: SignedInRequest, collection: Collection) -> HttpResponse:
    try:
        draws.end_calibration(collection=collection, now=timezone.now())
    except drawing.CannotDraw as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, "Ended: no more reference pairs are asked about. What was judged is kept.")
    return redirect("pairs", collection.slug)


@require_POST
@researched
def add_pairs(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = NamedPairsForm(request.POST, request.FILES, auto_id="add_%s")

    def add() -> str:
        added = changes.add_pairs(collection=collection, named=form.cleaned_data["named"])
        settled = f" The reference graded {added.settled:,} of them: nobody is asked." if added.settled else ""
        return f"New in the pool: {added.pooled:,}; there already: {added.there:,}.{settled}"

    return act_on_form(request, collection, "add_form", form, add)


@require_POST
@researched
def withdraw_pairs(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = WithdrawnPairsForm(request.POST, request.FILES, auto_id="withdraw_%s")

    def withdraw() -> str:
        done = changes.withdraw_pairs(
            collection=collection,
            named=form.cleaned_data["named"],
            reason=form.cleaned_data["reason"],
            now=timezone.now(),
        )
        drawn = f" In the draw in force: {done.drawn:,}, which it now lacks (nonresponse)." if done.drawn else ""
        return f"Withdrawn: {done.changed:,}; withdrawn before: {done.unchanged:,}.{drawn}"

    return act_on_form(request, collection, "withdraw_form", form, withdraw)


@require_POST
@researched
def restore_pairs(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = NamedPairsForm(request.POST, request.FILES, auto_id="restore_%s")

    def restore() -> str:
        done = changes.restore_pairs(collection=collection, named=form.cleaned_data["named"], now=timezone.now())
        return f"Restored: {done.changed:,}; were not withdrawn: {done.unchanged:,}."

    return act_on_form(request, collection, "restore_form", form, restore)


@require_safe
@researched
def show_near_duplicates(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Each representative beside the passages that follow it."""
    page = Paginator(near_duplicates_query.list_representatives(collection), PAGE).get_page(request.GET.get("page"))
    context = {
        "collection": collection,
        "page": page,
        "groups": [near_duplicates_query.compare_group(pair) for pair in page],
        "counts": queries.count_pairs(collection),
    }
    return render(request, "annotate/draws/near_duplicates.html", context)


@require_POST
@researched
def find_near_duplicates(request: SignedInRequest, collection: Collection) -> HttpResponse:
    changes.request_finding(collection=collection, by=request.user, now=timezone.now())
    messages.success(request, "A worker looks for near-duplicates now.")
    return redirect("pairs", collection.slug)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
