"""How label sets favour what the topics' own queries find."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotate import access
from annotate.queries import workers
from annotate.views.signed_in import signed_in
from evaluation.operations import finding
from evaluation.queries import questions, raters, seed_bias


@require_safe
@signed_in
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Of the model raters in the address, which graded the same pairs against different needs."""
    collection = access.researched_or_404(request.user, slug)
    names = request.GET.getlist("raters")
    told: dict[str, Any] = {"collection": collection, "form": {"address": urlencode({"raters": names}, doseq=True)}}
    try:
        if not names:
            raise raters.NoSuchRater("Name the model raters whose grades are compared.")
        seed_bias.check(collection, names)
    except raters.NoSuchRater as reason:
        return render(request, "evaluation/seed_bias.html", told | {"refusal": str(reason)}, status=422)
    now = timezone.now()
    known = finding.ask(collection=collection, question=questions.seed_bias(names), by=request.user, now=now)
    told |= {"known": known, "found": known.value, "is_worker_silent": workers.is_silent(collection, now)}
    return render(request, "evaluation/seed_bias.html", told)
