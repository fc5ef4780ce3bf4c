"""After many wrong passwords for one name from one address, signing in waits a while.

django-axes counts and refuses; here is what it asks of us: whose attempt it is, and what the person reads.
"""

import ipaddress
import math
from datetime import datetime

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

Credentials = dict[str, str] | None


def name(request: HttpRequest, credentials: Credentials = None) -> str:
    """The user name that is tried, in large or small letters."""
    return (credentials or request.POST).get("username", "").casefold()


def address(request: HttpRequest) -> str | None:
    """Where the request comes from. Behind a proxy: the last address that it names, as a client writes the others."""
    direct = request.META.get("REMOTE_ADDR")
    named = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return named if settings.BEHIND_PROXY and _is_address(named) else direct


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Credentials = None
) -> HttpResponse:
    until = _last_failure(request, credentials) + settings.AXES_COOLOFF_TIME
    seconds = max(1, math.ceil((until - timezone.now()).total_seconds()))
    told = {"failures": settings.AXES_FAILURE_LIMIT, "until": until, "minutes": math.ceil(seconds / 60)}
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
