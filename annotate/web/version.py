"""Which Lacuna answers. Each answer tells it, so that a page that was open over an upgrade finds out that it is old."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse

HEADER = "X-Lacuna-Version"


def present() -> str:
    """The version, and the digest of the published scripts and styles where they are published with digests."""
    return "-".join(filter(None, [settings.VERSION, getattr(staticfiles_storage, "manifest_hash", "")]))


class VersionMiddleware:
    """Tells the version in a header of each answer, and to templates as `request.lacuna_version`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.lacuna_version = present()  # type: ignore[attr-defined]
        response = self.get_response(request)
        response.headers[HEADER] = request.lacuna_version  # type: ignore[attr-defined]
        return response
