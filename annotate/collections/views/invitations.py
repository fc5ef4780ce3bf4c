"""Links by which people become assessors: made and ended by a researcher, opened by anybody who has one."""

from django.contrib import auth, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotate.collections import rules
from annotate.collections.forms.invitations import AccountForm, InvitationForm
from annotate.collections.operations import invitations as operations
from annotate.collections.views import people
from annotate.models import Invitation, Membership
from annotate.web import access, sign_in_limit
from annotate.web.signed_in import SignedInRequest, signed_in

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_POST
@signed_in
@never_cache
def invite(request: SignedInRequest, slug: str) -> HttpResponse:
    """The link stands in this one answer and nowhere else."""
    collection = access.researched_or_404(request.user, slug)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return people.page(request, collection, invitation_form=form)
    _, secret = operations.invite(collection=collection, **form.cleaned_data, by=request.user, now=timezone.now())
    return people.page(request, collection, link=request.build_absolute_uri(reverse("join", args=[secret])))


@require_POST
@signed_in
def end_invitation(request: SignedInRequest, slug: str, invitation_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    invitation = get_object_or_404(Invitation, collection=collection, pk=invitation_id)
    operations.end(invitation=invitation, now=timezone.now())
    messages.success(request, "Nobody can come by this link any more; who came stays.")
    return redirect("people", slug)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Who has the link joins by a button; who has no account makes one here. Wrong links are limited as passwords."""
    if not sign_in_limit.may_open_links(request):
        return sign_in_limit.locked_out(request, credentials=sign_in_limit.LINKS)
    try:
        return _joined(request, secret) if request.method == "POST" else _page(request, secret, AccountForm())
    except Invitation.DoesNotExist:
        sign_in_limit.count_wrong_link(request)
        return _refused(request, "There is no such invitation. Look whether the link is whole.", status=404)
    except (rules.NotOpen, operations.CannotJoin) as reason:
        return _refused(request, str(reason), status=409)


def _joined(request: HttpRequest, secret: str) -> HttpResponse:
    now = timezone.now()
    if request.user.is_authenticated:
        return _welcome(request, operations.join(secret=secret, user=request.user, now=now))
    form = AccountForm(request.POST)
    if not form.is_valid():
        return _page(request, secret, form)
    said = form.cleaned_data
    try:
        member = operations.join_anew(secret=secret, username=said["username"], password=said["password1"], now=now)
    except operations.CannotJoin as reason:
        form.add_error("username", str(reason))
        return _page(request, secret, form)
    auth.login(request, member.user, backend=BACKEND)
    return _welcome(request, member)


def _welcome(request: HttpRequest, member: Membership) -> HttpResponse:
    messages.success(request, f"Welcome: you are an assessor of {member.collection} now.")
    return redirect("collection", member.collection.slug)


def _page(request: HttpRequest, secret: str, form: AccountForm) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    collection = operations.find(secret=secret, user=user, now=timezone.now()).collection
    told = {"collection": collection, "form": form, "secret": secret}
    return render(request, "account/join.html", told, status=422 if form.errors else 200)


def _refused(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    return render(request, "account/join_refused.html", {"sentence": sentence}, status=status)
