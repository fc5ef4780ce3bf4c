from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotate.adjudication.queries import adjudication_queue
from annotate.backstories.queries import backstories
from annotate.collections.forms.collections import NewCollectionForm
from annotate.collections.operations import collections
from annotate.collections.queries import collection_facts
from annotate.home.queries import stages
from annotate.judging.queries import progress
from annotate.models import Collection, Membership
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in
from annotate.work import workers


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_collection(request: SignedInRequest) -> HttpResponse:
    if not (request.user.may_create_collections or request.user.is_superuser):
        raise PermissionDenied("You may not make collections. An administrator can allow it.")
    form = NewCollectionForm(request.POST or None)
    if form.is_valid():
        try:
            made = collections.create(**form.cleaned_data, by=request.user, now=timezone.now())
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
    told = {"collection": found, "mine": progress.of_assessor(assessor) if assessor else None}
    if adjudicator := by_role.get(Membership.Role.ADJUDICATOR):
        told["disputes"] = adjudication_queue.counts_for(adjudicator)
    if Membership.Role.RESEARCHER not in by_role:
        return render(request, "annotate/home/collection_assessor.html", told)
    facts = collection_facts.of(found, for_stages=True)
    told |= {"facts": facts, "stages": stages.line(found, facts)}
    told["flagged"] = backstories.flagged(found)
    told["is_worker_silent"] = workers.is_silent(found, timezone.now())
    return render(request, "annotate/home/collection.html", told)
