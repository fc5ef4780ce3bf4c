"""What can be asked of the background: a question is a kind and plain arguments, and has a digest."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from annotate.models import Collection
from annotate.rules import completion
from evaluation.inputs import facts
from evaluation.inputs.choices import CHANCES

# Raised when a computation changes, so that what an earlier version found counts as never asked.
METHOD = 3
ABOUT_VARIANTS = {"seed-bias"}


@dataclass(frozen=True)
class Question:
    """`models` are the model raters whose grades the answer rests on."""

    kind: str
    arguments: tuple[tuple[str, str], ...]
    subject: str
    models: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps([METHOD, self.kind, self.arguments]).encode()).hexdigest()

    @property
    def page(self) -> tuple[str, str]:
        """The page that shows the answer: the name of its address, and what stands behind the question mark."""
        said = dict(self.arguments)
        match self.kind:
            case "comparison":
                asked = {"rule": said.pop("a"), "other": said.pop("b"), **said}
                return "leaderboard", urlencode(asked)
            case "several":
                return "agreement_several", urlencode({"raters": json.loads(said["raters"])}, doseq=True)
            case "assessors":
                return "assessor_statistics", ""
            case "seed-bias":
                return "seed_bias", urlencode({"raters": json.loads(said["raters"])}, doseq=True)
            case "stability":
                return "ranking_stability", urlencode(said)
        return "agreement", urlencode(said)

    def facts(self, collection: Collection) -> str:
        """The digest of the facts of this moment."""
        of_variants = facts.fingerprint_variants(collection) if self.kind in ABOUT_VARIANTS else ()
        return digest(collection, self.models, of_variants)


def digest(collection: Collection, models: Sequence[str], more: facts.Fingerprint = ()) -> str:
    """The digest of the facts of this moment, with the answers of these models; `more` are other facts."""
    return hashlib.sha256(repr((*facts.fingerprint(collection, models), *more)).encode()).hexdigest()


def comparison(
    rule_a: completion.Rule, rule_b: completion.Rule, measure: str, *, with_chances: bool = False
) -> Question:
    """What another rule does to the differences between systems (`system_changes`)."""
    arguments = {"a": str(rule_a), "b": str(rule_b), "consensus": rule_a.consensus_rule, "measure": measure}
    arguments["models"] = CHANCES if with_chances else ""
    models = tuple(sorted({*rule_a.models, *rule_b.models}))
    return Question("comparison", tuple(arguments.items()), f"differences between systems under {rule_b}", models)


def several(names: Sequence[str], models: tuple[str, ...]) -> Question:
    """Intervals of the agreement of several raters by their addresses (`several`)."""
    subject = f"intervals of the agreement of {len(names)} raters"
    return Question("several", (("raters", json.dumps(list(names))),), subject, models)


def seed_bias(names: Sequence[str]) -> Question:
    """How the grades of these models favour what the topics' own queries find (`seed_bias`)."""
    subject = f"bias of {len(names)} label sets towards the topics' own queries"
    return Question("seed-bias", (("raters", json.dumps(list(names))),), subject, tuple(names))


def agreement(first: str, second: str, models: tuple[str, ...]) -> Question:
    """Intervals and biases of the agreement of two raters by their addresses (`agreement_details`)."""
    subject = f"intervals of the agreement of {first} and {second}"
    return Question("agreement", (("first", first), ("second", second)), subject, models)
