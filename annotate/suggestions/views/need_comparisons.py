"""What a grade is given against: query, backstory or both, tried with one prompt and model."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import services
from annotate.models import Collection
from annotate.suggestions.forms.need_comparisons import CompareNeedsForm
from annotate.suggestions.operations import asking
from annotate.suggestions.operations import need_comparisons as need_comparisons_operations
from annotate.suggestions.queries import need_comparisons
from annotate.suggestions.views.asking import chosen_prompt
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


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
        "missing": {name: services.missing(name) for name in services.NAMES},
        "comparisons": need_comparisons.of(collection),
        "estimates": found,
        "calls": sum(one.calls for one in found.values()) if found else 0,
        "most_cost": None if None in costs else sum(costs),
        "pairs": next(iter(found.values())).pairs if found else 0,
    }
    return render(request, "annotate/suggestions/compare_needs.html", told, status=422 if form.errors else 200)
