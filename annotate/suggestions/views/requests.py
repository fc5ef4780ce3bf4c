"""Asking a model, whatever for: the dry run first, then the batch."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import providers
from annotate.suggestions import queries
from annotate.suggestions.forms.requests import (
    AskForm,
    BackstoriesForm,
    CompareNeedsForm,
    ProbeForm,
    ServiceForm,
    VariantsForm,
)
from annotate.suggestions.operations import batches, need_comparisons
from annotate.suggestions.purposes.purpose import CannotAsk, ServicePlan
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in

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
                started = need_comparisons.start(collection=collection, plan=form.plan(now), by=request.user, now=now)
                messages.success(request, f"{len(started)} batch{'es are' if len(started) > 1 else ' is'} under way.")
                return redirect("compare_needs", slug)
            estimate = need_comparisons.estimate(collection=collection, plan=form.plan(now), now=now)
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
