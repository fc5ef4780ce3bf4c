"""Writing down what a judge learns from or is shown, before it is: people go on judging meanwhile."""

import json

from annotate.grades.ratings import PairId
from annotate.own_judges.queries import Material
from annotate.work import kept_files


def keep_material(material: Material) -> str:
    """Write it under its own digest, and tell that."""
    return kept_files.keep_json("training", material.text)


def keep_grades(known: dict[PairId, int]) -> str:
    """The same for grades alone, which a model is shown."""
    text = json.dumps(sorted([*pair, grade] for pair, grade in known.items()), ensure_ascii=False)
    return kept_files.keep_json("training", text)
