"""Prompts of one's own: for grades, backstories and query variants."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import prompts
from annotate.llm.messages import Request
from annotate.models import Collection, Prompt
from annotate.suggestions.forms.prompts import FORMS, PromptForm
from annotate.suggestions.operations import asking
from annotate.suggestions.operations import prompts as suggestions_prompts
from annotate.suggestions.queries import asked_pairs
from annotate.suggestions.views.requests import FEW
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.writing.operations import writing

Purpose = Prompt.Purpose
NEXT = {
    Purpose.JUDGING: ("ask_model", f"&scope={asking.JUDGED}&limit={FEW}"),
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
    form = FORMS[purpose](request.POST or None, initial=_start(collection, purpose, request.GET.get("from", "")))
    if not form.is_valid():
        return _page(request, collection, form)
    try:
        if "preview" in request.POST:
            prompts.check_template(_template(form), suggestions_prompts.PURPOSES[Purpose(purpose)])
            return _page(request, collection, form, preview=_preview(collection, form))
        kept = _keep(request, collection, form)
    except prompts.BadPrompt as reason:
        form.add_error(None, str(reason))
        return _page(request, collection, form)
    messages.success(request, f"Kept as {kept}. {SENTENCES[Purpose(purpose)]}")
    page, more = NEXT[Purpose(purpose)]
    return redirect(f"{reverse(page, args=[slug])}?prompt={kept.pk}{more}")


def _keep(request: SignedInRequest, collection: Collection, form: PromptForm) -> Prompt:
    return suggestions_prompts.write(
        collection=collection,
        name=form.cleaned_data["name"],
        purpose=form.purpose,
        form=form.cleaned_data.get("form", ""),
        template=_template(form),
        is_fenced=form.cleaned_data["is_fenced"],
        by=request.user,
        now=timezone.now(),
    )


def _template(form: PromptForm) -> prompts.Template:
    fixed, text = (form.cleaned_data[name].replace("\r\n", "\n") for name in ("fixed", "text"))
    return prompts.Template(fixed, text)


def _preview(collection: Collection, form: PromptForm) -> Request | None:
    template = _template(form)
    if form.purpose == Purpose.JUDGING:
        return asked_pairs.preview(collection, template, form.cleaned_data)
    is_fenced = form.cleaned_data["is_fenced"]
    prompt = Prompt(purpose=form.purpose, fixed=template.fixed, text=template.text, is_fenced=is_fenced)
    return writing.preview(collection=collection, prompt=prompt)


def _page(request: SignedInRequest, collection: Collection, form: PromptForm, **found: object) -> HttpResponse:
    told = {
        "collection": collection,
        "form": form,
        "purposes": Purpose.choices,
        "own": suggestions_prompts.list_own(collection, form.purpose),
        "built_in": suggestions_prompts.list_built_in(form.purpose),
        "is_previewed": "preview" in found,
        **found,
    }
    return render(request, "annotate/writing/prompts.html", told, status=422 if form.errors else 200)


def _start(collection: Collection, purpose: str, choice: str) -> dict[str, object]:
    """What the form holds before anybody wrote: the words of another prompt for the same purpose."""
    if mine := next(
        (prompt for prompt in suggestions_prompts.list_own(collection, purpose) if str(prompt.pk) == choice), None
    ):
        return {name: getattr(mine, name) for name in ("name", "form", "fixed", "text", "is_fenced")}
    name = choice if choice in suggestions_prompts.list_built_in(purpose) else START[Purpose(purpose)]
    template = prompts.load_template(name, suggestions_prompts.PURPOSES[Purpose(purpose)])
    return {"fixed": template.fixed, "text": template.text, "form": suggestions_prompts.BUILT_IN[name][1]}
