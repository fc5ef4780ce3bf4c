from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate import access
from annotate.forms.suggestions import ChosenModelForm
from annotate.operations import collections, suggesting
from annotate.queries import batches, collection_facts, model_raters, workers
from annotate.views.signed_in import signed_in


@require_safe
@signed_in
def suggestions(request: HttpRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    now = timezone.now()
    told = {
        "collection": collection,
        "facts": collection_facts.of(collection),
        "models": model_raters.side_by_side(collection, now),
        "batches": batches.of_models(collection, now),
        "form": ChosenModelForm(collection),
        "is_worker_silent": workers.is_silent(collection, now),
    }
    return render(request, "annotate/suggestions.html", told)


@require_POST
@signed_in
def start_learned(request: HttpRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    try:
        batch = suggesting.request_learned(collection=collection, by=request.user, now=timezone.now())
    except suggesting.NothingToDo as reason:
        messages.warning(request, str(reason))
    else:
        messages.success(request, f"{batch.rater.name} is asked about {batch.pairs:,} pairs. {batch.note}".strip())
    return redirect("suggestions", slug)


@require_POST
@signed_in
def choose_model(request: HttpRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = ChosenModelForm(collection, request.POST)
    if form.is_valid():
        chosen = form.cleaned_data["suggesting_rater"]
        collections.change_judging(collection=collection, changes={"suggesting_rater": chosen})
        messages.success(request, f"Assessors see {chosen or 'no model'} in the arms that show a suggestion.")
    else:
        messages.error(request, "Choose a model of this collection.")
    return redirect("suggestions", slug)
