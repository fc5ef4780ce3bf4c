"""After many wrong passwords for one name from one address, signing in waits a while; so do links to invitations.

django-axes counts and refuses; here is what it asks of us: whose attempt it is, and what the person reads.
"""

import ipaddress
import math
from datetime import datetime

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

Credentials = dict[str, str] | None
LINKS = {"username": "links to invitations"}  # no account's name has a space


class Attempt(HttpRequest):
    """A request on which django-axes has noted whether it locks its address out."""

    axes_locked_out: bool


def name(request: HttpRequest, credentials: Credentials = None) -> str:
    """The user name that is tried, in large or small letters."""
    return (credentials or request.POST).get("username", "").casefold()


def address(request: HttpRequest) -> str | None:
    """Where the request comes from. Behind a proxy: the last address that it names, as a client writes the others."""
    direct = request.META.get("REMOTE_ADDR")
    named = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return named if settings.BEHIND_PROXY and _is_address(named) else direct


def may_open_links(request: HttpRequest) -> bool:
    """Whether the address has not tried too many wrong links."""
    return bool(AxesProxyHandler.is_allowed(request, LINKS))


def count_wrong_link(request: HttpRequest) -> None:
    """django-axes stores and logs what it is told: not the path, which may be a right link with one letter too many,
    and not what was posted, which may be passwords."""
    attempt = Attempt()
    attempt.META = {name: value for name, value in request.META.items() if name != "PATH_INFO"}
    AxesProxyHandler.user_login_failed(__name__, LINKS, attempt)
    vars(request).update(axes_locked_out=attempt.axes_locked_out, axes_credentials=LINKS)


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Credentials = None
) -> HttpResponse:
    until = _last_failure(request, credentials) + settings.AXES_COOLOFF_TIME
    seconds = max(1, math.ceil((until - timezone.now()).total_seconds()))
    told = {
        "is_of_links": credentials == LINKS,
        "failures": settings.AXES_FAILURE_LIMIT,
        "until": until,
        "minutes": math.ceil(seconds / 60),
    }
    answer = render(request, "account/locked_out.html", told, status=429)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _last_failure(request: HttpRequest, credentials: Credentials) -> datetime:
    of_both = AccessAttempt.objects.filter(username=name(request, credentials), ip_address=address(request))
    return of_both.aggregate(last=Max("attempt_time"))["last"] or timezone.now()


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
