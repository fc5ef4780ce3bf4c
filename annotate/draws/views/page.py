"""The page on which pairs people judge, with its six forms: one of them perhaps refused, or previewed."""

from collections.abc import Callable

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from annotate.collections.queries import collection_facts
from annotate.draws.forms import CalibrationForm, NamedPairsForm, SampleForm, WithdrawnPairsForm
from annotate.draws.operations import near_duplicates
from annotate.draws.operations.additions import TooMany
from annotate.draws.queries import calibration_pairs, pair_draws, sample_plans
from annotate.draws.queries.sample_plans import Sample
from annotate.formats.faults import FileRefused
from annotate.models import Collection, PairDraw
from annotate.pairs.operations import refresh
from annotate.rules import drawing
from annotate.web.signed_in import SignedInRequest
from annotate.work import progress, workers


def page(
    request: SignedInRequest, collection: Collection, *, sample: Sample | None = None, **bound: Form | None
) -> HttpResponse:
    """`bound`: a form that was sent, under its name: sample_form, list_form, calibration_form, add_form,
    withdraw_form or restore_form."""
    now = timezone.now()
    told = {
        "collection": collection,
        "draw": PairDraw.objects.filter(pk=collection.pair_draw_id).select_related("created_by").first(),
        "calibration": calibration_pairs.in_force(collection),
        "counts": pair_draws.counts(collection),
        "facts": collection_facts.of(collection),
        "draws": pair_draws.all_of(collection),
        "withdrawn": pair_draws.withdrawn(collection),
        "finding": progress.newest(collection, near_duplicates.FIND, now),
        "following": progress.unfinished(collection, refresh.REFRESH, now),
        "is_worker_silent": workers.is_silent(collection, now),
        "sample": sample,
        "judgments": sample_plans.judgments(collection, sample) if sample else None,
        "sample_form": SampleForm(collection, auto_id="sample_%s"),
        "list_form": NamedPairsForm(auto_id="list_%s"),
        "calibration_form": CalibrationForm(auto_id="calibration_%s"),
        "add_form": NamedPairsForm(auto_id="add_%s"),
        "withdraw_form": WithdrawnPairsForm(auto_id="withdraw_%s"),
        "restore_form": NamedPairsForm(auto_id="restore_%s"),
        **bound,
    }
    is_refused = any(form.errors for form in bound.values())
    return render(request, "annotate/draws/pairs.html", told, status=422 if is_refused else 200)


def act(
    request: SignedInRequest, collection: Collection, name: str, form: Form, do: Callable[[dict], str]
) -> HttpResponse:
    """Do what a good form asks for, say the sentence that comes back and show the page anew; else show the form with
    what stands in the way."""
    if form.is_valid():
        try:
            messages.success(request, do(form.cleaned_data))
            return redirect("pairs", collection.slug)
        except (drawing.CannotDraw, TooMany) as reason:
            form.add_error(None, str(reason))
        except FileRefused as refused:
            form.refuse(refused)
    return page(request, collection, **{name: form})
