"""Models that graded against the query, the backstory or both, with all else equal."""

import json
from dataclasses import dataclass
from urllib.parse import urlencode

from annotate.llm.judging import Against
from annotate.models import Collection, Rater


@dataclass(frozen=True)
class NeedComparison:
    """Raters that differ only in what they graded against."""

    model: str
    prompt: str
    raters: dict[Against, Rater]

    @property
    def address(self) -> str:
        """Of the page that compares several raters."""
        return urlencode({"raters": [rater.name for rater in self.raters.values()]}, doseq=True)


def of(collection: Collection) -> list[NeedComparison]:
    """Those with two raters at least, the newest first."""
    groups: dict[str, list[Rater]] = {}
    for rater in Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk"):
        if "against" in rater.parameters:
            rest = {name: said for name, said in rater.parameters.items() if name != "against"}
            groups.setdefault(json.dumps(rest, sort_keys=True), []).append(rater)
    found = [
        NeedComparison(
            rows[0].parameters["model"],
            rows[0].parameters["prompt_name"],
            {against: row for against in Against for row in rows if row.parameters["against"] == against},
        )
        for rows in groups.values()
        if len(rows) > 1
    ]
    return found[::-1]
