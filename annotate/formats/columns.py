"""Lines of columns between white space, as in qrels and runs."""

import re

from annotate.formats.faults import Refused

_COLUMN = re.compile(r"[^ \t\r\v\f]+")


def split(line: str, names: tuple[str, ...]) -> list[str]:
    """The columns of a line, one for each name, between ASCII white space; raises Refused for more or fewer.

    Other white space of Unicode does not separate columns: it stays in an id, which is refused for it.
    """
    columns = _COLUMN.findall(line)
    if len(columns) != len(names):
        raise Refused(f"expected {len(names)} columns ({' '.join(names)}), found {len(columns)}")
    return columns
