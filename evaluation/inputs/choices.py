"""The choices that pages offer: measures, gains, treatments of unjudged passages, rules of completed qrels in words."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar
from urllib.parse import urlencode

from annotate.models import Collection, HoleDraw, Rater
from annotate.models.raters import CALIBRATED
from annotate.rules import completion
from annotate.rules.completion import ADJUDICATED, MODEL, ORIGINAL, PEOPLE, REFERENCE
from evaluation.inputs import facts
from evaluation.inputs.facts import Fingerprint
from evaluation.measures import gains, registry
from evaluation.measures.definition import CannotMeasure, Cutoff
from evaluation.measures.registry import UNJUDGED_PARAMETER, Measure

Choices = list[tuple[str, str]]

MEASURES: Choices = [
    ("nDCG@10", "nDCG@10"),
    ("nDCG@20", "nDCG@20"),
    ("nDCG(rel=2)@10", "nDCG@10, relevant from grade 2"),
    ("P(rel=2)@10", "P@10, relevant from grade 2"),
    ("AP(rel=2)", "AP, relevant from grade 2"),
    ("RR(rel=2)@10", "RR@10, relevant from grade 2"),
    ("RBP(p=0.8)", "RBP, p = 0.8"),
    ("ERR@10", "ERR@10"),
    ("bpref(rel=2)", "bpref, relevant from grade 2"),
    ("Judged@10", "Judged@10"),
]
GAINS: Choices = [("linear", "the grade"), ("exp", "2^grade − 1"), ("0=0,1=1,2=3,3=7", "each grade its own")]
CONDENSED, RANGE = "condensed", "range"
UNJUDGED: Choices = [
    ("", "not relevant"),
    (RANGE, "not relevant, with what they leave open"),
    (CONDENSED, "taken out of the ranking"),
]


CHANCES = "chances"
MODEL_GRADES: Choices = [("", "as they are"), (CHANCES, "by their probabilities: expected gains")]


class NotTaken(ValueError):
    """The measure has nothing to choose there; the sentence says so."""


def with_gain(measure: Measure, gain: str, highest: int) -> Measure:
    """The measure with this gain (linear, exp, a list or a map from grade to gain); as it is for an empty one.

    Raises NotTaken, also for gains that are none or end below the `highest` grade.
    """
    if not gain:
        return measure
    if "gain" not in measure.definition.parameters:
        raise NotTaken(f"{measure} has no gain to choose: leave it empty.")
    try:
        chosen = _with(measure, "gain", gains.check_gain(gains.gain_of_map(gain)))
        chosen.check(highest)
    except CannotMeasure as reason:
        raise NotTaken(f"This gain cannot be used: {reason}.") from None
    except ValueError as reason:
        raise NotTaken(f"This gain cannot be used: {gain} {reason}.") from None
    return chosen


def with_cutoff(measure: Measure, cutoff: int | None) -> Measure:
    """The measure cut off at this rank; as it is for None. Raises NotTaken."""
    if cutoff is None:
        return measure
    if measure.definition.cutoff is Cutoff.NONE:
        raise NotTaken(f"{measure} takes no cut-off: leave it empty.")
    return Measure(measure.definition, measure.parameters, cutoff)


def with_unjudged(measure: Measure, unjudged: str) -> Measure:
    """The measure with this treatment of unjudged passages. Raises NotTaken."""
    if unjudged != CONDENSED:
        return measure
    if not measure.definition.is_treating_holes:
        raise NotTaken(f"{measure} says itself what it does with unjudged passages.")
    return _with(measure, UNJUDGED_PARAMETER, CONDENSED)


def _with(measure: Measure, name: str, value: str) -> Measure:
    """Read anew, so that the parameters stand in their order."""
    return registry.parse(str(Measure(measure.definition, {**measure.parameters, name: value}, measure.cutoff)))


WITHOUT_MODELS = str(completion.Rule())


def with_typed(choices: Choices, typed: str) -> Choices:
    """The choices, and what stands in the address if it is none of them."""
    return choices if not typed or typed in dict(choices) else [*choices, (typed, typed)]


def list_models(collection: Collection) -> list[str]:
    """The names of the model raters, the newest last."""
    rows = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
    return list(rows.values_list("name", flat=True))


def usual_other_rule(collection: Collection, filler: Rater | None) -> str:
    """What stands beside the usual rule when nobody asked: what a draw of holes took away, or the same without the
    model that fills holes, or nothing."""
    if HoleDraw.objects.filter(collection=collection, undone_at=None).exists():
        return ORIGINAL
    return WITHOUT_MODELS if filler else ""


def usual_model_grades(filler: Rater | None) -> str:
    """How grades of models count under the usual rule when nobody asked: those of the calibrated judge by the
    probabilities that it means for scoring, since its grades rank systems worse where much is missing."""
    return CHANCES if filler and filler.judge == CALIBRATED else ""


def list_rules(collection: Collection) -> Choices:
    """Texts of rules and their words, those with models last."""
    plain = [WITHOUT_MODELS, REFERENCE, ADJUDICATED, PEOPLE, ORIGINAL]
    filled = [[f"{WITHOUT_MODELS},{MODEL}{name}", f"{MODEL}{name}"] for name in list_models(collection)]
    return [(text, describe_rule(completion.parse_rule(text))) for text in [*plain, *sum(filled, [])]]


def describe_rule(rule: completion.Rule) -> str:
    """The sources of a rule, strongest first, for people.

    >>> describe_rule(completion.parse_rule("reference,people,model:gpt"))
    'reference, then people, then gpt'
    """
    named = {ORIGINAL: "original reference"}
    words = [named.get(source, source.removeprefix(MODEL)) for source in rule.sources]
    return ", then ".join(words) if len(words) > 1 else f"{words[0]} alone"


# Raised when a computation changes, so that what an earlier version found counts as never asked.
METHOD = 3

Answer = TypeVar("Answer", covariant=True)


@dataclass(frozen=True)
class Question(Generic[Answer]):
    """`models` are the model raters whose grades the answer rests on. A kind of question is a class: it says by which
    name it is stored (`kind`), which page shows the answer (the name of its address), and how that is computed."""

    kind: ClassVar[str]
    page: ClassVar[str]

    arguments: tuple[tuple[str, str], ...]
    subject: str
    models: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps([METHOD, self.kind, self.arguments]).encode()).hexdigest()

    @property
    def address(self) -> str:
        """What stands behind the question mark in the address of its page."""
        return urlencode(dict(self.arguments))

    def facts(self, collection: Collection) -> str:
        """The digest of the facts of this moment."""
        return digest(collection, self.models, self.more_facts(collection))

    def more_facts(self, collection: Collection) -> Fingerprint:
        """Facts on which it rests beside those of all questions."""
        return ()

    def compute(self, collection: Collection) -> Answer:
        """The answer, for JSON; takes a while."""
        raise NotImplementedError


class RatersQuestion(Question[Answer]):
    """About raters that are named in a list."""

    @property
    def names(self) -> list[str]:
        names: list[str] = json.loads(dict(self.arguments)["raters"])
        return names

    @property
    def address(self) -> str:
        return urlencode({"raters": self.names}, doseq=True)


def digest(collection: Collection, models: Sequence[str], more: Fingerprint = ()) -> str:
    """The digest of the facts of this moment, with the answers of these models; `more` are other facts."""
    return hashlib.sha256(repr((*facts.fingerprint(collection, models), *more)).encode()).hexdigest()
