"""What a collection has for studies, what computes them, and their values as JSON keeps them."""

import importlib.metadata
import json
import platform
from typing import Any

from django.conf import settings

from annotate.models import Collection, Judgment, PairDraw, QueryVariant, Rater, Run
from evaluation.studies.design import Contents


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
