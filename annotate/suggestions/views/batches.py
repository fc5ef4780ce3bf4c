"""One batch of questions to a judge: how far it is, what it came to, and its end."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.grades import batches as batch_queries
from annotate.llm import providers
from annotate.models import Batch
from annotate.suggestions import queries
from annotate.suggestions.forms.prompts import ANSWER_FORMS, AnswerFormForm
from annotate.suggestions.forms.requests import (
    AskForm,
    BackstoriesForm,
    CompareNeedsForm,
    ProbeForm,
    ServiceForm,
    VariantsForm,
)
from annotate.suggestions.operations import batches
from annotate.suggestions.purposes.purpose import CannotAsk, ServicePlan
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


@require_safe
@signed_in
@vary_on_headers("HX-Request")
def batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """The page; for htmx its figures alone, which ask for themselves until the work is over."""
    asked, now = _find(request, slug, batch_id), timezone.now()
    context = {
        "collection": asked.collection,
        "batch": batch_queries.describe_batch(asked, now),
        "is_worker_silent": progress.is_worker_silent(asked.collection, now),
        **batches.find_purpose(asked).findings(now),
    }
    if "compared" in request.GET:
        context["others"] = queries.list_other_raters(asked)
    if asked.rater and asked.prompt:
        context["reading"] = AnswerFormForm(initial={"answer_kind": ANSWER_FORMS[1][0]})
        context["settings"] = queries.name_settings(asked.parameters)
    page = "_batch_figures" if request.htmx else "batch"
    return render(request, f"annotate/suggestions/{page}.html", context)


@require_POST
@signed_in
def cancel_batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    asked, now = _find(request, slug, batch_id), timezone.now()
    try:
        batches.change(batch=asked, action=batches.CANCEL, by=request.user, now=now)
        messages.success(request, "Cancelled: nothing more is asked; what was answered is kept.")
    except CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


@require_POST
@signed_in
def ask_again(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Ask again about whatever has no grade or text."""
    try:
        batches.resume(batch=_find(request, slug, batch_id), by=request.user, now=timezone.now())
    except CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


@require_POST
@signed_in
def read_again(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Read the stored answers under another answer form, as those of a rater of its own."""
    asked, form = _find(request, slug, batch_id), AnswerFormForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose an answer form.")
        return redirect("batch", slug, batch_id)
    try:
        read = batches.read_again(batch=asked, answer_form=form.answer_form, by=request.user, now=timezone.now())
    except CannotAsk as reason:
        messages.error(request, str(reason))
        return redirect("batch", slug, batch_id)
    messages.success(request, batches.find_purpose(read).started)
    return redirect("batch", slug, read.pk)


@require_POST
@signed_in
def take_back_batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Take out what a batch wrote."""
    written = _find(request, slug, batch_id, purpose__in=batch_queries.OF_TEXTS)
    try:
        taken = batches.take_back(batch=written)
        messages.success(request, f"Taken out: {taken} of {written.get_purpose_display()}. The answers stay here.")
    except CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


def _find(request: SignedInRequest, slug: str, batch_id: int, **more: object) -> Batch:
    collection = access.researched_or_404(request.user, slug)
    read = Batch.objects.select_related("work", "rater", "prompt", "collection")
    return get_object_or_404(read, collection=collection, pk=batch_id, **more)


FEW = 200  # judged pairs on which prompts are compared before money is spent


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def ask_model(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = AskForm(collection, request.POST or None, initial=request.GET.dict())
    return _answer(request, form, "ask_model", lambda: {"few": FEW})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write_backstories(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = BackstoriesForm(collection, request.POST or None, initial=request.GET.dict())
    return _answer(request, form, "write_backstories")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write_variants(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = VariantsForm(collection, request.POST or None, initial=request.GET.dict())
    return _answer(request, form, "write_variants")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def probe(request: SignedInRequest, slug: str) -> HttpResponse:
    """Testing how judges are fooled: all that were tested side by side, and a form for another one."""
    collection = access.researched_or_404(request.user, slug)

    def tested() -> dict[str, object]:
        probes = queries.list_probes(collection, timezone.now())
        return {"probes": probes, "disguises": queries.PERTURBATIONS.values()}

    return _answer(request, ProbeForm(collection, request.POST or None), "probe", tested)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def compare_needs(request: SignedInRequest, slug: str) -> HttpResponse:
    """What a grade is given against: query, backstory or both, tried with one prompt and model."""
    collection = access.researched_or_404(request.user, slug)
    form, estimate = CompareNeedsForm(collection, request.POST or None), None
    if form.is_valid():
        now = timezone.now()
        try:
            if "start" in request.POST:
                started = batches.start_comparison(collection=collection, plan=form.plan(now), by=request.user, now=now)
                messages.success(request, f"{len(started)} batch{'es are' if len(started) > 1 else ' is'} under way.")
                return redirect("compare_needs", slug)
            estimate = batches.estimate_comparison(collection=collection, plan=form.plan(now), now=now)
        except CannotAsk as reason:
            form.add_error(None, str(reason))
    found = queries.list_need_comparisons(collection)
    return _render(request, form, "compare_needs", comparisons=found, estimate=estimate)


def _answer(
    request: SignedInRequest, form: ServiceForm, page: str, more: Callable[[], dict[str, object]] = dict
) -> HttpResponse:
    """A dry run tells calls, tokens and the most it can cost; only then it can be started. What costs nothing is
    started at once."""
    shown: dict[str, object] = {}
    if form.is_valid():
        now, collection = timezone.now(), form.collection
        try:
            plan = form.plan(now)
            if isinstance(plan, ServicePlan) and "start" not in request.POST:
                shown = {"plan": plan, "estimate": batches.estimate(collection=collection, plan=plan, now=now)}
            else:
                batch = batches.start(collection=collection, plan=plan, by=request.user, now=now)
                messages.success(request, batches.find_purpose(batch).started)
                return redirect("batch", collection.slug, batch.pk)
        except CannotAsk as reason:
            form.add_error(None, str(reason))
    return _render(request, form, page, **shown, **more())


def _render(request: SignedInRequest, form: ServiceForm, page: str, **shown: object) -> HttpResponse:
    context = {"collection": form.collection, "form": form, "missing": providers.missing_setups(), **shown}
    return render(request, f"annotate/suggestions/{page}.html", context, status=422 if form.errors else 200)
