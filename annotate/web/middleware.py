"""What is asked of a request before its view, and added to each answer: a body's size, the version of Lacuna."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
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
        name = request.resolver_match.url_name if request.resolver_match else None
        limit = OTHER_LIMITS.get(name or "", LIMIT)
        if limit is not None and int(length) > limit:
            return _refuse(request, 413, f"What was sent is too large: at most {limit // MIB} MB are taken here.")
        return None


def _refuse(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": sentence}, status=status)
    return render(request, "errors/refused.html", {"sentence": sentence}, status=status)


VERSION_HEADER = "X-Lacuna-Version"


def running_version() -> str:
    """The version, and the digest of the published scripts and styles where they are published with digests."""
    return "-".join(filter(None, [settings.VERSION, getattr(staticfiles_storage, "manifest_hash", "")]))


class VersionMiddleware:
    """Tells the version in a header of each answer, and to templates as `request.lacuna_version`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.lacuna_version = running_version()  # type: ignore[attr-defined]
        response = self.get_response(request)
        response.headers[VERSION_HEADER] = request.lacuna_version  # type: ignore[attr-defined]
        return response
