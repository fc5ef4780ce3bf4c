from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_safe

from annotate.variants.queries import variant_files as files_query
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in

CONTENT_TYPES = {"tsv": "text/plain; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}


@require_safe
@signed_in
def variant_file(request: SignedInRequest, slug: str, name: str) -> StreamingHttpResponse:
    """A file of the collection's query variants as they are now, sent as it is read."""
    collection = access.researched_or_404(request.user, slug)
    if name not in files_query.FILES:
        raise Http404("There is no file of this name.")
    response = StreamingHttpResponse(files_query.lines(collection, name))
    response["Content-Type"] = CONTENT_TYPES[name.rpartition(".")[2]]
    response["Content-Disposition"] = f'attachment; filename="{slug}-{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
