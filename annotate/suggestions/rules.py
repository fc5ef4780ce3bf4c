"""Worked examples for a prompt: judged pairs, a number of each grade, seeded."""

from collections import defaultdict
from collections.abc import Mapping

from annotate.rules import seeds

Pair = tuple[str, str]
ANY = "ANY"
TOPIC = "TOPIC"


class Examples:
    """Judged pairs to choose from. `source` ANY takes them from all topics, TOPIC from that of the pair at hand, which
    leaks what its assessor thinks: say so where such grades are used.

    Holes cannot be among the examples: whoever makes this leaves them out of `grades`.
    """

    def __init__(self, grades: Mapping[Pair, int], *, per_grade: int, source: str, seed: int) -> None:
        self._per_grade = per_grade
        self._source = source
        self._by_grade: dict[tuple[str, int], list[Pair]] = defaultdict(list)
        for pair, grade in sorted(grades.items(), key=lambda judged: seeds.number(seed, "example", *judged[0])):
            self._by_grade[self._shelf(pair), grade].append(pair)

    def of(self, pair: Pair, scale: range) -> list[tuple[Pair, int]]:
        """The examples for a pair with their grades, from the highest grade down; never the pair itself.

        Fewer where there are fewer. For most pairs they are the same, so that a service can cache them.
        """
        chosen = []
        for grade in reversed(scale):
            others = [
                other for other in self._by_grade[self._shelf(pair), grade][: self._per_grade + 1] if other != pair
            ]
            chosen += [(other, grade) for other in others[: self._per_grade]]
        return chosen

    def _shelf(self, pair: Pair) -> str:
        return pair[0] if self._source == TOPIC else ""
