"""How label sets favour what the topics' own queries find."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress
from evaluation import web
from evaluation.findings import finding, variants
from evaluation.findings.finding import KnownFinding
from evaluation.findings.variants import Bias, BiasQuestion
from evaluation.inputs import raters
from evaluation.pages.agreement import figure_tables
from evaluation.tables.table import Cell, Table

BIAS = ("own queries", "variants", "difference", "low", "high", "interval")
BESIDE = ("beside the first", "beside the first: low", "beside the first: high", "beside the first: interval")
RELEVANT = ("relevant, own queries", "graded, own queries", "relevant, variants", "graded, variants")


@require_safe
@signed_in
def show(request: SignedInRequest, slug: str) -> HttpResponse:
    """Of the model raters in the address, which graded the same pairs against different needs."""
    collection = access.researched_or_404(request.user, slug)
    names = request.GET.getlist("raters")
    told: dict[str, Any] = {"collection": collection, "form": {"address": urlencode({"raters": names}, doseq=True)}}
    try:
        known = _ask_bias(request, collection, names)
    except raters.NoSuchRater as reason:
        return render(request, "evaluation/seed_bias/seed_bias.html", told | {"refusal": str(reason)}, status=422)
    is_silent = progress.is_worker_silent(collection, timezone.now())
    told |= {"known": known, "found": known.value, "is_worker_silent": is_silent}
    return render(request, "evaluation/seed_bias/seed_bias.html", told)


@require_safe
@signed_in
def download(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The same to keep; a sentence (202) until it is computed."""
    collection = access.researched_or_404(request.user, slug)
    try:
        known = _ask_bias(request, collection, request.GET.getlist("raters"))
    except raters.NoSuchRater as reason:
        return HttpResponse(f"{reason}\n", status=422, content_type="text/plain; charset=utf-8")
    if known.value is None:
        sentence = "These figures are being computed in the background. Ask again.\n"
        return HttpResponse(sentence, status=202, content_type="text/plain; charset=utf-8")
    return web.answer_table(_bias_table(known.value), f"{slug}-seed-bias", format)


def _ask_bias(request: SignedInRequest, collection: Collection, names: list[str]) -> KnownFinding[Bias]:
    """Raises raters.NoSuchRater."""
    if not names:
        raise raters.NoSuchRater("Name the model raters whose grades are compared.")
    variants.check_raters(collection, names)
    return finding.ask_finding(
        collection=collection, question=BiasQuestion.of_raters(names), by=request.user, now=timezone.now()
    )


def _bias_table(found: dict[str, Any]) -> Table:
    systems = f"{found['seed_systems']} systems on the queries, {found['variant_systems']} on variants"
    caption = (
        f"{found['measure']} of runs of the topics' own queries and of query variants under each rater's grades alone, "
        f"over {found['topics']} topics; {systems}; the first rater is {found['rows'][0]['rater']}; relevant is grade "
        f"{found['relevant_from']} or more, of the graded passages in the first ten ranks"
    )
    rows = tuple(_rater_cells(row, found["reason"]) for row in found["rows"])
    return Table(caption, ("rater", *BIAS, *BESIDE, *RELEVANT), rows, places=3)


def _rater_cells(row: dict[str, Any], reason: str) -> tuple[Cell, ...]:
    scores = (_value_cell(row[name], reason) for name in ("seed", "variants", "difference"))
    own, beside = _interval_cells(row["interval"]), _interval_cells(row["beside_interval"])
    shares = (
        cell
        for kind in ("seed", "variants")
        for cell in (_value_cell(row[f"{kind}_relevant"], variants.NOTHING_GRADED), row[f"{kind}_graded"])
    )
    return row["rater"], *scores, *own, row["beside_first"], *beside, *shares


def _value_cell(value: float | None, reason: str) -> Cell:
    return f"undefined: {reason}" if value is None else value


def _interval_cells(told: dict[str, Any] | None) -> tuple[Cell, Cell, Cell]:
    if told is None:
        return None, None, None
    how = figure_tables.describe_interval(told) if told["low"] is not None else f"undefined: {told['reason']}"
    return told["low"], told["high"], how
