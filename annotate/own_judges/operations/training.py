"""Writing down what a judge learns from or is shown, before it is: people go on judging meanwhile."""

import hashlib
import json
import os
import tempfile

from annotate.grades.ratings import PairId
from annotate.own_judges.queries import Material
from annotate.work import kept_files


def keep_material(material: Material) -> str:
    """Write it under its own digest, and tell that."""
    return _keep_text(material.text)


def keep_grades(known: dict[PairId, int]) -> str:
    """The same for grades alone, which a model is shown."""
    return _keep_text(json.dumps(sorted([*pair, grade] for pair, grade in known.items()), ensure_ascii=False))


def _keep_text(text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    path = kept_files.folder("training") / f"{digest}.json"
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as stream:
            stream.write(text)
        os.replace(stream.name, path)
    return digest
