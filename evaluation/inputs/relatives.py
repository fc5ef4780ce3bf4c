"""Judges and the systems of their own model family: whose grades may favour whose passages."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotate.grades import rankings
from annotate.models import Collection, Rater
from evaluation.engine import circularity


@dataclass(frozen=True)
class Relatives:
    """`known` is what the families of `systems` were found in; see `judge_words`."""

    model: str
    known: str
    systems: tuple[str, ...]


def of(collection: Collection, models: Iterable[str]) -> list[Relatives]:
    """The model raters of these names that have relatives among the systems, by their names."""
    named = sorted(set(models))
    families = rankings.families(collection) if named else {}
    known = {name: judge_words(collection, name) for name in named} if any(families.values()) else {}
    found = [Relatives(name, words, circularity.own_systems(families, words)) for name, words in known.items()]
    return [each for each in found if each.systems]


def judge_words(collection: Collection, name: str) -> str:
    """What is known of a model rater: its name and its model's, and those of the models that taught a calibrated judge.
    Commas stand between them; empty without such a rater."""
    rater = Rater.objects.filter(collection=collection, name=name, kind=Rater.Kind.MODEL).first()
    if rater is None:
        return ""
    teachers = [each["name"] for each in rater.parameters.get("models", [])]
    raters = [rater, *Rater.objects.filter(collection=collection, name__in=teachers).order_by("name")]
    return ", ".join(dict.fromkeys(text for each in raters for text in _named(each) if text))


def _named(rater: Rater) -> tuple[str, str]:
    return rater.name.replace(",", " "), str(rater.parameters.get("model", "")).replace(",", " ")
