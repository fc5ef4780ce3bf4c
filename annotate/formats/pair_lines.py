"""On which line of a file each topic-passage pair stands, so that none stands twice."""

from annotate.formats import quoting
from annotate.formats.faults import Refused


class PairLines:
    """Grows with the number of pairs."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], dict[str, int]] = {}

    def enter(self, line: int, query: str, passage: str, *, of: str = "") -> None:
        """Note the pair, named by its ids or its texts. Raises Refused where it has a line already (of a model's
        name, where the file has several)."""
        first = self._first.setdefault((of, query), {}).setdefault(passage, line)
        if first != line:
            model = f" of {of}" if of else ""
            raise Refused(
                f"passage {quoting.short(passage)} of topic {quoting.short(query)} is on line {first} already{model}"
            )
