"""Adjudication: what waits, and one pair after the other; one request stores a decision and brings the next pair."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.adjudication import forms, operations
from annotate.adjudication.queries import adjudication_card, listing
from annotate.adjudication.views import turns
from annotate.collections.operations import collections
from annotate.models import Adjudication, Membership, Pair
from annotate.rules import permissions
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in


@require_safe
@signed_in
@never_cache
def adjudication(request: SignedInRequest, slug: str) -> HttpResponse:
    """What waits and what was decided; a researcher also chooses what adjudicators see."""
    adjudicator = access.adjudicator_or_404(request.user, slug)
    told = {
        "collection": adjudicator.collection,
        "is_researcher": adjudicator.role == Membership.Role.RESEARCHER,
        "listing": listing.of(adjudicator, request.GET.get("show", ""), request.GET.get("page", 1)),
        "kinds": forms.KINDS,
        "settings": forms.SettingsForm(instance=adjudicator.collection),
    }
    return render(request, "annotate/adjudication/adjudication.html", told)


@require_POST
@signed_in
def adjudication_settings(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = forms.SettingsForm(request.POST, instance=collection)
    if form.is_valid():
        collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
        messages.success(request, "Saved. Pairs that adjudicators open from now on are shown so.")
    return redirect("adjudication", slug)


@require_safe
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def adjudicate(request: SignedInRequest, slug: str) -> HttpResponse:
    """The next pair that waits."""
    adjudicator = access.adjudicator_or_404(request.user, slug)
    return turns.show_next(request, adjudicator, turns.place(request.GET, adjudicator))


@require_safe
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def adjudicate_pair(request: SignedInRequest, slug: str, pair_id: int) -> HttpResponse:
    """One pair, whether it waits or is decided."""
    adjudicator = access.adjudicator_or_404(request.user, slug)
    card = _card(adjudicator, pair_id)
    form = forms.DecisionForm(scale=adjudicator.collection.scale)
    return turns.show(request, adjudicator, turns.place(request.GET, adjudicator), card, form)


@require_POST
@signed_in
@never_cache
@vary_on_headers("HX-Request")
def decide_pair(request: SignedInRequest, slug: str, pair_id: int) -> HttpResponse:
    adjudicator = access.adjudicator_or_404(request.user, slug)
    place = turns.place(request.POST, adjudicator)
    form = forms.DecisionForm(request.POST, scale=adjudicator.collection.scale)
    if not form.is_valid() or form.cleaned_data["shown"][0] != pair_id:
        return turns.show(request, adjudicator, place, _card(adjudicator, pair_id), form, status=422)
    try:
        decision = _decide(adjudicator, form)
    except operations.DecidedMeanwhile as reason:
        card = _card(adjudicator, pair_id)
        return turns.show(request, adjudicator, place, card, form, notice=str(reason), status=422)
    except (permissions.NotAllowed, operations.NothingToDecide) as reason:
        return turns.show_next(request, adjudicator, place, notice=f"Not stored: {reason}", status=422)
    return turns.answer(request, adjudicator, place, decision)


def _decide(adjudicator: Membership, form: forms.DecisionForm) -> Adjudication:
    pair_id, shown = form.cleaned_data["shown"]
    return operations.decide(
        adjudicator=adjudicator,
        pair_id=pair_id,
        key=form.cleaned_data["key"],
        shown=shown,
        decision=form.decision(),
        now=timezone.now(),
    )


def _card(adjudicator: Membership, pair_id: int) -> adjudication_card.AdjudicationCard:
    try:
        return adjudication_card.of(adjudicator, pair_id, timezone.now())
    except Pair.DoesNotExist:
        raise Http404("There is no such pair in this collection.") from None
    except permissions.NotAllowed as reason:
        raise PermissionDenied(str(reason)) from None
