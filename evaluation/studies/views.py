"""The pages of studies: all of a collection, one with its tables, a new one, and what can be downloaded."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation import web
from evaluation.models import Study
from evaluation.studies.design import Report
from evaluation.studies.kinds import registry
from evaluation.studies.operations import reports, running
from evaluation.tables.table import Cell, Column, DataTable, Head, Table


@require_safe
@signed_in
def studies(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    rows = Study.objects.filter(collection=collection).select_related("work", "created_by")
    context = {
        "collection": collection,
        "studies": rows.defer("result", "report", "manifest").order_by("-number"),
        "offered": registry.list_offered_kinds(collection),
        "is_worker_silent": progress.is_worker_silent(collection, timezone.now()),
    }
    return render(request, "evaluation/studies/studies.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_study(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    offered = registry.offered_kind(collection, kind)
    if offered is None:
        raise Http404("There is no such kind of study.")
    sent = request.POST if request.method == "POST" else None
    like = _plan_of(collection, offered.kind.choice, request.GET.get("like"))
    form = offered.kind.form(collection, sent, like)
    if form.is_valid() and "estimate" not in request.POST:
        try:
            study = running.start_study(
                collection=collection,
                kind=offered.kind.choice,
                plan=form.plan_json(),
                title=form.cleaned_data["title"],
                by=request.user,
                now=timezone.now(),
            )
        except registry.CannotStudy as reason:
            form.add_error(None, str(reason))
        else:
            return redirect("study", slug, study.number)
    context = {"collection": collection, "offered": offered, "form": form}
    if form.is_bound and form.is_valid():
        context["time_needed"] = form.time_needed
    return render(request, "evaluation/studies/new_study.html", context, status=422 if form.errors else 200)


def _plan_of(collection: Collection, kind: str, number: str | None) -> dict[str, object] | None:
    """Of the study of this number, to be changed; None where there is none."""
    if number is None or not re.fullmatch("[0-9]{1,9}", number):
        return None
    result = Study.objects.filter(collection=collection, kind=kind, number=number).only("plan", "title").first()
    return None if result is None else {**result.plan, "title": result.title}


MOST_ROWS, MOST_OF_ALL = 20, 2000
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class ShownTable:
    """`heads` are the columns with what a click on each asks for; `rows` the first of the table's `total`."""

    name: str
    caption: str
    places: int
    heads: list[Head]
    rows: list[Row]
    total: int
    is_open: bool

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.rows)

    @property
    def has_more(self) -> bool:
        """Whether the page can show more of it."""
        return self.is_cut and len(self.rows) < MOST_OF_ALL


def show_tables(tables: Mapping[str, Table], asked: str, whole: str = "") -> list[ShownTable]:
    """`asked` is the name of a table and the number of its column, `systems.2`; `-systems.2` from the largest down.
    `whole` is the name of a table that is not cut, but where it is very long. Open are the first and what is asked."""
    first = next(iter(tables), "")
    return [_shown(name, table, asked, whole, is_first=name == first) for name, table in tables.items()]


def _shown(name: str, table: Table, asked: str, whole: str, *, is_first: bool) -> ShownTable:
    columns = [_column(table, place, f"{name}.{place}") for place in range(len(table.columns))]
    sorted_table = DataTable(name, table.caption, columns, table.rows, asked, table.places)
    return ShownTable(
        name=name,
        caption=table.caption,
        places=table.places,
        heads=sorted_table.heads,
        rows=sorted_table.rows[: MOST_OF_ALL if name == whole else MOST_ROWS],
        total=len(table.rows),
        is_open=is_first or name == whole or asked.removeprefix("-") in [column.name for column in columns],
    )


def _column(table: Table, place: int, name: str) -> Column[Row]:
    """Words in a column of numbers say why there is none, and come last in either order."""
    is_numeric = any(isinstance(row[place], int | float) for row in table.rows)
    return Column(
        name,
        table.columns[place],
        table.columns[place],
        lambda row: row[place],
        css="num" if is_numeric else "",
        sort=lambda row: None if is_numeric and isinstance(row[place], str) else row[place],
        is_rising=not is_numeric,
    )


@require_safe
@signed_in
def study(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    result, now = get_study(request, slug, number), timezone.now()
    context: dict[str, object] = {
        "collection": result.collection,
        "study": result,
        "progress": None if result.work is None else progress.measure_progress(result.work, now),
        "is_worker_silent": progress.is_worker_silent(result.collection, now),
        "manifest": reports.manifest_file(result).decode(),
    }
    if result.finished_at is not None:
        asked = {name: request.GET.get(name, "") for name in ("sort", "whole")}
        report = reports.read_report(result)
        figures = reports.drawn_figures(report)
        context |= {
            "report": report,
            "figures": figures,
            "is_drawn": all(drawn.is_whole for drawn in figures.values()),
            "tables": show_tables(report.tables, asked["sort"], asked["whole"]),
            "asked": asked,
        }
    return render(request, "evaluation/studies/study.html", context)


@require_POST
@signed_in
def run_study_again(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """The same plan on the grades and runs of today."""
    earlier = get_study(request, slug, number)
    try:
        later = running.run_again(study=earlier, by=request.user, now=timezone.now())
    except registry.CannotStudy as reason:
        messages.error(request, str(reason))
        return redirect("study", slug, number)
    if later == earlier:
        messages.info(request, "Nothing of what it rests on has changed since: it would find the same.")
    return redirect("study", slug, later.number)


@require_POST
@signed_in
def go_on_with_study(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Compute and draw what it still lacks."""
    running.go_on(study=get_study(request, slug, number), by=request.user, now=timezone.now())
    return redirect("study", slug, number)


@require_POST
@signed_in
def delete_study(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    result = get_study(request, slug, number)
    running.delete_study(study=result)
    messages.success(request, f"Study {number}, {result.title}, is deleted.")
    return redirect("studies", slug)


def get_study(request: SignedInRequest, slug: str, number: int) -> Study:
    """404 where the collection has no study of this number. Its result, which may be large, is read when it is used."""
    collection = access.researched_or_404(request.user, slug)
    rows = Study.objects.select_related("collection", "work", "created_by").defer("result")
    return get_object_or_404(rows, collection=collection, number=number)


FILES: dict[str, tuple[Callable[[Study], bytes], str]] = {
    reports.REPORT: (reports.page_file, "text/html; charset=utf-8"),
    reports.ARCHIVE: (reports.archive_file, "application/zip"),
    reports.RESULT: (reports.result_file, "application/json"),
    reports.MANIFEST: (reports.manifest_file, "application/json"),
}


@require_safe
@signed_in
def study_file(request: SignedInRequest, slug: str, number: int, name: str) -> HttpResponse:
    """The whole of a study; where drawings of it are gone, they are drawn first."""
    result = get_study(request, slug, number)
    if name not in FILES or (result.finished_at is None and name != reports.MANIFEST):
        raise Http404("The study has no file of this name, or not yet.")
    make, content_type = FILES[name]
    try:
        content = make(result)
    except reports.NotDrawnYet as reason:
        running.go_on(study=result, by=request.user, now=timezone.now())
        messages.info(request, f"{reason} They are being drawn: take the file as soon as that is done.")
        return redirect("study", slug, number)
    return web.answer_file(content, content_type, f"{slug}-study-{number}-{name}")


@require_safe
@signed_in
def study_figure(request: SignedInRequest, slug: str, number: int, name: str, format: str) -> HttpResponse:
    result = get_study(request, slug, number)
    figures = _report(result).figures
    if name not in figures:
        raise Http404("The study has no such figure.")
    return web.answer_figure(request, result.collection, figures[name], f"{slug}-study-{number}-{name}", format)


@require_safe
@signed_in
def study_table(request: SignedInRequest, slug: str, number: int, name: str, format: str) -> HttpResponse:
    tables = _report(get_study(request, slug, number)).tables
    if name not in tables:
        raise Http404("The study has no such table.")
    return web.answer_table(tables[name], f"{slug}-study-{number}-{name}", format)


def _report(study: Study) -> Report:
    if study.finished_at is None:
        raise Http404("The study has found nothing yet.")
    return reports.read_report(study)
