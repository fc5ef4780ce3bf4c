"""Completed qrels under a named rule, as a file that trec_eval reads."""

import hashlib
from collections.abc import Mapping

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import renderer_classes
from rest_framework.renderers import JSONRenderer

from annotate.exports import operations, queries
from annotate.grades import completed_qrels as grades_completed_qrels
from annotate.grades.completed_qrels import NoSuchRater
from annotate.models import Collection
from annotate.rules import completion
from annotate.web import access
from annotate.web import api as web_api

RULE_PARAMETERS = [
    OpenApiParameter(
        "rule",
        str,
        description="sources, strongest first: `reference`, `original`, `adjudicated`, `people`, `model:NAME`; "
        f"by default {grades_completed_qrels.USUAL_RULE}",
    ),
    OpenApiParameter(
        "consensus",
        str,
        enum=completion.CONSENSUS_RULES,
        description="how several people's grades become one; by default as the collection says",
    ),
]


def read_rule(parameters: Mapping[str, str], collection: Collection, name: str = "rule") -> completion.Rule:
    """The rule that the query parameter of this name says. Raises Refused where it cannot be understood."""
    sources = parameters.get(name, str(grades_completed_qrels.usual_rule(collection)))
    chosen = parameters.get("consensus", collection.consensus)
    if "\0" in sources:  # PostgreSQL cannot be asked for such a name
        raise web_api.Refused(400, "A rule has no NUL in it.", [(name, "a NUL")])
    try:
        return completion.parse_rule(sources, chosen)
    except completion.UnknownRule as reason:
        place = name if chosen in completion.CONSENSUS_RULES else "consensus"
        raise web_api.Refused(400, str(reason), [(place, str(reason))]) from None


DIGEST_HEADER = "X-Qrels-SHA256"


@extend_schema(
    operation_id="completed_qrels",
    summary="Completed qrels of this moment",
    description="One line for each topic and passage; the same facts and rule give the same bytes.",
    parameters=[
        *RULE_PARAMETERS,
        OpenApiParameter(DIGEST_HEADER, str, OpenApiParameter.HEADER, response=[200], description="of the body"),
    ],
    responses={(200, web_api.PlainTextRenderer.media_type): OpenApiTypes.STR, **web_api.error_answers(400, 403, 409)},
    tags=["research"],
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, web_api.PlainTextRenderer])
def completed_qrels(request: web_api.SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    rule = read_rule(request.query_params, collection)
    try:
        content = operations.build_qrels(collection, rule)
    except NoSuchRater as reason:
        raise web_api.Refused(400, str(reason), [("rule", str(reason))]) from None
    except operations.NothingToExport as reason:
        raise web_api.Refused(409, str(reason)) from None
    digest = hashlib.sha256(content).hexdigest()
    return HttpResponse(content, content_type="text/plain; charset=utf-8", headers={DIGEST_HEADER: digest})


@extend_schema(
    operation_id="export_judgments",
    summary="Every judgment of people, as a table",
    description="In the order in which they were saved, with replaced versions (`is_current` false), hidden repeats "
    "(`round` above 1) and pairs that cannot be judged (`outcome` CANNOT). Times are in UTC, people by their "
    "pseudonyms. The columns are explained in the documentation of exports.",
    parameters=[OpenApiParameter("as", str, enum=list(queries.JUDGMENT_FILES), description="by default `jsonl`")],
    responses={
        **{(200, kind): OpenApiTypes.STR for kind in ("application/x-ndjson", "text/csv")},
        **web_api.error_answers(400, 403),
    },
    tags=["research"],
)
@web_api.api_view("GET")
@renderer_classes([JSONRenderer, web_api.JsonLinesRenderer])
def export_judgments(request: web_api.SignedInRequest, slug: str) -> StreamingHttpResponse:
    collection = access.researched_or_404(request.user, slug)
    kind = request.query_params.get("as", "jsonl")
    if kind not in queries.JUDGMENT_FILES:
        raise web_api.Refused(400, "Judgments come as jsonl or as csv.", [("as", "not one of jsonl, csv")])
    return StreamingHttpResponse(queries.judgment_lines(collection, kind), content_type=queries.JUDGMENT_FILES[kind])
