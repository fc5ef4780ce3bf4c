from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.collections import queries as collections_queries
from annotate.collections.operations import collections
from annotate.grades import batches, model_raters
from annotate.models import Collection
from annotate.own_judges.operations import requests
from annotate.suggestions.forms.prompts import ChosenModelForm, OwnJudgeForm, SuccessorsForm
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


@require_safe
@signed_in
def suggestions(request: SignedInRequest, slug: str) -> HttpResponse:
    return _page(request, access.researched_or_404(request.user, slug))


@require_POST
@signed_in
def start_own_judge(request: SignedInRequest, slug: str) -> HttpResponse:
    """A new version of Lacuna's own judge, calibrated on the chosen models or, without any, from text alone."""
    collection = access.researched_or_404(request.user, slug)
    form = OwnJudgeForm(collection, request.POST)
    if not form.is_valid():
        return _page(request, collection, own_form=form)
    try:
        models, may_carry_over = form.recipe
        batch = requests.request_version(
            collection=collection, models=models, may_carry_over=may_carry_over, by=request.user, now=timezone.now()
        )
    except requests.NothingToDo as reason:
        messages.warning(request, str(reason))
    else:
        messages.success(request, f"{batch.rater} is asked about {batch.pairs:,} pairs. {batch.note}".strip())
    return redirect("suggestions", slug)


@require_POST
@signed_in
def change_successors(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = SuccessorsForm(request.POST, instance=collection)
    if not form.is_valid():
        return _page(request, collection, successors_form=form)
    collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
    messages.success(request, "Saved. New versions are trained so from now on.")
    return redirect("suggestions", slug)


@require_POST
@signed_in
def choose_model(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = ChosenModelForm(collection, request.POST)
    if form.is_valid():
        chosen = form.cleaned_data["suggesting_rater"]
        collections.change_judging(collection=collection, changes={"suggesting_rater": chosen})
        messages.success(request, f"Assessors see {chosen or 'no model'} in the arms that show a suggestion.")
    else:
        messages.error(request, "Choose a model of this collection.")
    return redirect("suggestions", slug)


def _page(request: SignedInRequest, collection: Collection, **bound: BaseForm) -> HttpResponse:
    """With forms that were sent and not taken, if any."""
    now = timezone.now()
    context = {
        "collection": collection,
        "facts": collections_queries.count_facts(collection),
        "models": model_raters.compare_models(collection, now),
        "versions": model_raters.list_versions(collection),
        "successor": progress.unfinished_progress(collection, requests.RETRAIN, now),
        "batches": batches.list_model_batches(collection, now),
        "form": ChosenModelForm(collection),
        "own_form": OwnJudgeForm(collection),
        "successors_form": SuccessorsForm(instance=collection),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(request, "annotate/suggestions/suggestions.html", context | bound, status=422 if bound else 200)
