"""Adjudication: what waits, and one pair after the other; one request stores a decision and brings the next pair."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.adjudication import forms, operations, queries
from annotate.adjudication.queries import AdjudicationCard
from annotate.collections.operations import collections
from annotate.models import Adjudication, Collection, Membership, Pair
from annotate.rules import permissions
from annotate.web.access import SignedInRequest, adjudicating, researched

CARD = "annotate/adjudication/_card.html"
DONE = "annotate/adjudication/_done.html"


@dataclass(frozen=True)
class Place:
    """Where somebody is: which kind of pairs is gone through, and the pair behind which the next one is looked for."""

    show: str
    after: Pair | None

    def address(self, slug: str, after: Pair | None = None) -> str:
        behind = after or self.after
        parts = {"show": self.show, "after": behind.pk if behind else ""}
        query = urlencode({name: value for name, value in parts.items() if value})
        return reverse("adjudicate", args=[slug]) + (f"?{query}" if query else "")


def read_place(data: Mapping[str, str], adjudicator: Membership) -> Place:
    """As an address or a form says it; what cannot be read is the beginning of the whole queue."""
    form = forms.QueueForm(data)
    form.is_valid()
    after = None
    if pair_id := form.cleaned_data.get("after"):
        after = Pair.objects.filter(collection=adjudicator.collection_id, pk=pair_id).first()
    return Place(form.cleaned_data.get("show", ""), after)


def answer_decision(
    request: SignedInRequest, adjudicator: Membership, place: Place, decision: Adjudication
) -> HttpResponse:
    """After a decision: what waits behind its pair."""
    onward = Place(place.show, decision.pair)
    if request.htmx:
        return show_next(request, adjudicator, onward, saved=decision)
    messages.success(request, "The decision is stored.")
    return redirect(onward.address(adjudicator.collection.slug))


def show_next(
    request: SignedInRequest,
    adjudicator: Membership,
    place: Place,
    *,
    saved: Adjudication | None = None,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    dispute = _next_dispute(adjudicator, place)
    context: dict[str, object] = {"saved": saved, "notice": notice}
    if dispute is None:
        return _send(request, adjudicator, place, DONE, context, status=status)
    form = forms.DecisionForm(scale=adjudicator.collection.scale)
    return _send(request, adjudicator, place, CARD, context, dispute, form, status)


def _next_dispute(adjudicator: Membership, place: Place) -> AdjudicationCard | None:
    """The first pair that waits; one that the same person claims as an assessor at this moment is passed by."""
    after = place.after
    while pair := queries.find_next(adjudicator, place.show, after):
        try:
            return queries.build_card(adjudicator, pair.pk, timezone.now())
        except permissions.NotAllowed:
            after = pair
    return None


def show_pair(
    request: SignedInRequest,
    adjudicator: Membership,
    place: Place,
    dispute: AdjudicationCard,
    form: forms.DecisionForm,
    *,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    """A certain pair, or the same one again with the decision that was sent and what is wrong with it."""
    return _send(request, adjudicator, place, CARD, {"notice": notice}, dispute, form, status)


def _send(
    request: SignedInRequest,
    adjudicator: Membership,
    place: Place,
    fragment: str,
    context: dict[str, object],
    dispute: AdjudicationCard | None = None,
    form: forms.DecisionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    slug = adjudicator.collection.slug
    everywhere = {
        "collection": adjudicator.collection,
        "counts": queries.count_for_adjudicator(adjudicator),
        "last": queries.last_decision(adjudicator),
        "place": place,
        "place_name": "adjudicate",
        "fragment": fragment,
    }
    shown = {}
    if dispute:
        pair = dispute.card.pair
        shown = {
            "dispute": dispute,
            "card": dispute.card,
            "form": form,
            "seal": forms.seal(pair, dispute.shown),
            "onward": place.address(slug, after=pair),
        }
    template = fragment if request.htmx else "annotate/adjudication/adjudicate.html"
    response = render(request, template, {**everywhere, **context, **shown}, status=status)
    if request.htmx:
        response["HX-Replace-Url"] = (
            _address_of_pair(slug, dispute.card.pair, place) if dispute else place.address(slug)
        )
    return response


def _address_of_pair(slug: str, pair: Pair, place: Place) -> str:
    query = f"?{urlencode({'show': place.show})}" if place.show else ""
    return reverse("adjudicate_pair", args=[slug, pair.pk]) + query


@require_safe
@adjudicating
@never_cache
def adjudication(request: SignedInRequest, adjudicator: Membership) -> HttpResponse:
    """What waits and what was decided; a researcher also chooses what adjudicators see."""
    context = {
        "collection": adjudicator.collection,
        "is_researcher": adjudicator.role == Membership.Role.RESEARCHER,
        "listing": queries.list_page(adjudicator, request.GET.get("show", ""), request.GET.get("page", 1)),
        "kinds": forms.KINDS,
        "settings": forms.SettingsForm(instance=adjudicator.collection),
    }
    return render(request, "annotate/adjudication/adjudication.html", context)


@require_POST
@researched
def adjudication_settings(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = forms.SettingsForm(request.POST, instance=collection)
    if form.is_valid():
        collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
        messages.success(request, "Saved. Pairs that adjudicators open from now on are shown so.")
    return redirect("adjudication", collection.slug)


@require_safe
@adjudicating
@never_cache
@vary_on_headers("HX-Request")
def adjudicate(request: SignedInRequest, adjudicator: Membership) -> HttpResponse:
    """The next pair that waits."""
    return show_next(request, adjudicator, read_place(request.GET, adjudicator))


@require_safe
@adjudicating
@never_cache
@vary_on_headers("HX-Request")
def adjudicate_pair(request: SignedInRequest, adjudicator: Membership, pair_id: int) -> HttpResponse:
    """One pair, whether it waits or is decided."""
    dispute = _dispute(adjudicator, pair_id)
    form = forms.DecisionForm(scale=adjudicator.collection.scale)
    return show_pair(request, adjudicator, read_place(request.GET, adjudicator), dispute, form)


@require_POST
@adjudicating
@never_cache
@vary_on_headers("HX-Request")
def decide_pair(request: SignedInRequest, adjudicator: Membership, pair_id: int) -> HttpResponse:
    place = read_place(request.POST, adjudicator)
    form = forms.DecisionForm(request.POST, scale=adjudicator.collection.scale)
    if not form.is_valid() or form.cleaned_data["shown"][0] != pair_id:
        return show_pair(request, adjudicator, place, _dispute(adjudicator, pair_id), form, status=422)
    try:
        decision = _decide(adjudicator, form)
    except operations.DecidedMeanwhile as reason:
        dispute = _dispute(adjudicator, pair_id)
        return show_pair(request, adjudicator, place, dispute, form, notice=str(reason), status=422)
    except (permissions.NotAllowed, operations.NothingToDecide) as reason:
        return show_next(request, adjudicator, place, notice=f"Not stored: {reason}", status=422)
    return answer_decision(request, adjudicator, place, decision)


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


def _dispute(adjudicator: Membership, pair_id: int) -> AdjudicationCard:
    try:
        return queries.build_card(adjudicator, pair_id, timezone.now())
    except Pair.DoesNotExist:
        raise Http404("There is no such pair in this collection.") from None
    except permissions.NotAllowed as reason:
        raise PermissionDenied(str(reason)) from None
