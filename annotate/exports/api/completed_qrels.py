"""Completed qrels under a named rule, as a file that trec_eval reads."""

import hashlib

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, renderer_classes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from annotate.exports import operations
from annotate.exports.api import rules
from annotate.grades.completed_qrels import NoSuchRater
from annotate.web import access
from annotate.web.api import errors, renderers

DIGEST_HEADER = "X-Qrels-SHA256"


@extend_schema(
    operation_id="completed_qrels",
    summary="Completed qrels of this moment",
    description="One line for each topic and passage; the same facts and rule give the same bytes.",
    parameters=[
        *rules.PARAMETERS,
        OpenApiParameter(DIGEST_HEADER, str, OpenApiParameter.HEADER, response=[200], description="of the body"),
    ],
    responses={(200, renderers.PlainText.media_type): OpenApiTypes.STR, **errors.answers(400, 403, 409)},
    tags=["research"],
)
@api_view(["GET"])
@renderer_classes([JSONRenderer, renderers.PlainText])
def show(request: Request, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    rule = rules.asked(request.query_params, collection)
    try:
        files, _ = operations.build(collection, rule)
    except NoSuchRater as reason:
        raise errors.Refused(400, str(reason), [("rule", str(reason))]) from None
    except operations.NothingToExport as reason:
        raise errors.Refused(409, str(reason)) from None
    content = files[operations.QRELS]
    digest = hashlib.sha256(content).hexdigest()
    return HttpResponse(content, content_type="text/plain; charset=utf-8", headers={DIGEST_HEADER: digest})
