"""Guidelines, people and invitations of a collection."""

from django.contrib import auth, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotate.collections import queries, rules
from annotate.collections.forms import AccountForm, GuidelinesForm, InvitationForm, PersonForm, ScaleForm
from annotate.collections.operations import collections
from annotate.collections.operations import people as people_operations
from annotate.models import Collection, Guidelines, Invitation, Membership
from annotate.rules import permissions
from annotate.web import access
from annotate.web.access import SignedInRequest, researched, signed_in

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@vary_on_headers("HX-Request")
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    """Everybody of the collection reads them; researchers write the next version."""
    if request.method == "POST":
        return _write(request, access.researched_or_404(request.user, slug))
    collection = access.collection_or_404(request.user, slug)
    shown = _asked(collection, request.GET.get("version"))
    if Membership.Role.RESEARCHER not in access.roles(request.user, collection):
        return render(request, "annotate/collections/guidelines_read.html", {"collection": collection, "shown": shown})
    return _guidelines_page(request, collection, _form_of(shown), shown)


@require_POST
@researched
def change_scale(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """Another scale of grades, as long as none is stored."""
    newest = _versions(collection)[0]
    form = ScaleForm(request.POST)
    if not form.is_valid():
        return _guidelines_page(request, collection, _form_of(newest), newest, scale_form=form)
    try:
        changed = collections.change_scale(
            collection=collection, scale=form.cleaned_data["scale"], by=request.user, now=timezone.now()
        )
    except collections.CannotChange as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, f"Grades go from {changed.scale} now; look at their names below.")
    return redirect("guidelines", collection.slug)


def _write(request: SignedInRequest, collection: Collection) -> HttpResponse:
    newest = _versions(collection)[0]
    form = GuidelinesForm(newest.grade_words, request.POST)
    if not form.is_valid():
        return _guidelines_page(request, collection, form, newest)
    text, grade_words = form.cleaned_data["text"], form.grade_words()
    if "preview" in request.POST:
        return _guidelines_page(request, collection, form, Guidelines(text=text, grade_words=grade_words))
    stored = collections.add_guidelines(
        collection=collection, text=text, grade_words=grade_words, by=request.user, now=timezone.now()
    )
    is_same = stored == newest
    messages.success(
        request, "Nothing changed." if is_same else f"Version {stored.version} is what assessors read now."
    )
    return redirect("guidelines", collection.slug)


def _form_of(shown: Guidelines) -> GuidelinesForm:
    return GuidelinesForm(shown.grade_words, initial={"text": shown.text})


def _guidelines_page(
    request: SignedInRequest,
    collection: Collection,
    form: GuidelinesForm,
    shown: Guidelines,
    scale_form: ScaleForm | None = None,
) -> HttpResponse:
    """`shown` is a version, or where it has no number the preview of what is being written."""
    scale_form = scale_form or ScaleForm(initial={"scale": collection.scale})
    context = {
        "collection": collection,
        "form": form,
        "shown": shown,
        "versions": _versions(collection),
        "scale_form": scale_form,
        "scale_lock": collections.SCALE_LOCKED if queries.has_stored_grades(collection) else "",
    }
    page = "annotate/collections/_guidelines_shown.html" if request.htmx else "annotate/collections/guidelines.html"
    return render(request, page, context, status=422 if form.errors or scale_form.errors else 200)


def _asked(collection: Collection, number: str | None) -> Guidelines:
    """The version of this number as an address writes it, the newest without one. Raises Http404."""
    found = [version for version in _versions(collection) if number in (None, str(version.version))]
    if not found:
        raise Http404("There is no such version of the guidelines.")
    return found[0]


def _versions(collection: Collection) -> QuerySet[Guidelines]:
    return Guidelines.objects.filter(collection=collection).select_related("created_by").order_by("-version")


@require_http_methods(["GET", "HEAD", "POST"])
@researched
@never_cache
def people(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = PersonForm(request.POST or None)
    if not form.is_valid():
        return show_people(request, collection, form)
    try:
        membership, password = people_operations.add_person(
            collection=collection, **form.cleaned_data, now=timezone.now()
        )
    except (ValidationError, people_operations.NameTaken) as refused:
        form.add_error("username", getattr(refused, "messages", str(refused)))
        return show_people(request, collection, form)
    if password:
        return show_people(request, collection, membership=membership, password=password)
    messages.success(request, f"{membership.user.username} is {membership.get_role_display()} of this collection.")
    return redirect("people", collection.slug)


@require_POST
@researched
def deactivate_member(request: SignedInRequest, collection: Collection, member_id: int) -> HttpResponse:
    membership = get_object_or_404(Membership, collection=collection, pk=member_id)
    try:
        people_operations.deactivate_member(membership=membership, by=request.user, now=timezone.now())
    except people_operations.CannotAdd as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, f"{membership.user.username} left; the judgments stay under {membership.pseudonym}.")
    return redirect("people", collection.slug)


@require_POST
@researched
@never_cache
def reset_password(request: SignedInRequest, collection: Collection, member_id: int) -> HttpResponse:
    membership = get_object_or_404(Membership, collection=collection, pk=member_id)
    try:
        password = people_operations.reset_password(user=membership.user, by=request.user)
    except permissions.NotAllowed as reason:
        messages.error(request, str(reason))
        return redirect("people", collection.slug)
    return show_people(request, collection, membership=membership, password=password)


def show_people(
    request: SignedInRequest,
    collection: Collection,
    form: PersonForm | None = None,
    invitation_form: InvitationForm | None = None,
    **shown_once: object,
) -> HttpResponse:
    """A password (with its `membership`) or a `link` stands in this one answer and nowhere else: not in a message,
    which is kept until it is shown."""
    form, invitation_form = form or PersonForm(), invitation_form or InvitationForm()
    context = {
        "collection": collection,
        "form": form,
        "invitation_form": invitation_form,
        "members": queries.list_members(collection, request.user),
        "invitations": queries.list_invitations(collection, timezone.now()),
    }
    status = 422 if form.errors or invitation_form.errors else 200
    return render(request, "annotate/collections/people.html", {**context, **shown_once}, status=status)


@require_POST
@researched
@never_cache
def invite(request: SignedInRequest, collection: Collection) -> HttpResponse:
    """The link stands in this one answer and nowhere else."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return show_people(request, collection, invitation_form=form)
    _, secret = people_operations.invite(
        collection=collection, **form.cleaned_data, by=request.user, now=timezone.now()
    )
    return show_people(request, collection, link=request.build_absolute_uri(reverse("join", args=[secret])))


@require_POST
@researched
def end_invitation(request: SignedInRequest, collection: Collection, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, collection=collection, pk=invitation_id)
    people_operations.end_invitation(invitation=invitation, now=timezone.now())
    messages.success(request, "Nobody can come by this link any more; who came stays.")
    return redirect("people", collection.slug)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Who has the link joins by a button; who has no account makes one here. Wrong links are limited as passwords."""
    if not access.may_open_links(request):
        return access.locked_out(request, credentials=access.LINKS)
    try:
        return (
            _joined(request, secret) if request.method == "POST" else _invitations_page(request, secret, AccountForm())
        )
    except Invitation.DoesNotExist:
        access.count_wrong_link(request)
        return _refused(request, "There is no such invitation. Look whether the link is whole.", status=404)
    except (rules.NotOpen, people_operations.CannotJoin) as reason:
        return _refused(request, str(reason), status=409)


def _joined(request: HttpRequest, secret: str) -> HttpResponse:
    now = timezone.now()
    if request.user.is_authenticated:
        return _welcome(request, people_operations.join(secret=secret, user=request.user, now=now))
    form = AccountForm(request.POST)
    if not form.is_valid():
        return _invitations_page(request, secret, form)
    data = form.cleaned_data
    try:
        member = people_operations.join_anew(
            secret=secret, username=data["username"], password=data["password1"], now=now
        )
    except people_operations.CannotJoin as reason:
        form.add_error("username", str(reason))
        return _invitations_page(request, secret, form)
    auth.login(request, member.user, backend=BACKEND)
    return _welcome(request, member)


def _welcome(request: HttpRequest, member: Membership) -> HttpResponse:
    messages.success(request, f"Welcome: you are an assessor of {member.collection} now.")
    return redirect("collection", member.collection.slug)


def _invitations_page(request: HttpRequest, secret: str, form: AccountForm) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    collection = people_operations.find_invitation(secret=secret, user=user, now=timezone.now()).collection
    context = {"collection": collection, "form": form, "secret": secret}
    return render(request, "account/join.html", context, status=422 if form.errors else 200)


def _refused(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    return render(request, "account/join_refused.html", {"sentence": sentence}, status=status)
