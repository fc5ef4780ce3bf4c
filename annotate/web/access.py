"""From an address and a person to what the person may see there. A stranger gets 404: not even existence shows."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from annotate.models import Collection, Membership, User

ONLY_ASSESSORS = "Only assessors judge. A researcher can add you as one."
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
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
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
