"""Files that were stopped, or failed, on their way in or out: what they brought is there, but nobody sees it."""

from collections.abc import Iterable

from annotate.formats.faults import Fault, FileRefused
from annotate.models import ImportedFile


def check(imported: ImportedFile, source_ids: Iterable[int | None]) -> None:
    """Raise FileRefused where what the file has came with another file that is half-way.

    It would count as there already, and be gone, or come, with that file.
    """
    others = ImportedFile.objects.filter(pk__in=source_ids).exclude(pk=imported.pk)
    if other := others.exclude(state=ImportedFile.State.PUBLISHED).first():
        reason = f"{other.name} has some of it and is {other.get_state_display()}: take that up again or withdraw it"
        raise FileRefused([Fault(imported.name, None, reason)])
