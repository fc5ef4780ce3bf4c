"""Files that say which runs belong together: `run_tag group` on each line, between white space."""

from pathlib import Path

from annotate.formats import columns, lines
from annotate.formats.faults import Faults, Refused

_COLUMNS = ("run_tag", "group")


def read(path: Path | str) -> dict[str, str]:
    """The group of each run tag, plain or gzip. Raises FileRefused, also for a tag that comes again."""
    faults = Faults(str(path))
    found: dict[str, str] = {}
    for line in lines.read(path, faults):
        try:
            tag, group = columns.split(line.text, _COLUMNS)
        except Refused as refused:
            faults.add(line.number, str(refused))
            continue
        if tag in found:
            faults.add(line.number, f"run {tag!r} has a group already")
        found[tag] = group
    if not found and not faults:
        raise faults.refuse(None, "the file has no lines")
    faults.raise_if_any()
    return found
