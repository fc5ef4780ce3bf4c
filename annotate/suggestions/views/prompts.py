"""The page of suggestions; prompts of one's own, for grades, backstories and query variants, and profiles."""

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.collections import queries as collections_queries
from annotate.collections.operations import collections
from annotate.grades import batches, model_raters
from annotate.llm import prompts
from annotate.models import Collection, Profile, Prompt
from annotate.own_judges.operations import requests
from annotate.suggestions.forms.prompts import (
    FORMS,
    ChosenModelForm,
    OwnJudgeForm,
    ProfileForm,
    PromptForm,
    SuccessorsForm,
)
from annotate.suggestions.forms.requests import TrialForm
from annotate.suggestions.operations import prompts as operations
from annotate.suggestions.operations import trials
from annotate.suggestions.purposes import grades
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.suggestions.views.batches import FEW
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.work import progress


@require_safe
@signed_in
def suggestions(request: SignedInRequest, slug: str) -> HttpResponse:
    return _render_suggestions(request, access.researched_or_404(request.user, slug))


@require_POST
@signed_in
def start_own_judge(request: SignedInRequest, slug: str) -> HttpResponse:
    """A new version of Lacuna's own judge, calibrated on the chosen models or, without any, from text alone."""
    collection = access.researched_or_404(request.user, slug)
    form = OwnJudgeForm(collection, request.POST)
    if not form.is_valid():
        return _render_suggestions(request, collection, own_form=form)
    try:
        models, may_carry_over = form.recipe
        batch = requests.request_version(
            collection=collection, models=models, may_carry_over=may_carry_over, by=request.user, now=timezone.now()
        )
    except requests.NothingToDo as reason:
        messages.warning(request, str(reason))
    else:
        messages.success(request, f"{batch.rater} is asked about {batch.pairs:,} pairs. {batch.note}".strip())
    return redirect("suggestions", slug)


@require_POST
@signed_in
def change_successors(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = SuccessorsForm(request.POST, instance=collection)
    if not form.is_valid():
        return _render_suggestions(request, collection, successors_form=form)
    collections.change_judging(collection=collection, changes=form.cleaned_data, by=request.user)
    messages.success(request, "Saved. New versions are trained so from now on.")
    return redirect("suggestions", slug)


@require_POST
@signed_in
def choose_model(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = ChosenModelForm(collection, request.POST)
    if form.is_valid():
        chosen = form.cleaned_data["suggesting_rater"]
        collections.change_judging(collection=collection, changes={"suggesting_rater": chosen})
        messages.success(request, f"Assessors see {chosen or 'no model'} in the arms that show a suggestion.")
    else:
        messages.error(request, "Choose a model of this collection.")
    return redirect("suggestions", slug)


def _render_suggestions(request: SignedInRequest, collection: Collection, **bound: BaseForm) -> HttpResponse:
    """With forms that were sent and not taken, if any."""
    now = timezone.now()
    context = {
        "collection": collection,
        "facts": collections_queries.count_facts(collection),
        "models": model_raters.compare_models(collection, now),
        "versions": model_raters.list_versions(collection),
        "successor": progress.unfinished_progress(collection, requests.RETRAIN, now),
        "batches": batches.list_model_batches(collection, now),
        "form": ChosenModelForm(collection),
        "own_form": OwnJudgeForm(collection),
        "successors_form": SuccessorsForm(instance=collection),
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(request, "annotate/suggestions/suggestions.html", context | bound, status=422 if bound else 200)


Purpose = Prompt.Purpose
NEXT = {
    Purpose.JUDGING: ("ask_model", f"&scope={grades.JUDGED}&limit={FEW}"),
    Purpose.BACKSTORY: ("write_backstories", ""),
    Purpose.VARIANTS: ("write_variants", ""),
}
START = {Purpose.JUDGING: "rationale", Purpose.BACKSTORY: "backstory", Purpose.VARIANTS: "variants"}
SENTENCES = {
    Purpose.JUDGING: "Here it is asked about judged pairs first, to compare it with others.",
    Purpose.BACKSTORY: "Here backstories are asked for with it.",
    Purpose.VARIANTS: "Here variants are asked for with it.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write_prompt(request: SignedInRequest, slug: str) -> HttpResponse:
    """Previewed on a pair or topic before it is kept; `purpose` in the address says what it is for."""
    collection = access.researched_or_404(request.user, slug)
    purpose = request.GET.get("purpose", Purpose.JUDGING)
    if purpose not in FORMS:
        raise Http404
    form = FORMS[purpose](
        request.POST or None, initial=_prompt_to_start_from(collection, purpose, request.GET.get("from", ""))
    )
    if not form.is_valid():
        return _render_prompts(request, collection, form)
    try:
        written = form.kept
        if "try" in request.POST and purpose == Purpose.JUDGING:
            written.check()
            return _try_prompt(request, collection, form, written)
        if "preview" in request.POST:
            written.check()
            shown = operations.preview_prompt(collection, written.draft(collection))
            return _render_prompts(request, collection, form, preview=shown)
        kept = operations.write_prompt(
            collection=collection, name=form.cleaned_data["name"], kept=written, by=request.user, now=timezone.now()
        )
    except prompts.BadPrompt as reason:
        form.add_error(None, str(reason))
        return _render_prompts(request, collection, form)
    messages.success(request, f"Kept as {kept}. {SENTENCES[Purpose(purpose)]}")
    page, more = NEXT[Purpose(purpose)]
    return redirect(f"{reverse(page, args=[slug])}?prompt={kept.pk}{more}")


def _try_prompt(
    request: SignedInRequest, collection: Collection, form: PromptForm, written: operations.Kept
) -> HttpResponse:
    """One pair is asked now; nothing is stored."""
    trial_form = TrialForm(request.POST)
    if not trial_form.is_valid():
        return _render_prompts(request, collection, form, trial_form=trial_form)
    try:
        given = trial_form.cleaned_data
        pair = trials.find_pair(collection, given["query_id"], given["passage_id"])
        trial = trials.ask(collection=collection, plan=trial_form.plan(written.draft(collection)), pair=pair)
    except CannotAsk as reason:
        trial_form.add_error(None, str(reason))
        return _render_prompts(request, collection, form, trial_form=trial_form)
    return _render_prompts(request, collection, form, trial_form=trial_form, trial=trial)


def _render_prompts(
    request: SignedInRequest,
    collection: Collection,
    form: PromptForm,
    trial_form: TrialForm | None = None,
    **shown: object,
) -> HttpResponse:
    has_errors = bool(form.errors or (trial_form and trial_form.errors))
    context = {
        "collection": collection,
        "form": form,
        "purposes": Purpose.choices,
        "own": operations.list_own_prompts(collection, form.purpose),
        "built_in": [(name, operations.BUILT_IN[name]) for name in operations.list_built_in_prompts(form.purpose)],
        "is_previewed": "preview" in shown,
        "trial_form": trial_form or TrialForm(initial=request.POST.dict()),
        **shown,
    }
    return render(request, "annotate/suggestions/prompts.html", context, status=422 if has_errors else 200)


def _prompt_to_start_from(collection: Collection, purpose: str, choice: str) -> dict[str, object]:
    """What the form holds before anybody wrote: the words of another prompt for the same purpose."""
    if mine := next(
        (prompt for prompt in operations.list_own_prompts(collection, purpose) if str(prompt.pk) == choice), None
    ):
        same = {name: getattr(mine, name) for name in ("name", "fixed", "text", "example", "is_fenced")}
        return {**same, **_name_answer_form(mine.answer_form)}
    name = choice if choice in operations.list_built_in_prompts(purpose) else START[Purpose(purpose)]
    kept = operations.load_built_in_prompt(name)
    return {"fixed": kept.template.fixed, "text": kept.template.text, **_name_answer_form(kept.answer_form)}


def _name_answer_form(answer_form: str) -> dict[str, object]:
    kind, _, names = answer_form.partition(": ")
    return {"answer_kind": kind, "answer_names": names}


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def profiles_page(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = ProfileForm(request.POST or None, initial=_profile_to_start_from(collection, request.GET.get("from", "")))
    if form.is_valid():
        try:
            written, now = form.profile(), timezone.now()
            kept = operations.write_profile(collection=collection, profile=written, by=request.user, now=now)
            messages.success(request, f"Kept as version {kept.version} of {kept.name}.")
            return redirect("profiles", slug)
        except operations.BadProfile as reason:
            form.add_error(None, str(reason))
    own = Profile.objects.filter(collection=collection, is_own=True).order_by("name", "-version")
    context = {"collection": collection, "form": form, "own": own, "built_in": _group_profiles()}
    return render(request, "annotate/suggestions/profiles.html", context, status=422 if form.errors else 200)


def _group_profiles() -> list[tuple[str, list[prompts.ProfileText]]]:
    """Lacuna's own under the words for their group."""
    groups: dict[str, list[prompts.ProfileText]] = {}
    for one in prompts.built_in_profiles().values():
        groups.setdefault(str(Profile.Group(one.group).label), []).append(one)
    return list(groups.items())


def _profile_to_start_from(collection: Collection, choice: str) -> dict[str, object]:
    """What the form holds before anybody wrote: the words of another profile."""
    own = Profile.objects.filter(collection=collection)
    if mine := next((profile for profile in own if str(profile.pk) == choice), None):
        return {name: getattr(mine, name) for name in ("name", "group", "background", "factors")}
    if there := prompts.built_in_profiles().get(choice):
        return {"group": there.group, "background": there.background, "factors": there.factors}
    return {}
