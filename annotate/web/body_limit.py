"""How large a request may be: asked of its headers, before anything has read a byte of the body."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

View = Callable[..., HttpResponse]

MIB = 1024 * 1024
MOST_DIGITS = 15
LIMIT = 1 * MIB
# Addresses by name. Imports look at their own limit, which the installation sets.
OTHER_LIMITS = {"api_predictions": 16 * MIB, "api_draw_list": 4 * MIB, "imports": None}


class BodyLimitMiddleware:
    """Refuses with 413 what is too large, with 411 a body of unknown length: Django would read it as an empty one."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: View, *_: object) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return _refuse(request, 411, "Send the length of the request (Content-Length); it came in chunks without.")
        if not (length.isascii() and length.isdigit() and len(length) <= MOST_DIGITS):
            return _refuse(request, 400, "The length of the request (Content-Length) is no number of bytes.")
        limit = OTHER_LIMITS.get(request.resolver_match.url_name, LIMIT)
        if limit is not None and int(length) > limit:
            return _refuse(request, 413, f"What was sent is too large: at most {limit // MIB} MB are taken here.")
        return None


def _refuse(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": sentence}, status=status)
    return render(request, "errors/refused.html", {"sentence": sentence}, status=status)
