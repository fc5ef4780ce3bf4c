"""From a place in the adjudicator's queue to what is sent: a fragment for htmx, else the page or a redirect."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from annotate.adjudication import forms
from annotate.adjudication.queries import adjudication_card, adjudication_queue
from annotate.models import Adjudication, Membership, Pair
from annotate.rules import permissions
from annotate.web.signed_in import SignedInRequest

CARD = "annotate/adjudication/_card.html"
DONE = "annotate/adjudication/_done.html"


@dataclass(frozen=True)
class Place:
    """Where somebody is: which kind of pairs is gone through, and the pair behind which the next one is looked for."""

    show: str
    after: Pair | None

    def address(self, slug: str, after: Pair | None = None) -> str:
        behind = after or self.after
        said = {"show": self.show, "after": behind.pk if behind else ""}
        query = urlencode({name: value for name, value in said.items() if value})
        return reverse("adjudicate", args=[slug]) + (f"?{query}" if query else "")


def place(said: Mapping[str, str], adjudicator: Membership) -> Place:
    """As an address or a form says it; what cannot be read is the beginning of the whole queue."""
    form = forms.QueueForm(said)
    form.is_valid()
    after = form.cleaned_data.get("after")
    pairs = Pair.objects.filter(collection=adjudicator.collection_id, pk=after)
    return Place(form.cleaned_data.get("show", ""), pairs.first() if after else None)


def answer(request: SignedInRequest, adjudicator: Membership, place: Place, decision: Adjudication) -> HttpResponse:
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
    card = _next_card(adjudicator, place)
    told = {"saved": saved, "notice": notice}
    if card is None:
        return _send(request, adjudicator, place, DONE, told, status)
    form = forms.DecisionForm(scale=adjudicator.collection.scale)
    return _send(request, adjudicator, place, CARD, {**told, **_shown(place, card, form, adjudicator)}, status)


def _next_card(adjudicator: Membership, place: Place) -> adjudication_card.AdjudicationCard | None:
    """The first pair that waits; one that the same person claims as an assessor at this moment is passed by."""
    after = place.after
    while pair := adjudication_queue.next_pair(adjudicator, place.show, after):
        try:
            return adjudication_card.of(adjudicator, pair.pk, timezone.now())
        except permissions.NotAllowed:
            after = pair
    return None


def show(
    request: SignedInRequest,
    adjudicator: Membership,
    place: Place,
    card: adjudication_card.AdjudicationCard,
    form: forms.DecisionForm,
    *,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    """A certain pair, or the same one again with what was said of it and what is wrong with that."""
    told = {"notice": notice, **_shown(place, card, form, adjudicator)}
    return _send(request, adjudicator, place, CARD, told, status)


def _shown(
    place: Place, told: adjudication_card.AdjudicationCard, form: forms.DecisionForm, adjudicator: Membership
) -> dict[str, object]:
    pair = told.card.pair
    return {
        "told": told,
        "card": told.card,
        "form": form,
        "seal": forms.seal(pair, told.shown),
        "onward": place.address(adjudicator.collection.slug, after=pair),
    }


def _send(
    request: SignedInRequest, adjudicator: Membership, place: Place, fragment: str, told: dict[str, object], status: int
) -> HttpResponse:
    slug = adjudicator.collection.slug
    everywhere = {
        "collection": adjudicator.collection,
        "counts": adjudication_queue.counts_for(adjudicator),
        "last": adjudication_queue.last_decision(adjudicator),
        "place": place,
        "place_name": "adjudicate",
        "fragment": fragment,
    }
    template = fragment if request.htmx else "annotate/adjudication/adjudicate.html"
    response = render(request, template, {**everywhere, **told}, status=status)
    if request.htmx:
        card = told.get("card")
        query = urlencode({"show": place.show}) if place.show else ""
        at = reverse("adjudicate_pair", args=[slug, card.pair.pk]) if card else place.address(slug)
        response["HX-Replace-Url"] = f"{at}?{query}" if card and query else at
    return response
