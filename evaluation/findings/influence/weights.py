"""By which values holes are ordered: their influence as such, or weighted by what a model expects of them."""

from annotate.grades import ratings
from annotate.models import Collection, Rater
from evaluation.engine import influence
from evaluation.engine.influence import Influence


class NoSuchModel(ValueError):
    """The collection has no model of that name."""


def values(found: Influence, model: Rater | None) -> dict[ratings.Pair, float]:
    """With a model the expected figures of the holes that it says something of; a grade without probabilities counts
    as certain."""
    if model is None:
        return dict(zip(found.holes, found.of_grade.tolist(), strict=True))
    scale = model.collection.scale
    below = [0.0] * scale.low
    chances = {pair: [*below, *given] for pair, given in ratings.model_chances(model).items()}
    for pair, grade in ratings.model_grades(model).items():
        chances.setdefault(pair, [float(grade == each) for each in range(scale.high + 1)])
    return influence.weighted(found, chances)


def model(collection: Collection, name: str) -> Rater | None:
    """The model rater of a name, None for no name. Raises NoSuchModel."""
    if not name:
        return None
    rater = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL, name=name).first()
    if rater is None:
        raise NoSuchModel(f"The collection has no model rater named {name!r}.")
    return rater
