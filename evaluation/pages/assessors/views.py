"""Statistics of assessors: the page, its downloads, the API."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.vary import vary_on_headers
from rest_framework import serializers

from annotate.models import Collection, Guidelines
from annotate.web import api as web_api
from annotate.web.access import SignedInRequest
from evaluation import web
from evaluation.findings.assessors import QUESTION
from evaluation.pages.assessors import tables
from evaluation.pages.assessors.tables import TABLES
from evaluation.tables.table import DataTable
from evaluation.web import IntervalOutput, ReasonsOutput, RevealsOutput


@web.research_page
@vary_on_headers("HX-Request")
def show_assessors(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The page; for htmx, which asks until they are computed, the statistics alone."""
    known = web.ask_finding(collection, QUESTION, request.user)
    context: dict[str, object] = {
        "collection": collection,
        "known": known,
        "guidelines": Guidelines.objects.filter(collection=collection).latest("version"),
    }
    if known.value:
        context |= {
            "rows": tables.list_assessors(collection, known.value),
            "reference": tables.read_agreement(known.value["reference"], tables.NO_REFERENCE),
            "grade_heads": DataTable("grades", "", tables.GRADE_COLUMNS, []),
        }
    template = "evaluation/assessors/_assessors.html" if request.htmx else "evaluation/assessors/assessors.html"
    return render(request, template, context)


@web.research_page
def download_assessors(request: SignedInRequest, collection: Collection, name: str, format: str) -> HttpResponse:
    """One of the tables to keep; a sentence (202) until they are computed."""
    if name not in TABLES:
        raise Http404("There is no such table of assessors.")
    known = web.ask_finding(collection, QUESTION, request.user)
    if known.value is None:
        raise web.NoFile("The statistics are being computed in the background. Ask again.", 202)
    table = TABLES[name](tables.list_assessors(collection, known.value))
    return web.answer_table(table, f"{collection.slug}-{name}", format)


class SecondsOutput(ReasonsOutput):
    """Medians."""

    visible = serializers.FloatField(allow_null=True, help_text="while the page was in view and the person not idle")
    wall = serializers.FloatField(allow_null=True, help_text="by the clock on the wall")


class OfGradeOutput(SecondsOutput):
    grade = serializers.IntegerField(allow_null=True, help_text="null for what could not be judged")
    n = serializers.IntegerField()


class BesideOutput(ReasonsOutput):
    """On `n` pairs: kappa unweighted, alpha ordinal. Above 0, a difference says that this person is more generous."""

    n = serializers.IntegerField()
    kappa = serializers.FloatField(allow_null=True)
    alpha = serializers.FloatField(allow_null=True)
    share_equal = serializers.FloatField(allow_null=True)
    mean_difference = serializers.FloatField(allow_null=True)


class SureBesideOutput(BesideOutput):
    intervals = serializers.DictField(
        child=IntervalOutput(), help_text="of kappa, alpha and the mean difference, over topics"
    )


class SittingOutput(ReasonsOutput):
    sitting = serializers.IntegerField()
    began_at = serializers.DateTimeField()
    judged = serializers.IntegerField()
    mean_grade = serializers.FloatField(allow_null=True)
    visible = serializers.FloatField(allow_null=True)
    wall = serializers.FloatField(allow_null=True)
    others = BesideOutput()


class AssessorOutput(SecondsOutput):
    """Judgments of the first round that are in force."""

    pseudonym = serializers.CharField()
    judged = serializers.IntegerField()
    cannot = serializers.IntegerField(help_text="of these, found not judgeable")
    unsure = serializers.IntegerField()
    by_grade = OfGradeOutput(many=True)
    reveals = RevealsOutput(allow_null=True, help_text="null where nothing was revealed")
    self = SureBesideOutput(help_text="second grades beside the first, of pairs that came again unannounced")
    others = SureBesideOutput(help_text="final grades, on pairs that somebody else judged too")
    reference = SureBesideOutput(help_text="grades at the save, on pairs of the reference mixed in blind")
    sittings = SittingOutput(many=True)


class StatisticsOutput(serializers.Serializer[object]):
    judgments = serializers.IntegerField()
    reference = SureBesideOutput(help_text="that of all assessors as one")
    assessors = AssessorOutput(many=True, help_text="by pseudonym")


class AssessorsOutput(ReasonsOutput):
    statistics = StatisticsOutput(allow_null=True, help_text="null until computed in the background: ask again")
    is_stale = serializers.BooleanField(help_text="judgments came since; it is being computed again")
    computed_at = serializers.DateTimeField(allow_null=True)


@web.research_api("assessors", "How each assessor judges", AssessorsOutput, errors=[403])
def answer_assessors(request: web_api.SignedInRequest, collection: Collection) -> object:
    known = web.ask_finding(collection, QUESTION, request.user)
    statistics = web.describe_waiting(known) if known.value is None else known.value
    return {"statistics": statistics, "is_stale": known.is_stale, "computed_at": known.computed_at}
