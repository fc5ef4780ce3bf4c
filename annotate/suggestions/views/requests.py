"""Asking a language model for grades: the dry run first, then the batch; or one batch for each information need."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import providers
from annotate.models import Collection, Prompt
from annotate.suggestions.forms.requests import BUILT_IN, AskForm, CompareNeedsForm
from annotate.suggestions.operations import asking, prompts
from annotate.suggestions.operations import need_comparisons as need_comparisons_operations
from annotate.suggestions.queries import comparisons
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in

FEW = 200  # judged pairs on which prompts are compared before money is spent


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def ask_model(request: SignedInRequest, slug: str) -> HttpResponse:
    """A dry run tells calls, tokens and the most it can cost; only then it can be started."""
    collection = access.researched_or_404(request.user, slug)
    form = AskForm(collection, request.POST or None, initial=request.GET.dict())
    if not form.is_valid():
        return _ask_page(request, collection, form)
    wish = form.wish(chosen_prompt(collection, form.cleaned_data["prompt"]))
    try:
        if "start" not in request.POST:
            estimate = asking.estimate(collection=collection, wish=wish)
            return _ask_page(request, collection, form, estimate=estimate, wish=wish)
        batch = asking.request(collection=collection, wish=wish, by=request.user, now=timezone.now())
    except asking.CannotAsk as reason:
        form.add_error(None, str(reason))
        return _ask_page(request, collection, form)
    messages.success(request, f"{batch.rater.name} is asked about {batch.pairs:,} pairs.")
    return redirect("batch", slug, batch.pk)


def _ask_page(request: SignedInRequest, collection: Collection, form: AskForm, **found: object) -> HttpResponse:
    missing = providers.missing_setups()
    told = {"collection": collection, "form": form, "missing": missing, "few": FEW, **found}
    return render(request, "annotate/suggestions/ask_model.html", told, status=422 if form.errors else 200)


def chosen_prompt(collection: Collection, choice: str) -> Prompt:
    """The prompt behind a choice of the form."""
    if choice.startswith(BUILT_IN):
        name = choice.removeprefix(BUILT_IN)
        return prompts.use_built_in(collection=collection, name=name, now=timezone.now())
    return Prompt.objects.get(collection=collection, pk=int(choice))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def compare_needs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = CompareNeedsForm(collection, request.POST or None)
    if not form.is_valid():
        return _page(request, collection, form)
    wish = form.wish(chosen_prompt(collection, form.cleaned_data["prompt"]))
    try:
        if "start" not in request.POST:
            return _page(
                request, collection, form, need_comparisons_operations.estimates(collection=collection, wish=wish)
            )
        asked = need_comparisons_operations.request(
            collection=collection, wish=wish, by=request.user, now=timezone.now()
        )
    except asking.CannotAsk as reason:
        form.add_error(None, str(reason))
        return _page(request, collection, form)
    messages.success(request, f"{len(asked)} batch{'es are' if len(asked) > 1 else ' is'} under way.")
    return redirect("compare_needs", slug)


def _page(
    request: SignedInRequest, collection: Collection, form: CompareNeedsForm, found: dict | None = None
) -> HttpResponse:
    costs = [one.most_cost for one in found.values()] if found else []
    told = {
        "collection": collection,
        "form": form,
        "missing": providers.missing_setups(),
        "comparisons": comparisons.list_need_comparisons(collection),
        "estimates": found,
        "calls": sum(one.calls for one in found.values()) if found else 0,
        "most_cost": None if None in costs else sum(costs),
        "pairs": next(iter(found.values())).pairs if found else 0,
    }
    return render(request, "annotate/suggestions/compare_needs.html", told, status=422 if form.errors else 200)
