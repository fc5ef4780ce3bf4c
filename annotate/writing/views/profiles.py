"""The profiles that query variants are written for: Lacuna's own to read, the researchers' to write."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotate.llm import prompts
from annotate.models import Collection, Profile
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in
from annotate.writing.forms import ProfileForm
from annotate.writing.operations import profiles as operations


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def profiles_page(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    form = ProfileForm(request.POST or None, initial=_start(collection, request.GET.get("from", "")))
    if form.is_valid():
        try:
            kept = operations.write(collection=collection, profile=form.profile(), by=request.user, now=timezone.now())
            messages.success(request, f"Kept as version {kept.version} of {kept.name}.")
            return redirect("profiles", slug)
        except operations.BadProfile as reason:
            form.add_error(None, str(reason))
    own = Profile.objects.filter(collection=collection, is_own=True).order_by("name", "-version")
    told = {"collection": collection, "form": form, "own": own, "built_in": _by_group()}
    return render(request, "annotate/writing/profiles.html", told, status=422 if form.errors else 200)


def _by_group() -> list[tuple[str, list[prompts.ProfileText]]]:
    """Lacuna's own under the words for their group."""
    groups: dict[str, list[prompts.ProfileText]] = {}
    for one in prompts.built_in_profiles().values():
        groups.setdefault(str(Profile.Group(one.group).label), []).append(one)
    return list(groups.items())


def _start(collection: Collection, choice: str) -> dict[str, object]:
    """What the form holds before anybody wrote: the words of another profile."""
    own = Profile.objects.filter(collection=collection)
    if own := next((one for one in own if str(one.pk) == choice), None):
        return {name: getattr(own, name) for name in ("name", "group", "background", "factors")}
    if there := prompts.built_in_profiles().get(choice):
        return {"group": there.group, "background": there.background, "factors": there.factors}
    return {}
