"""Taking a wrong import back: invisible at once, its rows removed in batches. What people did is never removed."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotate.imports.kinds import KINDS
from annotate.models import (
    Claim,
    Collection,
    Generation,
    HoleDraw,
    ImportedFile,
    Judgment,
    Pair,
    QueryVariant,
    Run,
    User,
    VariantCheck,
    Work,
)
from annotate.work import queue
from annotate.work.queue import Step

WITHDRAW = "withdraw"


class CannotWithdraw(Exception):
    """Something rests on the import; the message says what."""


@transaction.atomic
def request_withdrawal(*, imported: ImportedFile, by: User | None, now: datetime) -> Work:
    """Make an import invisible, or end one that stopped half-way, and queue the removal of its rows.

    Raises CannotWithdraw.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=imported.collection_id)
    imported = ImportedFile.objects.select_for_update().get(pk=imported.pk)
    if not _may_withdraw(imported):
        raise CannotWithdraw(f"{imported.name} is {imported.get_state_display()}: there is nothing to withdraw.")
    _check_free(imported)
    _check_not_repeated(imported)
    _check_not_retrieved(imported)
    imported.state = ImportedFile.State.WITHDRAWING
    imported.work = queue.enqueue(
        collection=imported.collection,
        kind=WITHDRAW,
        queue=queue.FACTS,
        subject=f"withdrawal of {imported.name}",
        arguments={"imported_file": imported.pk},
        by=by,
        now=now,
    )
    imported.save(update_fields=["state", "work"])
    return imported.work


def run(work: Work) -> Iterator[Step]:
    imported = ImportedFile.objects.select_related("collection").get(pk=work.arguments["imported_file"])
    yield from remove(imported)
    ImportedFile.objects.filter(pk=imported.pk).update(state=ImportedFile.State.WITHDRAWN, finished_at=timezone.now())


def remove(imported: ImportedFile) -> Iterator[Step]:
    """Take out all rows that came with the file."""
    done = 0
    while removed := KINDS[imported.kind].remove_batch(imported):
        done += removed
        queue.let_others_write()
        yield Step(done, max(imported.added, done), note="removing")


def _may_withdraw(imported: ImportedFile) -> bool:
    """Whether it is imported, or its import was stopped, or failed, before it was."""
    if imported.state in (ImportedFile.State.WAITING, ImportedFile.State.STAGING):
        reading = Work.objects.select_for_update().filter(pk__in=[imported.work_id]).first()
        return reading is None or reading.is_over
    return imported.state == ImportedFile.State.PUBLISHED


def _check_free(imported: ImportedFile) -> None:
    name = imported.name
    used = (
        Q(is_pooled=True) | Q(reference_grades__isnull=False) | Q(suggestions__isnull=False) | Q(claims__isnull=False)
    )
    if Pair.objects.filter(used, topic__source=imported).exists():
        raise CannotWithdraw(f"Pairs, grades or judgments rest on the topics of {name}: withdraw qrels and runs first.")
    if QueryVariant.objects.filter(topic__source=imported).exists():
        raise CannotWithdraw(f"Query variants rest on the topics of {name}: withdraw them first.")
    if Generation.objects.filter(topic__source=imported).exists():
        raise CannotWithdraw(f"A model was asked to write about the topics of {name}: its answers must stay.")
    if VariantCheck.objects.filter(variant__source=imported).exists():
        raise CannotWithdraw(f"People said what they think of query variants of {name}; they must stay.")
    # A closed claim counts too: its card may still be open, and a late grade is kept.
    seen = {"suggestion__source": imported}
    if Judgment.objects.filter(**seen).exists() or Claim.objects.filter(**seen).exists():
        raise CannotWithdraw(f"Assessors saw suggestions of {name}; their judgments must be able to tell which.")
    if HoleDraw.objects.filter(undone_at=None, dropped_grades__source=imported).exists():
        raise CannotWithdraw(f"Synthetic holes are drawn from {name}: undo the draw first.")
    shown = Judgment.objects.filter(pair__passage_text__source=imported)
    if imported.kind == ImportedFile.Kind.PASSAGES and shown.exists():
        raise CannotWithdraw(f"Passages of {name} were judged; their texts must stay.")


def _check_not_repeated(imported: ImportedFile) -> None:
    """What a later file has too was not stored again and would go with this one."""
    if imported.state != ImportedFile.State.PUBLISHED:
        return  # nothing was imported over it: `queries.check_overlap`
    later = ImportedFile.objects.filter(
        collection=imported.collection_id,
        kind=imported.kind,
        state=ImportedFile.State.PUBLISHED,
        finished_at__gt=imported.finished_at,
        unchanged__gt=0,
    ).order_by("-finished_at")
    rater = imported.options.get("rater")
    if other := next((file for file in later if file.options.get("rater") == rater), None):
        raise CannotWithdraw(
            f"{other.name} was imported after {imported.name} and repeats {other.unchanged:,} of what was there: "
            f"withdraw {other.name} first."
        )


def _check_not_retrieved(imported: ImportedFile) -> None:
    """What the built-in systems ranked is not ranked again: other texts under the same ids would have its ranks."""
    searched = KINDS[imported.kind].searched
    if imported.state != ImportedFile.State.PUBLISHED or not searched:
        return
    ranked = Run.objects.filter(
        collection=imported.collection_id,
        source__options__is_retrieved=True,
        source__state=ImportedFile.State.PUBLISHED,
        source__finished_at__gt=imported.finished_at,
        ranks_variants__in=searched,
    )
    if run := ranked.order_by("pk").first():
        raise CannotWithdraw(
            f"The built-in systems retrieved with what {imported.name} brought: withdraw their {ranked.count()} runs, "
            f"such as {run.source.name}, first."
        )
