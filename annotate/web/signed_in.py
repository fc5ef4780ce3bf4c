"""Who must sign in first, and what a person with a first password must do first."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from annotate.models import User

P = ParamSpec("P")


class SignedInRequest(HttpRequest):
    """The type of a request behind `signed_in`: its person is known, and HtmxMiddleware has read its headers."""

    user: User
    htmx: HtmxDetails


def signed_in(
    view: Callable[Concatenate[SignedInRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """As login_required; but a script that fetches a fragment gets 401, since it could not show the sign-in page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(cast(SignedInRequest, request), *args, **kwargs)
        if request.headers.get("HX-Request") == "true":
            return HttpResponse("Sign in again.", status=401, content_type="text/plain")
        return redirect_to_login(request.get_full_path())

    return wrapped


class FirstPasswordMiddleware:
    """A password that somebody else chose is changed before anything else is done with it on a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.must_change_password and not _is_open(request.path):
            return redirect("change_password")
        return self.get_response(request)


def _is_open(path: str) -> bool:
    return path in (reverse("change_password"), reverse("sign_out"), reverse("change_theme"))
