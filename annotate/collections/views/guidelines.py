from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotate.collections.forms.collections import ScaleForm
from annotate.collections.forms.guidelines import GuidelinesForm
from annotate.collections.operations import collections, scales
from annotate.collections.queries import stored_grades
from annotate.models import Collection, Guidelines, Membership
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@vary_on_headers("HX-Request")
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    """Everybody of the collection reads them; researchers write the next version."""
    if request.method == "POST":
        return _write(request, access.researched_or_404(request.user, slug))
    collection = access.collection_or_404(request.user, slug)
    shown = _asked(collection, request.GET.get("version"))
    if Membership.Role.RESEARCHER not in access.roles(request.user, collection):
        return render(request, "annotate/collections/guidelines_read.html", {"collection": collection, "shown": shown})
    return _page(request, collection, _form_of(shown), shown)


@require_POST
@signed_in
def change_scale(request: SignedInRequest, slug: str) -> HttpResponse:
    """Another scale of grades, as long as none is stored."""
    collection = access.researched_or_404(request.user, slug)
    newest = _versions(collection)[0]
    form = ScaleForm(request.POST)
    if not form.is_valid():
        return _page(request, collection, _form_of(newest), newest, scale_form=form)
    try:
        changed = scales.change(
            collection=collection, scale=form.cleaned_data["scale"], by=request.user, now=timezone.now()
        )
    except collections.CannotChange as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, f"Grades go from {changed.scale} now; look at their names below.")
    return redirect("guidelines", slug)


def _write(request: SignedInRequest, collection: Collection) -> HttpResponse:
    newest = _versions(collection)[0]
    form = GuidelinesForm(newest.grade_words, request.POST)
    if not form.is_valid():
        return _page(request, collection, form, newest)
    text, grade_words = form.cleaned_data["text"], form.grade_words()
    if "preview" in request.POST:
        return _page(request, collection, form, Guidelines(text=text, grade_words=grade_words))
    stored = collections.add_guidelines(
        collection=collection, text=text, grade_words=grade_words, by=request.user, now=timezone.now()
    )
    is_same = stored == newest
    messages.success(
        request, "Nothing changed." if is_same else f"Version {stored.version} is what assessors read now."
    )
    return redirect("guidelines", collection.slug)


def _form_of(shown: Guidelines) -> GuidelinesForm:
    return GuidelinesForm(shown.grade_words, initial={"text": shown.text})


def _page(
    request: SignedInRequest,
    collection: Collection,
    form: GuidelinesForm,
    shown: Guidelines,
    scale_form: ScaleForm | None = None,
) -> HttpResponse:
    """`shown` is a version, or where it has no number the preview of what is being written."""
    told = {"collection": collection, "form": form, "shown": shown, "versions": _versions(collection)}
    told["scale_form"] = scale_form or ScaleForm(initial={"scale": collection.scale})
    told["scale_lock"] = scales.LOCKED if stored_grades.exist(collection) else ""
    page = "annotate/collections/_guidelines_shown.html" if request.htmx else "annotate/collections/guidelines.html"
    return render(request, page, told, status=422 if form.errors or told["scale_form"].errors else 200)


def _asked(collection: Collection, number: str | None) -> Guidelines:
    """The version of this number as an address writes it, the newest without one. Raises Http404."""
    found = [version for version in _versions(collection) if number in (None, str(version.version))]
    if not found:
        raise Http404("There is no such version of the guidelines.")
    return found[0]


def _versions(collection: Collection) -> QuerySet[Guidelines]:
    return Guidelines.objects.filter(collection=collection).select_related("created_by").order_by("-version")
