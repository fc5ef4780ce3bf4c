"""Asking a language model: the dry run first, then the batch; and the prompts that it is asked with."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate import access
from annotate.forms.asking import BUILT_IN, AskForm, PromptForm
from annotate.llm import prompts, services
from annotate.models import Collection, Prompt
from annotate.operations import asking, prompting
from annotate.queries import asked_pairs
from annotate.views.signed_in import signed_in

FEW = 200  # judged pairs on which prompts are compared before money is spent


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def ask_model(request: HttpRequest, slug: str) -> HttpResponse:
    """A dry run tells calls, tokens and the most it can cost; only then it can be started."""
    collection = access.researched_or_404(request.user, slug)
    form = AskForm(collection, request.POST or None, initial=request.GET.dict())
    if not form.is_valid():
        return _ask_page(request, collection, form)
    wish = form.wish(chosen_prompt(collection, form.cleaned_data["prompt"]))
    try:
        if "start" not in request.POST:
            estimate = asking.estimate(collection=collection, wish=wish)
            return _ask_page(request, collection, form, estimate=estimate, wish=wish)
        batch = asking.request(collection=collection, wish=wish, by=request.user, now=timezone.now())
    except asking.CannotAsk as reason:
        form.add_error(None, str(reason))
        return _ask_page(request, collection, form)
    messages.success(request, f"{batch.rater.name} is asked about {batch.pairs:,} pairs.")
    return redirect("batch", slug, batch.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def write_prompt(request: HttpRequest, slug: str) -> HttpResponse:
    """A prompt of one's own, previewed on a pair before it is kept."""
    collection = access.researched_or_404(request.user, slug)
    form = PromptForm(request.POST or None, initial=_start(collection, request.GET.get("from", "rationale")))
    if not form.is_valid():
        return _prompt_page(request, collection, form)
    said = form.cleaned_data
    template = prompts.Template(said["fixed"].replace("\r\n", "\n"), said["text"].replace("\r\n", "\n"))
    try:
        prompts.check(template, prompts.JUDGING)
        if "preview" in request.POST:
            return _prompt_page(request, collection, form, template)
        kept = prompting.write(
            collection=collection,
            name=said["name"],
            purpose=Prompt.Purpose.JUDGING,
            form=said["form"],
            template=template,
            is_fenced=said["is_fenced"],
            by=request.user,
            now=timezone.now(),
        )
    except prompts.BadPrompt as reason:
        form.add_error(None, str(reason))
        return _prompt_page(request, collection, form)
    messages.success(request, f"Kept as {kept}. Here it is asked about judged pairs first, to compare it with others.")
    return redirect(f"{reverse('ask_model', args=[slug])}?prompt={kept.pk}&scope={asking.JUDGED}&limit={FEW}")


def _ask_page(request: HttpRequest, collection: Collection, form: AskForm, **found: object) -> HttpResponse:
    missing = {name: services.missing(name) for name in services.NAMES}
    told = {"collection": collection, "form": form, "missing": missing, "few": FEW, **found}
    return render(request, "annotate/ask_model.html", told, status=422 if form.errors else 200)


def _prompt_page(
    request: HttpRequest, collection: Collection, form: PromptForm, template: prompts.Template | None = None
) -> HttpResponse:
    told = {
        "collection": collection,
        "form": form,
        "own": Prompt.objects.filter(collection=collection, is_own=True).order_by("name", "-version"),
        "built_in": list(prompting.BUILT_IN),
        "preview": template and asked_pairs.preview(collection, template, form.cleaned_data),
    }
    return render(request, "annotate/prompts.html", told, status=422 if form.errors else 200)


def chosen_prompt(collection: Collection, choice: str) -> Prompt:
    """The prompt behind a choice of the form."""
    if choice.startswith(BUILT_IN):
        name = choice.removeprefix(BUILT_IN)
        return prompting.use_built_in(collection=collection, name=name, now=timezone.now())
    return Prompt.objects.get(collection=collection, pk=int(choice))


def _start(collection: Collection, choice: str) -> dict[str, object]:
    """What the form holds before anybody wrote: the words of another prompt."""
    if choice in prompting.BUILT_IN:
        template = prompts.load(choice, prompts.JUDGING)
        return {"fixed": template.fixed, "text": template.text, "form": choice.upper()}
    if choice.isdigit() and (own := Prompt.objects.filter(collection=collection, pk=int(choice)).first()):
        return {name: getattr(own, name) for name in ("name", "form", "fixed", "text", "is_fenced")}
    return {}
