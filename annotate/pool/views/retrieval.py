from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotate.pool.operations import retrieval
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_POST
@signed_in
def retrieve(request: SignedInRequest, slug: str) -> HttpResponse:
    """Start the built-in systems; the page of their work shows how far they are."""
    collection = access.researched_or_404(request.user, slug)
    try:
        queued = retrieval.request(
            collection=collection,
            with_variants="with_variants" in request.POST,
            by=request.user,
            now=timezone.now(),
        )
    except retrieval.CannotRetrieve as reason:
        messages.error(request, str(reason))
        return redirect("pool", slug)
    return redirect("work_progress", slug, queued.pk)
