"""What studies a collection can start, what computes them, and their values as JSON keeps them."""

import importlib.metadata
import json
import platform
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from annotate.models import Collection, Judgment, PairDraw, QueryVariant, Rater, Run
from evaluation.studies.design import prerequisites
from evaluation.studies.design.prerequisites import Contents


def ordered_json(value: Any) -> Any:
    """The value as it is read from JSON, the keys in order of the alphabet. Raises ValueError for NaN or infinity.

    >>> ordered_json({"b": (1, 2), "a": None})
    {'a': None, 'b': [1, 2]}
    """
    return json.loads(json.dumps(value, sort_keys=True, allow_nan=False))


def json_text(value: Any) -> str:
    """The same value gives the same bytes."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"


LIBRARIES = ("numpy", "scipy", "scikit-learn", "altair", "vl-convert-python")


def library_versions() -> dict[str, str]:
    """Of Lacuna, of Python and of the libraries that compute and draw."""
    libraries = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {"Lacuna": settings.VERSION, "Python": platform.python_version(), **libraries}


def collection_contents(collection: Collection) -> Contents:
    runs = Run.objects.filter(collection=collection, source__state="PUBLISHED")
    raters = Rater.objects.filter(collection=collection)
    return Contents(
        runs=runs.filter(ranks_variants=False).count(),
        variant_runs=runs.filter(ranks_variants=True).count(),
        variants=QueryVariant.objects.published().filter(collection=collection).count(),
        references=raters.filter(kind=Rater.Kind.REFERENCE).count(),
        models=raters.filter(kind=Rater.Kind.MODEL).count(),
        has_judged=Judgment.objects.filter(assessor__collection=collection, is_current=True).exists(),
        samples=PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.SAMPLE).count(),
    )


_WORDS = {
    prerequisites.HOLES: (
        "Hole filling",
        "Takes grades away again and again, fills the holes with models, judges and trivial guesses, and tells what "
        "becomes of the ranking of systems and how far the labels agree on the holes themselves.",
    ),
    prerequisites.PROFILES: (
        "Query variants of user profiles",
        "Scores each system under the query variants of each profile: which users a system serves well, how many of "
        "the passages they see were never judged, and whether profiles rank systems alike.",
    ),
    prerequisites.SOURCES: (
        "Sources side by side",
        "The same systems under people’s labels alone, with a model in the holes, under the model alone and completed "
        "by the calibrated judge: what moves, which assessor moves it, and whether a model favours its own family.",
    ),
    prerequisites.MIXED: (
        "People’s and a model’s labels with intervals",
        "From a random sample that people judged and a model’s labels of everything: estimates for systems and their "
        "differences whose intervals hold, and how many more judgments would halve them.",
    ),
}


@dataclass(frozen=True)
class OfferedKind:
    """`lacking` is the sentence that says what is missing; empty where the study may be started."""

    kind: str
    name: str
    words: str
    lacking: str

    @property
    def slug(self) -> str:
        """As it stands in addresses and commands."""
        return self.kind.lower()


def list_offered_kinds(collection: Collection) -> list[OfferedKind]:
    facts = collection_contents(collection)
    return [OfferedKind(kind, *_WORDS[kind], _lacking(kind, facts)) for kind in prerequisites.KINDS]


def offered_kind(collection: Collection, slug: str) -> OfferedKind | None:
    return next((offered for offered in list_offered_kinds(collection) if offered.slug == slug), None)


def _lacking(kind: str, facts: prerequisites.Contents) -> str:
    try:
        prerequisites.check_prerequisites(kind, facts)
    except prerequisites.PrerequisiteMissing as reason:
        return str(reason)
    return ""
