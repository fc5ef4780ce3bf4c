from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotate.exports import forms as exports_forms
from annotate.exports import operations, queries, rules
from annotate.grades import completed_qrels, model_raters, ratings
from annotate.models import Collection, Export, Judgment, QueryVariant
from annotate.web.access import SignedInRequest, researched
from annotate.work import kept_files

TABLE = "provenance.csv"
DAMAGED = (
    "{name} of version {number} is damaged in the data folder. Put it back from a backup, or freeze the same rule "
    "again: where nothing has changed since, that writes the file anew."
)
CONTENT_TYPES = {
    operations.QRELS: "text/plain; charset=utf-8",
    operations.PROVENANCE: "application/x-ndjson; charset=utf-8",
    operations.MANIFEST: "application/json",
    TABLE: "text/csv; charset=utf-8",
}


@require_http_methods(["GET", "HEAD", "POST"])
@researched
def exports(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """A rule is in the address, its counts on the page; a POST freezes it."""
    parameters = request.POST if request.method == "POST" else request.GET
    form = exports_forms.RuleForm(
        collection, parameters if "source_1" in parameters else exports_forms.usual_choices(collection)
    )
    if request.method == "POST" and form.is_valid():
        try:
            frozen = operations.freeze(
                collection=collection, rule=form.cleaned_data["rule"], by=request.user, now=timezone.now()
            )
        except (operations.NothingToExport, completed_qrels.NoSuchRater) as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, f"Version {frozen.number} is frozen: {frozen.manifest['lines']:,} lines.")
            return redirect("exports", collection.slug)
    return _page(request, collection, form)


@require_safe
@researched
def export_file(request: SignedInRequest, collection: Collection, number: int, name: str) -> HttpResponseBase:
    """A file of a frozen version, as it was frozen; `provenance.csv` is made from the frozen provenance."""
    frozen = get_object_or_404(Export, collection=collection, number=number)
    source = operations.PROVENANCE if name == TABLE else name
    path = kept_files.path(frozen.path) / source
    if name not in CONTENT_TYPES or not path.is_file():
        raise Http404(f"Version {number} has no file of this name.")
    if not operations.is_whole(frozen, source):
        messages.error(request, DAMAGED.format(number=number, name=source))
        return redirect("exports", collection.slug)
    if name == TABLE:
        response: HttpResponseBase = StreamingHttpResponse(rules.provenance_csv(path))
    else:
        response = FileResponse(path.open("rb"))
    response["Content-Type"] = CONTENT_TYPES[name]
    response["Content-Disposition"] = f'attachment; filename="{collection.slug}-{number}-{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
@researched
def judgments_file(request: SignedInRequest, collection: Collection, kind: str) -> StreamingHttpResponse:
    """Every judgment of people up to this moment."""
    if kind not in queries.JUDGMENT_FILES:
        raise Http404("Judgments are there as judgments.csv and judgments.jsonl.")
    response = StreamingHttpResponse(
        queries.judgment_lines(collection, kind), content_type=queries.JUDGMENT_FILES[kind]
    )
    response["Content-Disposition"] = f'attachment; filename="{collection.slug}-judgments.{kind}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _page(request: SignedInRequest, collection: Collection, form: exports_forms.RuleForm) -> HttpResponse:
    rule = form.cleaned_data["rule"] if form.is_valid() else None
    context = {
        "collection": collection,
        "form": form,
        "preview": queries.preview_rule(collection, rule) if rule else None,
        "warned": model_raters.list_warned(collection, rule.models) if rule else [],
        "draw": ratings.hole_draw_in_force(collection),
        "versions": Export.objects.filter(collection=collection).select_related("created_by").order_by("-number"),
        "table": TABLE,
        "judgments": Judgment.objects.filter(assessor__collection=collection).count(),
        "variants": QueryVariant.objects.published().filter(collection=collection).count(),
    }
    return render(request, "annotate/exports/exports.html", context, status=422 if form.errors else 200)
