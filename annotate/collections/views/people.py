from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.collections.forms.invitations import InvitationForm
from annotate.collections.forms.people import PersonForm
from annotate.collections.operations import people as people_operations
from annotate.collections.queries import invitations, members
from annotate.models import Collection, Membership
from annotate.rules import permissions
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def people(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = PersonForm(request.POST or None)
    if not form.is_valid():
        return page(request, collection, form)
    try:
        membership, password = people_operations.add_person(
            collection=collection, **form.cleaned_data, now=timezone.now()
        )
    except (ValidationError, people_operations.NameTaken) as refused:
        form.add_error("username", getattr(refused, "messages", str(refused)))
        return page(request, collection, form)
    if password:
        return page(request, collection, membership=membership, password=password)
    messages.success(request, f"{membership.user.username} is {membership.get_role_display()} of this collection.")
    return redirect("people", slug)


@require_POST
@signed_in
def deactivate_member(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
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
def reset_password(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    membership = get_object_or_404(Membership, collection=collection, pk=member_id)
    try:
        password = people_operations.reset_password(user=membership.user, by=request.user)
    except permissions.NotAllowed as reason:
        messages.error(request, str(reason))
        return redirect("people", slug)
    return page(request, collection, membership=membership, password=password)


def page(
    request: SignedInRequest,
    collection: Collection,
    form: PersonForm | None = None,
    invitation_form: InvitationForm | None = None,
    **told_once: object,
) -> HttpResponse:
    """A password (with its `membership`) or a `link` stands in this one answer and nowhere else: not in a message,
    which is kept until it is shown."""
    form, invitation_form = form or PersonForm(), invitation_form or InvitationForm()
    told = {
        "collection": collection,
        "form": form,
        "invitation_form": invitation_form,
        "members": members.of(collection, request.user),
        "invitations": invitations.of(collection, timezone.now()),
    }
    status = 422 if form.errors or invitation_form.errors else 200
    return render(request, "annotate/collections/people.html", {**told, **told_once}, status=status)
