"""The rules of completed qrels that a collection offers, in words."""

from annotate.models import Collection, HoleDraw, Rater
from annotate.rules import completion
from annotate.rules.completion import ADJUDICATED, MODEL, ORIGINAL, PEOPLE, REFERENCE
from annotate.rules.own_judges import CALIBRATED
from evaluation.inputs import measure_choices

Choices = list[tuple[str, str]]

WITHOUT_MODELS = str(completion.Rule())


def models(collection: Collection) -> list[str]:
    """The names of the model raters, the newest last."""
    rows = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
    return list(rows.values_list("name", flat=True))


def usual_other(collection: Collection, filler: Rater | None) -> str:
    """What stands beside the usual rule when nobody asked: what a draw of holes took away, or the same without the
    model that fills holes, or nothing."""
    if HoleDraw.objects.filter(collection=collection, undone_at=None).exists():
        return ORIGINAL
    return WITHOUT_MODELS if filler else ""


def usual_models(filler: Rater | None) -> str:
    """How grades of models count under the usual rule when nobody asked: those of the calibrated judge by the
    probabilities that it means for scoring, since its grades rank systems worse where much is missing."""
    return measure_choices.CHANCES if filler and filler.judge == CALIBRATED else ""


def offered(collection: Collection) -> Choices:
    """Texts of rules and their words, those with models last."""
    plain = [WITHOUT_MODELS, REFERENCE, ADJUDICATED, PEOPLE, ORIGINAL]
    filled = [[f"{WITHOUT_MODELS},{MODEL}{name}", f"{MODEL}{name}"] for name in models(collection)]
    return [(text, words(completion.parse(text))) for text in [*plain, *sum(filled, [])]]


def words(rule: completion.Rule) -> str:
    """The sources of a rule, strongest first, for people.

    >>> words(completion.parse("reference,people,model:gpt"))
    'reference, then people, then gpt'
    """
    named = {ORIGINAL: "original reference"}
    told = [named.get(source, source.removeprefix(MODEL)) for source in rule.sources]
    return ", then ".join(told) if len(told) > 1 else f"{told[0]} alone"
