"""Having a model write backstories or query variants: the dry run first, then the batch."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotate.llm import providers
from annotate.models import Batch, Collection
from annotate.suggestions.operations import asking
from annotate.suggestions.views.requests import chosen_prompt
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.writing.forms import BackstoriesForm, VariantsForm, WritingForm
from annotate.writing.operations import profiles, writing
from annotate.writing.operations.writing import TextsPlan


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write_backstories(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    return _write(request, collection, BackstoriesForm(collection, request.POST or None, initial=request.GET.dict()))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write_variants(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    return _write(request, collection, VariantsForm(collection, request.POST or None, initial=request.GET.dict()))


@require_POST
@signed_in
def take_back_batch(request: SignedInRequest, slug: str, batch_id: int) -> HttpResponse:
    """Take out what a batch wrote."""
    collection = access.researched_or_404(request.user, slug)
    written = get_object_or_404(
        Batch.objects.select_related("work"), collection=collection, pk=batch_id, purpose__in=writing.PURPOSES
    )
    try:
        taken = writing.take_back(batch=written)
        messages.success(request, f"Taken out: {taken} of {written.get_purpose_display()}. The answers stay here.")
    except asking.CannotAsk as reason:
        messages.error(request, str(reason))
    return redirect("batch", slug, batch_id)


def _write(request: SignedInRequest, collection: Collection, form: WritingForm) -> HttpResponse:
    if not form.is_valid():
        return _page(request, collection, form)
    wish, now = _wish(collection, form), timezone.now()
    try:
        if "start" not in request.POST:
            estimate = writing.estimate(collection=collection, wish=wish, now=now)
            return _page(request, collection, form, estimate=estimate, wish=wish)
        batch = writing.request(collection=collection, wish=wish, by=request.user, now=now)
    except asking.CannotAsk as reason:
        form.add_error(None, str(reason))
        return _page(request, collection, form)
    messages.success(request, f"{batch.get_purpose_display().capitalize()} are asked for.")
    return redirect("batch", collection.slug, batch.pk)


def _wish(collection: Collection, form: WritingForm) -> TextsPlan:
    prompt = chosen_prompt(collection, form.cleaned_data["prompt"])
    if "profiles" not in form.cleaned_data:
        return form.wish(prompt=prompt)
    chosen = profiles.choose(collection=collection, names=form.cleaned_data["profiles"], now=timezone.now())
    return form.wish(prompt=prompt, profiles=tuple(chosen))


def _page(request: SignedInRequest, collection: Collection, form: WritingForm, **found: object) -> HttpResponse:
    missing = providers.missing_setups()
    told = {"collection": collection, "form": form, "missing": missing, **found}
    return render(
        request, f"annotate/writing/write_{form.purpose.lower()}.html", told, status=422 if form.errors else 200
    )
