"""Kinds of people who search and ways to change a query, for which models write query variants.

Ours are data files in `profiles/`, one a group. A profile is known by its digest; once used it is never edited.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("profiles")
_FILES = ("control", "personas", "groups", "textual")


@dataclass(frozen=True)
class ProfileText:
    """`background` says who they are, `factors` what shapes their queries."""

    name: str
    group: str
    background: str
    factors: str

    @property
    def digest(self) -> str:
        """Of all four texts; two profiles with one digest ask the same."""
        return hashlib.sha256(json.dumps([self.name, self.group, self.background, self.factors]).encode()).hexdigest()


@cache
def built_in() -> dict[str, ProfileText]:
    """Lacuna's own by name: the neutral control, 6 personas, 8 user groups, 4 textual changes, in this order.

    >>> len(built_in()), next(iter(built_in()))
    (19, 'neutral')
    """
    rows = [row for name in _FILES for row in json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))]
    return {row["name"]: ProfileText(**row) for row in rows}
