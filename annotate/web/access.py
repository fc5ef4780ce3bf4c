"""Who may see what, and what every request passes: limits of bodies and sign-ins, the version."""

import ipaddress
import math
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import wraps
from http.cookies import CookieError, SimpleCookie
from typing import Concatenate, Generic, ParamSpec, TypeVar, cast

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.models import Session
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, close_old_connections
from django.db.models import Max, Sum
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django_htmx.middleware import HtmxDetails
from knox.models import AuthToken
from knox.settings import CONSTANTS

from annotate.formats.whole_files import Damaged
from annotate.models import Collection, Membership, User

ONLY_ASSESSORS = "Only assessors judge. A researcher can add you as one."
API = "/api/"
P = ParamSpec("P")
Found = TypeVar("Found")


class SignedInRequest(HttpRequest):
    """The type of a request behind `signed_in`: its person is known, and HtmxMiddleware has read its headers."""

    user: User
    htmx: HtmxDetails


def signed_in(
    view: Callable[Concatenate[SignedInRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """As login_required; but a script that fetches a fragment gets 401, since it could not show the sign-in page."""

    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(cast(SignedInRequest, request), *args, **kwargs)
        return _lead(request, redirect_to_login(request.get_full_path()), "Sign in again.")

    return wrapped


class FirstPasswordMiddleware:
    """A password that somebody else chose is changed before anything else is done with it on a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.must_change_password and not _is_open(request.path):
            return _lead(request, redirect("change_password"), "Choose a password of your own first.")
        return self.get_response(request)


def _lead(request: HttpRequest, there: HttpResponse, words: str) -> HttpResponse:
    """A person is led there; a script, which would put that page into a part of its own, gets 401."""
    is_of_script = request.headers.get("HX-Request") == "true"
    return HttpResponse(words, status=401, content_type="text/plain") if is_of_script else there


def _is_open(path: str) -> bool:
    return path in (reverse("change_password"), reverse("sign_out"), reverse("change_theme"))


def memberships(user: User, slug: str) -> list[Membership]:
    """The person's active roles in a collection; 404 for a stranger."""
    found = list(Membership.objects.of_person(user, slug).select_related("collection"))
    if not found:
        raise Http404("There is no such collection, or it is not yours.")
    return found


def collection_or_404(user: User, slug: str) -> Collection:
    """A collection in which the person has any role."""
    return memberships(user, slug)[0].collection


def researched_or_404(user: User, slug: str) -> Collection:
    """A collection that the person researches; 403 for its assessors, 404 for strangers."""
    return _with_role(
        user, slug, Membership.Role.RESEARCHER, "Only researchers of this collection see this."
    ).collection


def assessor_or_404(user: User, slug: str) -> Membership:
    """The person as an assessor; 403 for those who only research, 404 for strangers."""
    return _with_role(user, slug, Membership.Role.ASSESSOR, ONLY_ASSESSORS)


def adjudicator_or_404(user: User, slug: str) -> Membership:
    """The person as a researcher or else as an adjudicator; 403 for those who only judge, 404 for strangers."""
    by_role = {membership.role: membership for membership in memberships(user, slug)}
    for role in (Membership.Role.RESEARCHER, Membership.Role.ADJUDICATOR):
        if role in by_role:
            return by_role[role]
    raise PermissionDenied("Only adjudicators and researchers of this collection see this.")


def roles(user: User, collection: Collection) -> set[str]:
    return set(
        Membership.objects.filter(user=user.pk, collection=collection, is_active=True).values_list("role", flat=True)
    )


def _with_role(user: User, slug: str, role: str, sentence: str) -> Membership:
    for membership in memberships(user, slug):
        if membership.role == role:
            return membership
    raise PermissionDenied(sentence)


class _Finding(Generic[Found]):
    """Decorates the view of a person who is signed in: it gets what `find` makes of the collection's short name."""

    def __init__(self, find: Callable[[User, str], Found]) -> None:
        self.find = find

    def __call__(
        self, view: Callable[Concatenate[SignedInRequest, Found, P], HttpResponseBase]
    ) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(request: SignedInRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            return view(request, self.find(request.user, slug), *args, **kwargs)

        # The address gives the short name by its name, which ParamSpec cannot say.
        return signed_in(cast(Callable[..., HttpResponseBase], wrapped))


researched = _Finding(researched_or_404)
assessing = _Finding(assessor_or_404)
adjudicating = _Finding(adjudicator_or_404)

View = Callable[..., HttpResponse]

MIB = 1024 * 1024
MOST_DIGITS = 15
FAILURES_OF_ADDRESS = 100
PASSWORDS_WAITING = 3  # the one that is compared among them
LIMIT = 1 * MIB
# Addresses by name. Imports look at their own limit, which the installation sets.
OTHER_LIMITS = {"api_predictions": 16 * MIB, "api_draw_list": 4 * MIB, "imports": None}


UNREAD = "LACUNA_UNREAD"  # the header that the web server sets on a request whose body it did not receive


def may_send(path: str, length: int, headers: Mapping[str, str]) -> bool:
    """Whether a body of more than LIMIT bytes is to be received: to an address that takes it, from somebody signed in.

    Only asks for what is known without the body; who may do what is for the view to say. Headers as in WSGI.
    """
    try:
        if not _fits(resolve(path).url_name or "", length):
            return False
        session = SimpleCookie(headers.get("COOKIE", "")).get(settings.SESSION_COOKIE_NAME)
        if session and Session.objects.filter(pk=session.value, expire_date__gt=timezone.now()).exists():
            return True
        token = headers.get("AUTHORIZATION", "").rpartition(" ")[2]
        return bool(AuthToken.objects.filter(token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH]).exists())
    except (CookieError, DatabaseError, Resolver404, ValueError):
        return False
    finally:
        close_old_connections()


def _fits(name: str, length: int) -> bool:
    limit = OTHER_LIMITS.get(name, LIMIT)
    return limit is None or length <= limit


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
        if not _fits(name or "", int(length)):
            limit = OTHER_LIMITS.get(name or "") or LIMIT
            return _refuse(request, 413, f"What was sent is too large: at most {limit // MIB} MB are taken here.")
        if f"HTTP_{UNREAD}" in request.META:
            return _refuse(request, 401, "Sign in before you send a file this large; nothing of it was read.")
        return None


FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_VIA")


class ProxyMiddleware:
    """Refuses what comes through a proxy on this machine that Lacuna was not told of: all people would have one
    address, and a stranger's wrong passwords would lock anybody out."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        peer = request.META.get("REMOTE_ADDR", "")
        is_here = _is_address(peer) and ipaddress.ip_address(peer).is_loopback
        if is_here and not settings.BEHIND_PROXY and any(header in request.META for header in FORWARDED):
            sentence = "This request came through a proxy: set LACUNA_BEHIND_PROXY=True where Lacuna is started."
            return HttpResponse(sentence, status=503, content_type="text/plain")
        return self.get_response(request)


class SignInMiddleware:
    """Few passwords are compared at once in a process, and one address gets few of them wrong, whatever the names: a
    comparison costs a tenth of a second of the processor and 100 MB. Others are answered at once."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response
        self._places = threading.BoundedSemaphore(PASSWORDS_WAITING)
        self._turn = threading.Lock()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or request.path_info != reverse("sign_in"):
            return self.get_response(request)
        if not self._places.acquire(blocking=False):
            return _ask_to_wait(timedelta(seconds=2), "Many people sign in just now")
        try:
            with self._turn:
                if _count_failures(request) >= FAILURES_OF_ADDRESS:
                    return _ask_to_wait(settings.AXES_COOLOFF_TIME, "Too many passwords from your address were wrong")
                return self.get_response(request)
        finally:
            self._places.release()


def _count_failures(request: HttpRequest) -> int:
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    attempts = AccessAttempt.objects.filter(ip_address=address(request), attempt_time__gte=since)
    return attempts.aggregate(failures=Sum("failures_since_start"))["failures"] or 0


def _ask_to_wait(wait: timedelta, sentence: str) -> HttpResponse:
    """Without a page or a line in the log: who floods the site gets this."""
    seconds = int(wait.total_seconds())
    shown = f"{seconds // 60} minutes" if seconds >= 60 else f"{seconds} seconds"
    answer = HttpResponse(f"{sentence}. Try again in {shown}.", status=429, content_type="text/plain")
    answer.headers["Retry-After"] = str(seconds)
    vars(answer)["_has_been_logged"] = True
    return answer


class SlashMiddleware(CommonMiddleware):
    """An address without its last slash leads to the one with it, but not what is sent to the API: clients follow with
    a GET and take its 200 for stored."""

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        if request.path_info.startswith(API) and request.method not in ("GET", "HEAD", "OPTIONS"):
            return False
        return super().should_redirect_with_slash(request)


def _refuse(request: HttpRequest, status: int, sentence: str, template: str = "errors/refused.html") -> HttpResponse:
    if request.path_info.startswith(API):
        return JsonResponse({"detail": sentence}, status=status)
    return render(request, template, {"sentence": sentence}, status=status)


class DamageMiddleware:
    """Answers with 503 and the sentence where a file of the data folder is damaged and nothing can make it again."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Damaged):
            return None
        return _refuse(request, 503, str(exception), "errors/damaged.html")


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


class NoStoreMiddleware:
    """What a signed-in person gets is kept by no browser: nothing is left behind Back on a shared machine."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers:
            add_never_cache_headers(response)
        return response


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
