from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.draws.operations import near_duplicates as finding
from annotate.draws.queries import near_duplicates as near_duplicates_query
from annotate.draws.queries import pair_draws
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in

PAGE = 10


@require_safe
@signed_in
def near_duplicates(request: SignedInRequest, slug: str) -> HttpResponse:
    """Each representative beside the passages that follow it."""
    collection = access.researched_or_404(request.user, slug)
    page = Paginator(near_duplicates_query.representatives(collection), PAGE).get_page(request.GET.get("page"))
    told = {
        "collection": collection,
        "page": page,
        "groups": [near_duplicates_query.of(pair) for pair in page],
        "counts": pair_draws.counts(collection),
    }
    return render(request, "annotate/draws/near_duplicates.html", told)


@require_POST
@signed_in
def find_near_duplicates(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    finding.request_finding(collection=collection, by=request.user, now=timezone.now())
    messages.success(request, "A worker looks for near-duplicates now.")
    return redirect("pairs", slug)
