from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate import access
from annotate.forms.people import PersonForm
from annotate.models import Collection, Membership
from annotate.operations import people as people_operations
from annotate.queries import members
from annotate.rules import permissions
from annotate.views.signed_in import signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def people(request: HttpRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = PersonForm(request.POST or None)
    if not form.is_valid():
        return _page(request, collection, form)
    try:
        membership, password = people_operations.add_person(
            collection=collection, **form.cleaned_data, now=timezone.now()
        )
    except ValidationError as refused:
        form.add_error("username", refused.messages)
        return _page(request, collection, form)
    if password:
        return _page(request, collection, PersonForm(), membership=membership, password=password)
    messages.success(request, f"{membership.user.username} is {membership.get_role_display()} of this collection.")
    return redirect("people", slug)


@require_POST
@signed_in
def deactivate_member(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    membership = get_object_or_404(Membership, collection=collection, pk=member_id)
    try:
        people_operations.deactivate_member(membership=membership, by=request.user, now=timezone.now())
    except people_operations.CannotAdd as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, f"{membership.user.username} left; the judgments stay under {membership.pseudonym}.")
    return redirect("people", slug)


@require_POST
@signed_in
@never_cache
def reset_password(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    membership = get_object_or_404(Membership, collection=collection, pk=member_id)
    try:
        password = people_operations.reset_password(user=membership.user, by=request.user)
    except permissions.NotAllowed as reason:
        messages.error(request, str(reason))
        return redirect("people", slug)
    return _page(request, collection, PersonForm(), membership=membership, password=password)


def _page(
    request: HttpRequest,
    collection: Collection,
    form: PersonForm,
    membership: Membership | None = None,
    password: str = "",
) -> HttpResponse:
    """A password stands in this one answer and nowhere else: not in a message, which is kept until it is shown."""
    told = {
        "collection": collection,
        "form": form,
        "members": members.of(collection, request.user),
        "membership": membership,
        "password": password,
    }
    return render(request, "annotate/people.html", told, status=422 if form.errors else 200)
