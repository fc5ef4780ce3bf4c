"""Taking background work up again that was stopped or that failed."""

from functools import partial

from django.db import transaction

from annotate.models import ImportedFile, Work
from annotate.work import queue


class CannotResume(Exception):
    """Why the work is not taken up again."""


@transaction.atomic
def resume(*, work: Work) -> None:
    """Queue the work again; it goes on at its last step. Raises CannotResume."""
    locked = Work.objects.select_for_update().get(pk=work.pk)
    if locked.state not in (Work.State.STOPPED, Work.State.FAILED):
        raise CannotResume(f"The {locked.subject} is {locked.get_state_display()}: there is nothing to take up again.")
    _check_file(locked)
    Work.objects.filter(pk=locked.pk).update(
        state=Work.State.QUEUED, is_stop_wanted=False, not_before=None, attempts=0, error="", finished_at=None
    )
    transaction.on_commit(partial(queue.ring, locked.lane))


def _check_file(work: Work) -> None:
    imported = ImportedFile.objects.filter(pk=work.arguments.get("imported_file")).first()
    if imported and imported.state == ImportedFile.State.REFUSED:
        raise CannotResume(f"{imported.name} was refused: mend the file and import it again.")
    if imported and imported.work_id != work.pk:
        raise CannotResume(f"{imported.name} was withdrawn since.")
