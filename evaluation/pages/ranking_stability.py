"""When to stop judging: how sure the ranking of systems is, and which holes matter most for it."""

import itertools
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.vary import vary_on_headers

from annotate.models import Collection, Rater
from annotate.web.access import SignedInRequest
from evaluation import web
from evaluation.findings import influence
from evaluation.findings.ranking_stability import Stability, StabilityQuestion, list_judges
from evaluation.tables.table import Column, DataTable, text_column

HOLES_SHOWN = 5


@web.research_page
@vary_on_headers("HX-Request")
def show(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The page; for htmx, which asks on the judging page and until it is computed, the section alone."""
    judges = list_judges(collection)
    known_influence = influence.find_influence(collection)
    context: dict[str, object] = {
        "collection": collection,
        "judges": judges,
        "influence": known_influence,
        "influential": known_influence.value["top"][:HOLES_SHOWN] if known_influence else [],
    }
    if judge := _chosen(judges, request.GET.get("model", "")):
        known = web.ask_finding(collection, StabilityQuestion.by_model(judge.name), request.user)
        context |= {"judge": judge, "known": known, "neighbours": _neighbours(known.value)}
    name = "_ranking_stability" if request.htmx else "ranking_stability"
    return render(request, f"evaluation/ranking_stability/{name}.html", context)


def _chosen(judges: list[Rater], name: str) -> Rater | None:
    """The judge of a name, or the first where the name is of none."""
    return next((judge for judge in judges if judge.name == name), judges[0] if judges else None)


@dataclass(frozen=True)
class Neighbours:
    """Two systems one after the other today; `kept` in percent of the draws, None where they are level today."""

    before: str
    after: str
    kept: float | None


COLUMNS: list[Column[Neighbours]] = [
    text_column("", "System", "system", lambda pair: pair.before, is_row_head=True),
    text_column("", "Stays before", "stays before", lambda pair: pair.after),
    Column("", "In draws", "in draws", lambda pair: "level today" if pair.kept is None else f"{round(pair.kept)} %"),
]


def _neighbours(found: Stability | None) -> DataTable[Neighbours]:
    pairs = [
        Neighbours(system["run_tag"], following["run_tag"], None if system["kept"] is None else 100 * system["kept"])
        for system, following in itertools.pairwise(found["systems"] if found else [])
    ]
    return DataTable("neighbours", "", COLUMNS, pairs)
