"""Asking a language model: the dry run first, then the batch."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import services
from annotate.models import Collection, Prompt
from annotate.suggestions.forms.asking import BUILT_IN, AskForm
from annotate.suggestions.operations import asking, prompts
from annotate.web import access
from annotate.web.signed_in import SignedInRequest, signed_in

FEW = 200  # judged pairs on which prompts are compared before money is spent


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def ask_model(request: SignedInRequest, slug: str) -> HttpResponse:
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


def _ask_page(request: SignedInRequest, collection: Collection, form: AskForm, **found: object) -> HttpResponse:
    missing = {name: services.missing(name) for name in services.NAMES}
    told = {"collection": collection, "form": form, "missing": missing, "few": FEW, **found}
    return render(request, "annotate/suggestions/ask_model.html", told, status=422 if form.errors else 200)


def chosen_prompt(collection: Collection, choice: str) -> Prompt:
    """The prompt behind a choice of the form."""
    if choice.startswith(BUILT_IN):
        name = choice.removeprefix(BUILT_IN)
        return prompts.use_built_in(collection=collection, name=name, now=timezone.now())
    return Prompt.objects.get(collection=collection, pk=int(choice))
