"""What people read of the situation behind a query: said to look wrong by assessors, mended by researchers."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.backstories import operations, queries
from annotate.backstories.forms import BackstoryForm, FlagForm
from annotate.grades import batches
from annotate.models import Backstory, Batch, Collection, Topic
from annotate.web import access
from annotate.web.access import SignedInRequest, signed_in

SHOWN_BATCHES = 5


@require_POST
@signed_in
def flag_backstory(request: SignedInRequest, slug: str, backstory_id: int) -> HttpResponse:
    """For htmx only the place of the button is answered: the card around it stays as the person left it."""
    assessor = access.assessor_or_404(request.user, slug)
    form = FlagForm(request.POST)
    comment = form.cleaned_data["flag_comment"] if form.is_valid() else ""
    try:
        operations.flag_version(assessor=assessor, backstory_id=backstory_id, comment=comment, now=timezone.now())
    except Backstory.DoesNotExist as fault:
        raise Http404("There is no such backstory, or it was never before you.") from fault
    if request.htmx:
        return render(request, "annotate/backstories/_backstory_flagged.html")
    messages.success(request, "Thank you: a researcher will look at the backstory.")
    return redirect("judge", slug)


@require_safe
@signed_in
def backstories(request: SignedInRequest, slug: str) -> HttpResponse:
    return _render_backstories(request, access.researched_or_404(request.user, slug))


@require_POST
@signed_in
def approve_backstory(request: SignedInRequest, slug: str, backstory_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    backstory = get_object_or_404(
        Backstory.objects.select_related("topic"), topic__collection=collection, pk=backstory_id
    )
    operations.approve_version(backstory=backstory)
    is_draft = backstory.state == Backstory.State.DRAFT
    outcome = f"is what people and models read now: version {backstory.version}" if is_draft else "stays as it is"
    messages.success(request, f"The backstory of {backstory.topic.query_id} {outcome}.")
    return redirect("backstories", slug)


@require_POST
@signed_in
def approve_backstories(request: SignedInRequest, slug: str) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    approved = operations.approve_drafts(collection=collection)
    messages.success(request, f"{approved} draft{'s are' if approved != 1 else ' is'} what people and models read now.")
    return redirect("backstories", slug)


@require_safe
@signed_in
def backstory_versions(request: SignedInRequest, slug: str, topic_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    topic = get_object_or_404(Topic.objects.published(), collection=collection, pk=topic_id)
    context = {"collection": collection, "topic": topic, "versions": queries.list_versions(topic)}
    return render(request, "annotate/backstories/backstory_versions.html", context)


@require_POST
@signed_in
def write_backstory(request: SignedInRequest, slug: str, topic_id: int) -> HttpResponse:
    collection = access.researched_or_404(request.user, slug)
    topic = get_object_or_404(Topic.objects.published(), collection=collection, pk=topic_id)
    form = BackstoryForm(request.POST)
    if not form.is_valid():
        return _render_backstories(request, collection, refused=topic, form=form)
    written = operations.add_version(
        topic=topic,
        text=form.cleaned_data["text"],
        origin=Backstory.Origin.WRITTEN,
        by=request.user,
        now=timezone.now(),
    )
    messages.success(request, f"Version {written.version} of {topic.query_id} is what assessors read now.")
    return redirect("backstories", slug)


def _render_backstories(
    request: SignedInRequest, collection: Collection, refused: Topic | None = None, form: BackstoryForm | None = None
) -> HttpResponse:
    context = {
        "collection": collection,
        "page": queries.list_topics(collection, request.GET.get("page", 1)),
        "flagged": queries.count_flagged(collection),
        "drafts": len(queries.list_drafts(collection)),
        "has_backstories": queries.topics_with_backstory(collection).exists(),
        "batches": batches.list_batches(collection, Batch.Purpose.BACKSTORIES, timezone.now())[:SHOWN_BATCHES],
        "refused": refused,
        "form": form,
    }
    return render(request, "annotate/backstories/backstories.html", context, status=422 if refused else 200)
