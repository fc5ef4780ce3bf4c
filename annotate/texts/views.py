"""The pages of backstories and query variants."""

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.grades import batches
from annotate.models import Backstory, Batch, Collection, Membership, Topic, VariantCheck
from annotate.texts import operations
from annotate.texts.forms import BackstoryForm, CheckForm, DrawChecksForm, FlagForm
from annotate.texts.operations import CheckAnswer
from annotate.texts.queries import backstories as queries_backstories
from annotate.texts.queries import variants as queries_variants
from annotate.texts.queries.variants import Turn
from annotate.web.access import SignedInRequest, assessing, researched
from annotate.work import progress

SHOWN_WRITING_BATCHES = 5


@require_POST
@assessing
def flag_backstory(request: SignedInRequest, assessor: Membership, backstory_id: int) -> HttpResponse:
    """For htmx only the place of the button is answered: the card around it stays as the person left it."""
    form = FlagForm(request.POST)
    comment = form.cleaned_data["flag_comment"] if form.is_valid() else ""
    try:
        operations.flag_version(assessor=assessor, backstory_id=backstory_id, comment=comment, now=timezone.now())
    except Backstory.DoesNotExist as fault:
        raise Http404("There is no such backstory, or it was never before you.") from fault
    if request.htmx:
        return render(request, "annotate/texts/_backstory_flagged.html")
    messages.success(request, "Thank you: a researcher will look at the backstory.")
    return redirect("judge", assessor.collection.slug)


@require_safe
@researched
def backstories(request: SignedInRequest, collection: Collection) -> HttpResponse:
    return _render_backstories(request, collection)


@require_POST
@researched
def approve_backstory(request: SignedInRequest, collection: Collection, backstory_id: int) -> HttpResponse:
    backstory = get_object_or_404(
        Backstory.objects.select_related("topic"), topic__collection=collection, pk=backstory_id
    )
    operations.approve_version(backstory=backstory)
    is_draft = backstory.state == Backstory.State.DRAFT
    outcome = f"is what people and models read now: version {backstory.version}" if is_draft else "stays as it is"
    messages.success(request, f"The backstory of {backstory.topic.query_id} {outcome}.")
    return redirect("backstories", collection.slug)


@require_POST
@researched
def approve_backstories(request: SignedInRequest, collection: Collection) -> HttpResponse:
    approved = operations.approve_drafts(collection=collection)
    messages.success(request, f"{approved} draft{'s are' if approved != 1 else ' is'} what people and models read now.")
    return redirect("backstories", collection.slug)


@require_safe
@researched
def backstory_versions(request: SignedInRequest, collection: Collection, topic_id: int) -> HttpResponse:
    topic = get_object_or_404(Topic.objects.published(), collection=collection, pk=topic_id)
    context = {"collection": collection, "topic": topic, "versions": queries_backstories.list_versions(topic)}
    return render(request, "annotate/texts/backstory_versions.html", context)


@require_POST
@researched
def write_backstory(request: SignedInRequest, collection: Collection, topic_id: int) -> HttpResponse:
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
    return redirect("backstories", collection.slug)


def _render_backstories(
    request: SignedInRequest, collection: Collection, refused: Topic | None = None, form: BackstoryForm | None = None
) -> HttpResponse:
    context = {
        "collection": collection,
        "page": queries_backstories.list_topics(collection, request.GET.get("page", 1)),
        "flagged": queries_backstories.count_flagged(collection),
        "drafts": len(queries_backstories.list_drafts(collection)),
        "has_backstories": queries_backstories.topics_with_backstory(collection).exists(),
        "batches": batches.list_batches(collection, Batch.Purpose.BACKSTORIES, timezone.now())[:SHOWN_WRITING_BATCHES],
        "refused": refused,
        "form": form,
    }
    return render(request, "annotate/texts/backstories.html", context, status=422 if refused else 200)


SHOWN_BATCHES = 5


@require_safe
@researched
def variants(request: SignedInRequest, collection: Collection) -> HttpResponse:
    return _render_variants(request, collection, DrawChecksForm())


@require_POST
@researched
def measure_variants(request: SignedInRequest, collection: Collection) -> HttpResponse:
    queued = operations.request_measures(collection=collection, by=request.user, now=timezone.now())
    return redirect("work_progress", collection.slug, queued.pk)


@require_POST
@researched
def draw_variant_checks(request: SignedInRequest, collection: Collection) -> HttpResponse:
    form = DrawChecksForm(request.POST)
    if not form.is_valid():
        return _render_variants(request, collection, form)
    try:
        chosen = operations.draw_checks(collection=collection, **form.cleaned_data)
    except operations.CannotDraw as reason:
        form.add_error(None, str(reason))
        return _render_variants(request, collection, form)
    messages.success(request, f"{chosen} variant{'s wait' if chosen != 1 else ' waits'} for the assessors now.")
    return redirect("variants", collection.slug)


@require_POST
@researched
def end_variant_checks(request: SignedInRequest, collection: Collection) -> HttpResponse:
    operations.end_checks(collection=collection)
    messages.success(request, "Nobody is asked about variants any more; what was said is kept.")
    return redirect("variants", collection.slug)


def _render_variants(request: SignedInRequest, collection: Collection, form: DrawChecksForm) -> HttpResponse:
    # PostgreSQL looks for no text with a NUL in it.
    filters = {name: request.GET.get(name, "").replace("\0", "") for name in ("profile", "topic", "sort")}
    now = timezone.now()
    context = {
        "collection": collection,
        "form": form,
        "filters": filters,
        "page": queries_variants.list_variants(collection, number=request.GET.get("page", 1), **filters),
        "profiles": queries_variants.summarize_profiles(collection),
        "unmeasured": queries_variants.count_unmeasured(collection),
        "measuring": progress.unfinished_progress(collection, operations.MEASURE, now),
        "checks": queries_variants.summarize_checks(collection),
        "progress": queries_variants.count_progress(collection),
        "gold": queries_variants.summarize_gold(collection),
        "batches": batches.list_batches(collection, Batch.Purpose.VARIANTS, now)[:SHOWN_BATCHES],
        "is_worker_silent": progress.is_worker_silent(collection, now),
    }
    return render(request, "annotate/texts/variants.html", context, status=422 if form.errors else 200)


CARD, DONE = "annotate/texts/_variant_card.html", "annotate/texts/_variant_done.html"


@require_safe
@assessing
@never_cache
@vary_on_headers("HX-Request")
def check_variants(request: SignedInRequest, assessor: Membership) -> HttpResponse:
    """The next variant; with `again` the one that was answered last."""
    again = queries_variants.find_last_turn(assessor) if "again" in request.GET else None
    return _render_turn(request, assessor, again or queries_variants.find_next_turn(assessor))


@require_POST
@assessing
@never_cache
@vary_on_headers("HX-Request")
def save_variant_check(request: SignedInRequest, assessor: Membership, variant_id: int) -> HttpResponse:
    form = CheckForm(request.POST)
    if not form.is_valid():
        turn = queries_variants.find_turn(assessor, variant_id) or queries_variants.find_next_turn(assessor)
        return _render_turn(request, assessor, turn, form=form)
    fields = form.cleaned_data
    try:
        saved = operations.record_check(
            member=assessor,
            variant_id=variant_id,
            answer=CheckAnswer(
                fields["meaning"] == "yes", fields["writer"], fields["first"], fields["second"], fields["comment"]
            ),
            now=timezone.now(),
        )
    except operations.NotOffered:
        context = {"collection": assessor.collection}
        return render(request, "annotate/judging/judging_refused.html", context, status=409)
    if request.htmx:
        return _render_turn(request, assessor, queries_variants.find_next_turn(assessor), saved=saved)
    messages.success(request, "Saved.")
    return redirect("check_variants", assessor.collection.slug)


def _render_turn(
    request: SignedInRequest,
    assessor: Membership,
    turn: Turn | None,
    form: CheckForm | None = None,
    saved: VariantCheck | None = None,
) -> HttpResponse:
    fragment = CARD if turn else DONE
    context = {
        "collection": assessor.collection,
        "fragment": fragment,
        "turn": turn,
        "form": form,
        "saved": saved,
        "has_answered": VariantCheck.objects.filter(member=assessor).exists(),
    }
    template = fragment if request.htmx else "annotate/texts/check_variants.html"
    return render(request, template, context, status=422 if form and form.errors else 200)


CONTENT_TYPES = {"tsv": "text/plain; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}


@require_safe
@researched
def variant_file(request: SignedInRequest, collection: Collection, name: str) -> StreamingHttpResponse:
    """A file of the collection's query variants as they are now, sent as it is read."""
    if name not in queries_variants.FILES:
        raise Http404("There is no file of this name.")
    response = StreamingHttpResponse(queries_variants.read_file_lines(collection, name))
    response["Content-Type"] = CONTENT_TYPES[name.rpartition(".")[2]]
    response["Content-Disposition"] = f'attachment; filename="{collection.slug}-{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
