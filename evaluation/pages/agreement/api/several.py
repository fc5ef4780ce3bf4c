"""Krippendorff's alpha of several raters of a collection together."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.web import access
from annotate.web.api import errors
from evaluation.agreement import value
from evaluation.findings import finding
from evaluation.findings.agreement import agreement, several
from evaluation.findings.agreement.several import Several
from evaluation.findings.finding import Known
from evaluation.inputs import questions, raters
from evaluation.pages.agreement.api.agreement import NAMES, AlphaOutput
from evaluation.web import reasons
from evaluation.web.intervals import IntervalOutput
from evaluation.web.reasons import ReasonsOutput


class CountedOutput(serializers.Serializer):
    rater = serializers.CharField()
    counted = serializers.IntegerField(help_text="grades of this rater that count")


class SeveralOutput(ReasonsOutput):
    """`n` pairs have grades of two raters or more, `complete` of them of all; `alone` more have one grade."""

    raters = CountedOutput(many=True)
    n = serializers.IntegerField()
    complete = serializers.IntegerField()
    alone = serializers.IntegerField()
    alpha = AlphaOutput()
    intervals = serializers.DictField(
        child=serializers.DictField(child=IntervalOutput()),
        allow_null=True,
        help_text="of each level, over topics and over pairs; null until computed in the background: ask again",
    )


@extend_schema(
    operation_id="agreement_several",
    summary="How far several raters agree together",
    parameters=[OpenApiParameter("raters", str, required=True, many=True, description=f"two or more of: {NAMES}")],
    responses={200: SeveralOutput, **errors.answers(400, 403)},
    tags=["findings"],
)
@api_view(["GET"])
def show(request: Request, slug: str) -> Response:
    collection = access.researched_or_404(request.user, slug)
    try:
        given = several.chosen(collection, request.query_params.getlist("raters"))
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        raise errors.Refused(400, str(reason)) from None
    question = questions.several([rater.address for rater in given], several.models(given))
    known = finding.ask(collection=collection, question=question, by=request.user, now=timezone.now())
    return Response(SeveralOutput(_told(several.of(collection, given), known)).data)


def _told(shown: Several, known: Known) -> dict:
    waiting = {"intervals": None, "reason": {"intervals": reasons.waiting(known)}}
    return {
        "raters": [
            {"rater": rater.address, "counted": counted}
            for rater, counted in zip(shown.raters, shown.counted, strict=True)
        ],
        "n": shown.found.n,
        "complete": shown.found.complete,
        "alone": shown.found.alone,
        "alpha": value.as_json(shown.found.alpha),
        **({"intervals": known.value} if known.value else waiting),
    }
