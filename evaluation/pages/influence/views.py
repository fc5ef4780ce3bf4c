"""Which holes matter for the ranking of systems, and judging them first."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.models import Collection
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.web.forms import set_choices
from annotate.work import progress
from evaluation import web
from evaluation.findings import influence
from evaluation.inputs import choices
from evaluation.pages.influence.tables import influence_table


class InfluenceForm(forms.Form):
    """Whether a model's probabilities weight the influence of holes."""

    weights = forms.ChoiceField(
        label="Weighted by",
        required=False,
        help_text="A model's probabilities make it the expected change. Its order then tells assessors what the model "
        "thinks, so this is refused where anybody grades blind.",
    )

    def __init__(self, collection: Collection, sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        models = [(name, name) for name in choices.list_models(collection)]
        set_choices(self.fields["weights"], [("", "nothing: every grade is possible"), *models])


@require_safe
@signed_in
def show_influence(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    return _page(request, collection, InfluenceForm(collection))


@require_POST
@signed_in
def compute_influence(request: SignedInRequest, slug: str) -> HttpResponse:
    """Compute it in the background, and with `orders` let holes be judged in its order."""
    collection = access.researched_or_404(request.user, slug)
    form = InfluenceForm(collection, request.POST)
    if form.is_valid():
        asked = {"weights": form.cleaned_data["weights"], "orders": "orders" in request.POST}
        try:
            influence.request_influence(collection=collection, **asked, by=request.user, now=timezone.now())
        except influence.CannotWeight as reason:
            form.add_error("weights", str(reason))
        else:
            messages.success(request, "It is being computed in the background.")
            return redirect("influence", slug)
    return _page(request, collection, form)


@require_safe
@signed_in
def download_influence(request: SignedInRequest, slug: str, format: str) -> HttpResponse:
    """The holes that the page shows as a table to keep."""
    collection = access.researched_or_404(request.user, slug)
    known = influence.find_influence(collection)
    if known is None:
        sentence = "Influence was not computed yet.\n"
        return HttpResponse(sentence, status=409, content_type="text/plain; charset=utf-8")
    return web.answer_table(influence_table(known.value).table, f"{slug}-influence", format)


def _page(request: SignedInRequest, collection: Collection, form: InfluenceForm) -> HttpResponse:
    now, known = timezone.now(), influence.find_influence(collection)
    context = {
        "collection": collection,
        "form": form,
        "known": known,
        "table": known and influence_table(known.value),
        "progress": progress.unfinished_progress(collection, influence.KIND, now),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(request, "evaluation/influence/influence.html", context, status=422 if form.errors else 200)
