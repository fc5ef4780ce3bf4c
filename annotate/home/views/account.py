"""Signing in is Django's; here are the pages of what a person changes about the own account."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from knox.models import AuthToken

from annotate.collections.operations import accounts
from annotate.home import forms
from annotate.home.queries import home as home_query
from annotate.web.signed_in import SignedInRequest, signed_in


@require_safe
@signed_in
def home(request: SignedInRequest) -> HttpResponse:
    user = request.user
    may_create = user.is_superuser or user.may_create_collections
    return render(request, "annotate/home/home.html", {"home": home_query.of_person(user), "may_create": may_create})


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
        accounts.change_password(user=request.user, password=form.cleaned_data["new_password1"])
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
    accounts.change_theme(user=request.user, theme=form.cleaned_data["theme"])
    back = request.POST.get("next", "")
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return HttpResponseRedirect(back) if is_ours else redirect("home")


@require_POST
@signed_in
def change_shortcuts(request: SignedInRequest) -> HttpResponse:
    form = forms.ShortcutsForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("These preferences cannot be stored.", content_type="text/plain")
    accounts.change_shortcuts(user=request.user, **form.cleaned_data)
    messages.success(request, "Your preferences are stored.")
    return redirect("account")


@never_cache
@require_POST
@signed_in
def make_token(request: SignedInRequest) -> HttpResponse:
    """The secret is in this answer and in no other: it is not stored."""
    try:
        return _account_page(request, new_token=accounts.make_token(user=request.user))
    except accounts.TooManyTokens as reason:
        messages.error(request, str(reason))
        return redirect("account")


@require_POST
@signed_in
def delete_token(request: SignedInRequest) -> HttpResponse:
    form = forms.TokenForm(request.POST)
    if form.is_valid():
        accounts.delete_token(user=request.user, key=form.cleaned_data["key"])
        messages.success(request, "The token is deleted; programs that use it are refused from now on.")
    return redirect("account")


def _account_page(request: SignedInRequest, new_token: accounts.NewToken | None = None) -> HttpResponse:
    tokens = AuthToken.objects.filter(user=request.user).order_by("-created")
    return render(request, "account/account.html", {"tokens": tokens, "new_token": new_token})
