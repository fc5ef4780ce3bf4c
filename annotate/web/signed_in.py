"""Who must sign in first, and what a person with a first password must do first."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

View = Callable[..., HttpResponse]


def signed_in(view: View) -> View:
    """As login_required; but a script that fetches a fragment is told 401, since it could not show the sign-in page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.headers.get("HX-Request") == "true":
            return HttpResponse("Sign in again.", status=401, content_type="text/plain")
        return redirect_to_login(request.get_full_path())

    return wrapped


class FirstPasswordMiddleware:
    """A password that somebody else chose is changed before anything else is done with it on a page."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.must_change_password and not _is_open(request.path):
            return redirect("change_password")
        return self.get_response(request)


def _is_open(path: str) -> bool:
    return path in (reverse("change_password"), reverse("sign_out"), reverse("change_theme"))
