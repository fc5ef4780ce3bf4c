from collections.abc import Iterator

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.imports import queries as imports_query
from annotate.imports.forms import FORMS, FilesForm, RunFamiliesForm
from annotate.imports.operations import uploads, withdrawals
from annotate.models import Collection, ImportedFile
from annotate.web.access import SignedInRequest, researched
from annotate.work import progress

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@csrf_exempt
@researched
@vary_on_headers("HX-Request")
def imports(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Looking for the CSRF token reads the body: first the person is known to be a researcher and the body to be
    within the limit. That the length is a number is seen to by annotate.web.access."""
    limit = settings.UPLOAD_LIMIT_MB
    if int(request.META.get("CONTENT_LENGTH") or 0) > limit * 1024 * 1024:
        return render(
            request, "annotate/imports/upload_too_large.html", {"collection": collection, "limit": limit}, status=413
        )
    return _imports(request, collection)


@csrf_protect
def _imports(request: SignedInRequest, collection: Collection) -> HttpResponse:
    kind = request.GET.get("kind", "")
    if kind not in FORMS:
        kind = imports_query.first_missing_kind(collection)
    form = FORMS[kind](request.POST or None, request.FILES or None)
    if form.is_valid():
        for level, sentence in _receive(request, collection, kind, form):
            messages.add_message(request, level, sentence)
        return redirect("imports", collection.slug)
    context = {"collection": collection, "form": form, "kind": kind, "kinds": ImportedFile.Kind.choices}
    context |= {"limit": settings.UPLOAD_LIMIT_MB, **_listed(request, collection)}
    page = "annotate/imports/_imports.html" if request.htmx else "annotate/imports/imports.html"
    return render(request, page, context, status=422 if form.errors else 200)


@require_safe
@researched
def import_detail(request: SignedInRequest, collection: Collection, file_id: int) -> HttpResponse:
    imported = get_object_or_404(imports_query.list_files(collection), pk=file_id)
    return _detail(request, imported)


@require_POST
@researched
def change_families(request: SignedInRequest, collection: Collection, file_id: int) -> HttpResponse:
    """Say the model families of an imported run's system."""
    imported = get_object_or_404(imports_query.list_files(collection), pk=file_id, runs__isnull=False)
    form = RunFamiliesForm(request.POST)
    if not form.is_valid():
        return _detail(request, imported, form)
    uploads.change_families(imported=imported, families=form.cleaned_data["model_family"])
    messages.success(request, "The model families are kept.")
    return redirect("import_detail", collection.slug, file_id)


@require_POST
@researched
def withdraw_import(request: SignedInRequest, collection: Collection, file_id: int) -> HttpResponse:
    imported = get_object_or_404(ImportedFile, collection=collection, pk=file_id)
    try:
        withdrawals.request_withdrawal(imported=imported, by=request.user, now=timezone.now())
    except withdrawals.CannotWithdraw as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, f"{imported.name} is no longer seen; its rows are being removed.")
    return redirect("import_detail", collection.slug, file_id)


def _detail(request: SignedInRequest, imported: ImportedFile, form: RunFamiliesForm | None = None) -> HttpResponse:
    run = imported.runs.first()
    if run is not None and form is None:
        form = RunFamiliesForm(initial={"model_family": run.model_family})
    context = {
        "collection": imported.collection,
        "import": imports_query.describe_import(imported, timezone.now()),
        "form": form,
    }
    return render(request, "annotate/imports/import_detail.html", context, status=422 if form and form.errors else 200)


def _receive(request: SignedInRequest, collection: Collection, kind: str, form: FilesForm) -> Iterator[tuple[int, str]]:
    """Each file is taken or refused by itself, and said so by its name."""
    for file in form.cleaned_data["files"]:
        try:
            uploads.receive(
                collection=collection,
                kind=kind,
                name=file.name,
                chunks=file.chunks(),
                options=form.options(),
                by=request.user,
                now=timezone.now(),
                texts=form.texts(),
            )
        except uploads.AlreadyImported as reason:
            yield messages.WARNING, str(reason)
        except uploads.WrongOptions as reason:
            yield messages.ERROR, f"{file.name}: {reason}"
        else:
            yield messages.SUCCESS, f"{file.name}: taken in; a worker reads it now."


def _listed(request: SignedInRequest, collection: Collection) -> dict[str, object]:
    now = timezone.now()
    page = Paginator(imports_query.list_files(collection), PAGE).get_page(request.GET.get("page"))
    rows = [imports_query.describe_import(imported, now) for imported in page]
    return {
        "page": page,
        "imports": rows,
        "is_live": any(row.is_live for row in rows),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
