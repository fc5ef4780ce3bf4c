"""Testing how judges are fooled: all that were tested side by side, and a form for another one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import providers
from annotate.models import Batch, Collection
from annotate.probes import operations, queries
from annotate.probes.forms import ProbeForm
from annotate.suggestions.forms.requests import BUILT_IN
from annotate.suggestions.operations import asking
from annotate.suggestions.views.requests import chosen_prompt
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def probe(request: SignedInRequest, slug: str) -> HttpResponse:
    """An own judge starts at once, since it costs nothing; a service after its dry run."""
    collection = access.researched_or_404(request.user, slug)
    form = ProbeForm(collection, request.POST or None)
    if not form.is_valid():
        return _page(request, collection, form)
    try:
        if form.is_of_service:
            wish = form.wish(chosen_prompt(collection, form.cleaned_data["prompt"] or f"{BUILT_IN}direct"))
            if "start" not in request.POST:
                estimate = operations.estimate(collection=collection, wish=wish, draw=form.draw)
                return _page(request, collection, form, estimate=estimate, wish=wish)
            batch = operations.request(
                collection=collection, wish=wish, draw=form.draw, by=request.user, now=timezone.now()
            )
        else:
            batch = _own(request, collection, form)
    except asking.CannotAsk as reason:
        form.add_error(None, str(reason))
        return _page(request, collection, form)
    messages.success(request, f"{batch.parameters['model']} is tested on {batch.pairs} pairs in four disguises.")
    return redirect("batch", slug, batch.pk)


def _own(request: SignedInRequest, collection: Collection, form: ProbeForm) -> Batch:
    judge = form.cleaned_data["judge"]
    return operations.request_own(
        collection=collection, judge=judge, draw=form.draw, by=request.user, now=timezone.now()
    )


def _page(request: SignedInRequest, collection: Collection, form: ProbeForm, **found: object) -> HttpResponse:
    told = {
        "collection": collection,
        "form": form,
        "probes": queries.list_probes(collection, timezone.now()),
        "missing": providers.missing_setups(),
        "disguises": queries.DISGUISES.values(),
        **found,
    }
    return render(request, "annotate/probes/probe.html", told, status=422 if form.errors else 200)
