"""The kinds of studies in words, each with the reason why a collection is not ready for it."""

from dataclasses import dataclass

from annotate.models import Collection
from evaluation.studies.design import needs
from evaluation.studies.queries import facts as facts_queries

_WORDS = {
    needs.HOLES: (
        "Hole filling",
        "Takes grades away again and again, fills the holes with models, judges and trivial guesses, and tells what "
        "becomes of the ranking of systems and how far the labels agree on the holes themselves.",
    ),
    needs.PROFILES: (
        "Query variants of user profiles",
        "Scores each system under the query variants of each profile: which users a system serves well, how many of "
        "the passages they see were never judged, and whether profiles rank systems alike.",
    ),
    needs.SOURCES: (
        "Sources side by side",
        "The same systems under people’s labels alone, with a model in the holes, under the model alone and completed "
        "by the calibrated judge: what moves, which assessor moves it, and whether a model favours its own family.",
    ),
    needs.MIXED: (
        "People’s and a model’s labels with intervals",
        "From a random sample that people judged and a model’s labels of everything: estimates for systems and their "
        "differences whose intervals hold, and how many more judgments would halve them.",
    ),
}


@dataclass(frozen=True)
class Offered:
    """`lacking` is the sentence that says what is missing; empty where the study may be started."""

    kind: str
    name: str
    words: str
    lacking: str

    @property
    def slug(self) -> str:
        """As it stands in addresses and commands."""
        return self.kind.lower()


def of(collection: Collection) -> list[Offered]:
    facts = facts_queries.of(collection)
    return [Offered(kind, *_WORDS[kind], _lacking(kind, facts)) for kind in needs.KINDS]


def named(collection: Collection, slug: str) -> Offered | None:
    return next((offered for offered in of(collection) if offered.slug == slug), None)


def _lacking(kind: str, facts: needs.Facts) -> str:
    try:
        needs.check(kind, facts)
    except needs.Lacking as reason:
        return str(reason)
    return ""
