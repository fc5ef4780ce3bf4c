"""The files of what a judge learns from or is shown, written before it is: people go on judging meanwhile.

They are named by their digests. One that is damaged or lost is made again where nothing has changed since.
"""

import hashlib
import json
from collections.abc import Container

from annotate.formats.whole_files import Damaged
from annotate.grades.ratings import PairId
from annotate.models import Collection, Rater
from annotate.own_judges import queries
from annotate.own_judges.queries import Material
from annotate.work import kept_files

FOLDER = "training"


class NotKept(ValueError):
    """What was written down is not there, or has grades alone."""


def keep_material(material: Material) -> str:
    """Write it under its own digest, which is returned."""
    return kept_files.keep_json(FOLDER, material.text)


def read_material(collection: Collection, digest: str) -> Material:
    """What was written down under this digest. Raises NotKept where it is lost and something has changed since."""
    try:
        return _read_material(digest)
    except NotKept:
        material = _gather_again(collection, digest)
        if _digest(material.text) != digest:
            raise
        keep_material(material)
        return material


def keep_grades(known: dict[PairId, int]) -> str:
    """Write grades alone, which a model is shown as examples, under their digest, which is returned."""
    return kept_files.keep_json(FOLDER, _grades_text(known))


def read_grades(collection: Collection, digest: str) -> dict[PairId, int]:
    """The grades of this digest. Raises Damaged and FileNotFoundError where they are lost and others are there now."""
    try:
        text = kept_files.read_json(FOLDER, digest)
    except (Damaged, FileNotFoundError):
        text = _grades_text(queries.list_training_grades(collection))
        if _digest(text) != digest:
            raise
        kept_files.keep_json(FOLDER, text)
    return _read_grades(text)


def _read_grades(text: str) -> dict[PairId, int]:
    return {(query_id, passage_id): grade for query_id, passage_id, grade in json.loads(text)}


def list_taught_by(collection: Collection, pairs: Container[PairId]) -> list[Rater]:
    """The models that learned from the grade of one of these pairs, or were shown it as an example; one of which that
    is lost may have."""
    return [model for model in Rater.objects.filter(collection=collection) if _is_taught_by(model, pairs)]


def _is_taught_by(model: Rater, pairs: Container[PairId]) -> bool:
    try:
        if digest := model.parameters.get("learned_from"):
            known = _read_material(digest).grades
        elif digest := model.parameters.get("examples_digest"):
            known = _read_grades(kept_files.read_json(FOLDER, digest))
        else:
            return False
    except (NotKept, Damaged, FileNotFoundError):
        return True
    return any(pair in pairs for pair in known)


def _read_material(digest: str) -> Material:
    try:
        kept = json.loads(kept_files.read_json(FOLDER, digest))
    except Damaged as reason:
        raise NotKept(f"{reason} Or start a new version: what it would learn from has changed since.") from None
    except FileNotFoundError:
        raise NotKept(
            "What it learns from is gone from the data folder: put it back, or start a new version."
        ) from None
    if isinstance(kept, list):
        raise NotKept("It was asked for before Lacuna was upgraded; start a new version.")
    return Material.from_json(kept)


def _gather_again(collection: Collection, digest: str) -> Material:
    """What the version that learned from this digest would learn from today."""
    version = Rater.objects.filter(collection=collection, parameters__learned_from=digest).first()
    recipe = version.parameters if version else {}
    models = queries.find_models(collection, [model["name"] for model in recipe.get("models", [])])
    return queries.gather_material(collection, models, recipe.get("may_carry_over"))


def _grades_text(known: dict[PairId, int]) -> str:
    return json.dumps(sorted([*pair, grade] for pair, grade in known.items()), ensure_ascii=False)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
