"""Claims: what an assessor holds and may put off."""

import uuid

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.judging.operations import claims
from annotate.web import access
from annotate.web.api import errors


@extend_schema(
    operation_id="skip_pair",
    summary="Put a claimed pair at the end of your queue",
    description="Skipping twice, or what you do not hold any more, changes nothing.",
    request=None,
    responses={204: None, **errors.answers(403)},
    tags=["judging"],
)
@api_view(["POST"])
def skip(request: Request, slug: str, token: uuid.UUID) -> Response:
    assessor = access.assessor_or_404(request.user, slug)
    claims.skip(assessor=assessor, token=token, now=timezone.now())
    return Response(status=204)
