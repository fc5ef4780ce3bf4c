"""How label sets favour what the topics' own queries find."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from annotate.models import Collection
from annotate.web.access import SignedInRequest
from evaluation import web
from evaluation.agreement.value import Value
from evaluation.findings import variants
from evaluation.findings.finding import KnownFinding
from evaluation.findings.variants import Bias, BiasQuestion, BiasRow
from evaluation.inputs import raters
from evaluation.tables.table import Column, DataTable, text_column


@web.research_page
def show(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Of the model raters in the address, which graded the same pairs against different needs."""
    names = request.GET.getlist("raters")
    address = {"address": urlencode({"raters": names}, doseq=True)}
    context: dict[str, object] = {"collection": collection, "form": address}
    try:
        known = _ask_bias(request, collection, names)
    except raters.NoSuchRater as reason:
        return render(request, "evaluation/seed_bias/seed_bias.html", context | {"refusal": str(reason)}, status=422)
    context |= {"known": known, "found": known.value, "table": known.value and _bias_table(known.value)}
    return render(request, "evaluation/seed_bias/seed_bias.html", context)


@web.research_page
def download(request: SignedInRequest, collection: Collection, format: str) -> HttpResponse:
    """The same to keep; a sentence (202) until it is computed."""
    try:
        known = _ask_bias(request, collection, request.GET.getlist("raters"))
    except raters.NoSuchRater as reason:
        raise web.NoFile(str(reason), 422) from None
    if known.value is None:
        raise web.NoFile("These figures are being computed in the background. Ask again.", 202)
    return web.answer_table(_bias_table(known.value).table, f"{collection.slug}-seed-bias", format)


def _ask_bias(request: SignedInRequest, collection: Collection, names: list[str]) -> KnownFinding[Bias]:
    """Raises raters.NoSuchRater."""
    if not names:
        raise raters.NoSuchRater("Name the model raters whose grades are compared.")
    variants.check_raters(collection, names)
    return web.ask_finding(collection, BiasQuestion.of_raters(names), request.user)


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
