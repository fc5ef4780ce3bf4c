"""The first page, a collection's page and the pages of a person's account. Signing in is Django's."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from knox.models import AuthToken

from annotate.adjudication import queries as adjudication_queries
from annotate.collections import queries as collections_queries
from annotate.collections.forms import NewCollectionForm
from annotate.collections.operations import collections, people
from annotate.home import forms, queries
from annotate.judging.queries import activity
from annotate.models import Collection, Membership
from annotate.texts.queries import backstories as backstories_queries
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


@require_safe
@signed_in
def home(request: SignedInRequest) -> HttpResponse:
    user = request.user
    may_create = user.is_superuser or user.may_create_collections
    return render(request, "annotate/home/home.html", {"home": queries.gather_home(user), "may_create": may_create})


@require_safe
@signed_in
def account(request: SignedInRequest) -> HttpResponse:
    return _account_page(request)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def change_password(request: SignedInRequest) -> HttpResponse:
    form = forms.PasswordForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        people.change_password(user=request.user, password=form.cleaned_data["new_password1"])
        update_session_auth_hash(request, request.user)
        messages.success(request, "Your password is changed; tokens for programs that you had are deleted.")
        return redirect("home")
    return render(request, "account/change_password.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@signed_in
def change_theme(request: SignedInRequest) -> HttpResponse:
    form = forms.ThemeForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("There is no such theme.", content_type="text/plain")
    people.change_theme(user=request.user, theme=form.cleaned_data["theme"])
    back = request.POST.get("next", "")
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return HttpResponseRedirect(back) if is_ours else redirect("home")


@require_POST
@signed_in
def change_shortcuts(request: SignedInRequest) -> HttpResponse:
    form = forms.ShortcutsForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("These preferences cannot be stored.", content_type="text/plain")
    people.change_shortcuts(user=request.user, **form.cleaned_data)
    messages.success(request, "Your preferences are stored.")
    return redirect("account")


@never_cache
@require_POST
@signed_in
def make_token(request: SignedInRequest) -> HttpResponse:
    """The secret is in this answer and in no other: it is not stored."""
    try:
        return _account_page(request, new_token=people.make_token(user=request.user))
    except people.TooManyTokens as reason:
        messages.error(request, str(reason))
        return redirect("account")


@require_POST
@signed_in
def delete_token(request: SignedInRequest) -> HttpResponse:
    form = forms.TokenForm(request.POST)
    if form.is_valid():
        people.delete_token(user=request.user, key=form.cleaned_data["key"])
        messages.success(request, "The token is deleted; programs that use it are refused from now on.")
    return redirect("account")


def _account_page(request: SignedInRequest, new_token: people.NewToken | None = None) -> HttpResponse:
    tokens = AuthToken.objects.filter(user=request.user).order_by("-created")
    return render(request, "account/account.html", {"tokens": tokens, "new_token": new_token})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_collection(request: SignedInRequest) -> HttpResponse:
    if not (request.user.may_create_collections or request.user.is_superuser):
        raise PermissionDenied("You may not make collections. An administrator can allow it.")
    form = NewCollectionForm(request.POST or None)
    if form.is_valid():
        try:
            made = collections.create_collection(**form.cleaned_data, by=request.user, now=timezone.now())
        except collections.CannotChange as reason:
            form.add_error("slug", str(reason))
        else:
            messages.success(request, f"{made.title} is made. Import its topics first, then the passages.")
            return redirect("collection", made.slug)
    return render(request, "annotate/home/collection_new.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
@signed_in
def collection(request: SignedInRequest, slug: str) -> HttpResponse:
    """The way of the data for a researcher; what waits, and nothing else, for who only judges or adjudicates."""
    by_role = {membership.role: membership for membership in access.memberships(request.user, slug)}
    assessor = by_role.get(Membership.Role.ASSESSOR)
    found: Collection = next(iter(by_role.values())).collection
    context: dict[str, object] = {"collection": found}
    context["mine"] = activity.read_own_progress(assessor) if assessor else None
    if adjudicator := by_role.get(Membership.Role.ADJUDICATOR):
        context["disputes"] = adjudication_queries.count_for_adjudicator(adjudicator)
    if Membership.Role.RESEARCHER not in by_role:
        return render(request, "annotate/home/collection_assessor.html", context)
    facts = collections_queries.count_facts(found, for_stages=True)
    stages = queries.list_stages(found, facts, adjudication_queries.count_disputes(found))
    context |= {"facts": facts, "stages": stages}
    context["flagged"] = backstories_queries.count_flagged(found)
    context["is_worker_silent"] = progress.is_worker_silent(found, timezone.now())
    return render(request, "annotate/home/collection.html", context)
