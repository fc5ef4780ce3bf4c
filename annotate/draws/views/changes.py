"""Pairs that a researcher puts into the pool or takes away from people by hand."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotate.draws.forms import NamedPairsForm, WithdrawnPairsForm
from annotate.draws.operations import additions, withdrawals
from annotate.draws.views import page
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_POST
@signed_in
def add_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def add(said: dict) -> str:
        added = additions.add(collection=collection, named=said["named"])
        settled = f" The reference graded {added.settled:,} of them: nobody is asked." if added.settled else ""
        return f"New in the pool: {added.pooled:,}; there already: {added.there:,}.{settled}"

    form = NamedPairsForm(request.POST, request.FILES, auto_id="add_%s")
    return page.act(request, collection, "add_form", form, add)


@require_POST
@signed_in
def withdraw_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def withdraw(said: dict) -> str:
        done = withdrawals.withdraw(
            collection=collection, named=said["named"], reason=said["reason"], now=timezone.now()
        )
        drawn = f" In the draw in force: {done.drawn:,}, which it now lacks (nonresponse)." if done.drawn else ""
        return f"Withdrawn: {done.changed:,}; withdrawn before: {done.unchanged:,}.{drawn}"

    form = WithdrawnPairsForm(request.POST, request.FILES, auto_id="withdraw_%s")
    return page.act(request, collection, "withdraw_form", form, withdraw)


@require_POST
@signed_in
def restore_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)

    def restore(said: dict) -> str:
        done = withdrawals.restore(collection=collection, named=said["named"], now=timezone.now())
        return f"Restored: {done.changed:,}; were not withdrawn: {done.unchanged:,}."

    form = NamedPairsForm(request.POST, request.FILES, auto_id="restore_%s")
    return page.act(request, collection, "restore_form", form, restore)
