"""What can be asked of the background: a question is a kind and plain arguments, and has a digest."""

import hashlib
import json
from dataclasses import dataclass

from annotate.models import Collection
from annotate.rules import completion
from evaluation.queries import facts

# Raised when a computation changes, so that what an earlier version found counts as never asked.
METHOD = 1


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

    def facts(self, collection: Collection) -> str:
        """The digest of the facts of this moment."""
        return hashlib.sha256(repr(facts.stamp(collection, self.models)).encode()).hexdigest()


def comparison(rule_a: completion.Rule, rule_b: completion.Rule, measure: str) -> Question:
    """What another rule does to the differences between systems (`system_changes`)."""
    arguments = {"a": str(rule_a), "b": str(rule_b), "consensus": rule_a.consensus_rule, "measure": measure}
    models = tuple(sorted({*rule_a.models, *rule_b.models}))
    return Question("comparison", tuple(arguments.items()), f"differences between systems under {rule_b}", models)


def agreement(first: str, second: str, models: tuple[str, ...]) -> Question:
    """Intervals and biases of the agreement of two raters by their addresses (`agreement_details`)."""
    subject = f"intervals of the agreement of {first} and {second}"
    return Question("agreement", (("first", first), ("second", second)), subject, models)
