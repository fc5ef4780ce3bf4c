"""Pages of no room in particular: what went wrong, and the progress of background work."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.models import Collection, Work
from annotate.web import access
from annotate.web.access import SignedInRequest, researched
from annotate.work import progress, queue


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/403.html", {"sentence": str(exception or "")}, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if request.path_info.startswith(access.API):
        return JsonResponse({"detail": "There is no such address in the API; addresses end with a slash."}, status=404)
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without the request: reading its person might fail once more."""
    return HttpResponse(render_to_string("errors/500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", {"reason": reason}, status=403)


@require_safe
@researched
@vary_on_headers("HX-Request")
def work_progress(request: SignedInRequest, collection: Collection, work_id: int) -> HttpResponse:
    return _answer(request, collection, work_id)


@require_POST
@researched
@vary_on_headers("HX-Request")
def stop_work(request: SignedInRequest, collection: Collection, work_id: int) -> HttpResponse:
    queue.stop(work=get_object_or_404(Work, collection=collection, pk=work_id))
    return _answer_change(request, collection, work_id)


@require_POST
@researched
@vary_on_headers("HX-Request")
def resume_work(request: SignedInRequest, collection: Collection, work_id: int) -> HttpResponse:
    try:
        queue.resume(work=get_object_or_404(Work, collection=collection, pk=work_id))
    except queue.CannotResume as reason:
        messages.error(request, str(reason))
        return redirect("work_progress", collection.slug, work_id)
    return _answer_change(request, collection, work_id)


def _answer_change(request: SignedInRequest, collection: Collection, work_id: int) -> HttpResponse:
    if request.htmx:
        return _answer(request, collection, work_id)
    return redirect("work_progress", collection.slug, work_id)


def _answer(request: SignedInRequest, collection: Collection, work_id: int) -> HttpResponse:
    """The page of one piece of work, or for htmx the fragment that asks for itself until the work is over."""
    now = timezone.now()
    work = get_object_or_404(Work, collection=collection, pk=work_id)
    told = {
        "collection": collection,
        "progress": progress.measure_progress(work, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(
        request, "annotate/web/_work_progress.html" if request.htmx else "annotate/web/work_progress.html", told
    )


Choice = tuple[object, str]
Data = Mapping[str, object] | None  # what was sent; None where the form is shown for the first time
Initial = dict[str, Any] | None


def set_choices(field: forms.Field, choices: Iterable[Choice | tuple[str, Iterable[Choice]]]) -> None:
    """Of a field that offers values; groups have a name and their choices."""
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def set_rows(field: forms.Field, rows: QuerySet[Model], empty_label: str | None = None) -> None:
    """Of a field that offers rows; `empty_label` names the choice of none, where the field has it."""
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    field.empty_label = empty_label or field.empty_label
