"""How label sets favour what the topics' own queries find."""

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
from evaluation.agreement.value import Value
from evaluation.findings import finding, variants
from evaluation.findings.finding import KnownFinding
from evaluation.findings.variants import Bias, BiasQuestion, BiasRow
from evaluation.inputs import raters
from evaluation.tables.table import Column, DataTable, text_column


@require_safe
@signed_in
def show(request: SignedInRequest, slug: str) -> HttpResponse:
    """Of the model raters in the address, which graded the same pairs against different needs."""
    collection = access.researched_or_404(request.user, slug)
    names = request.GET.getlist("raters")
    address = {"address": urlencode({"raters": names}, doseq=True)}
    context: dict[str, object] = {"collection": collection, "form": address}
    try:
        known = _ask_bias(request, collection, names)
    except raters.NoSuchRater as reason:
        return render(request, "evaluation/seed_bias/seed_bias.html", context | {"refusal": str(reason)}, status=422)
    is_silent = progress.is_worker_silent(collection, timezone.now())
    context |= {"known": known, "found": known.value, "is_worker_silent": is_silent}
    if known.value:
        context["table"] = _bias_table(known.value)
    return render(request, "evaluation/seed_bias/seed_bias.html", context)


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
    return web.answer_table(_bias_table(known.value).table, f"{slug}-seed-bias", format)


def _ask_bias(request: SignedInRequest, collection: Collection, names: list[str]) -> KnownFinding[Bias]:
    """Raises raters.NoSuchRater."""
    if not names:
        raise raters.NoSuchRater("Name the model raters whose grades are compared.")
    variants.check_raters(collection, names)
    return finding.ask_finding(
        collection=collection, question=BiasQuestion.of_raters(names), by=request.user, now=timezone.now()
    )


def _bias_table(found: Bias) -> DataTable[BiasRow]:
    systems = f"{found['seed_systems']} systems on the queries, {found['variant_systems']} on variants"
    caption = (
        f"{found['measure']} of runs of the topics' own queries and of query variants under each rater's grades alone, "
        f"over {found['topics']} topics; {systems}; the first rater is {found['rows'][0]['rater']}; relevant is grade "
        f"{found['relevant_from']} or more, of the graded passages in the first ten ranks"
    )
    columns = _columns(found["reason"], has_others=len(found["rows"]) > 1)
    return DataTable("scores", caption, columns, found["rows"], places=3)


def _columns(reason: str, *, has_others: bool) -> list[Column[BiasRow]]:
    """The cells of the page are more than a number: its template writes them."""
    ends, others = ("low", "high", "interval"), "Beside the first" if has_others else ""
    of_others = tuple(f"beside the first: {label}" for label in ends)
    nothing = variants.NOTHING_GRADED
    return [
        text_column("", "Rater", "rater", lambda row: row["rater"]),
        Column("", "Own queries", "own queries", lambda row: _value(row["seed"], reason)),
        Column("", "Variants", "variants", lambda row: _value(row["variants"], reason)),
        Column("", "Difference", "difference", lambda row: _value(row["difference"], reason)),
        Column("", "", ends, lambda row: web.read_ends(row["interval"])),
        Column("", others, "beside the first", lambda row: row["beside_first"]),
        Column("", "", of_others, lambda row: web.read_ends(row["beside_interval"])),
        Column("", "Relevant, own queries", "relevant, own queries", lambda row: _value(row["seed_relevant"], nothing)),
        Column("", "", "graded, own queries", lambda row: row["seed_graded"]),
        Column("", "Relevant, variants", "relevant, variants", lambda row: _value(row["variants_relevant"], nothing)),
        Column("", "", "graded, variants", lambda row: row["variants_graded"]),
    ]


def _value(number: float | None, reason: str) -> Value:
    return Value(None, reason) if number is None else Value(number)
