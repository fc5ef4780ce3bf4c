"""A figure before it is drawn: which chart, and its data."""

import hashlib
import json
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figure:
    """`chart` names how it is drawn (`CHARTS` of this package's `__main__`); `rows` are its data, one mapping a mark.

    `title` and `description` are the text alternative and are written into SVG and PNG. `words` are what axes and
    legends say.
    """

    chart: str
    title: str
    description: str
    rows: list[dict[str, object]]
    words: dict[str, str] = field(default_factory=dict)

    def values(self, name: str) -> list[str]:
        """The different values of the rows, in their order."""
        return list(dict.fromkeys(str(row[name]) for row in self.rows))

    def to_json(self) -> bytes:
        return json.dumps(self.__dict__, ensure_ascii=False, sort_keys=True).encode()

    @property
    def digest(self) -> str:
        """Of all that decides how it looks, but for the code that draws it."""
        return hashlib.sha256(self.to_json()).hexdigest()
