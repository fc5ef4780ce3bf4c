"""What can be asked of the background: a question has plain arguments, a digest, and an answer that is computed."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar
from urllib.parse import urlencode

from annotate.models import Collection
from evaluation.inputs import facts
from evaluation.inputs.facts import Fingerprint

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


def digest(collection: Collection, models: Sequence[str], more: Fingerprint = ()) -> str:
    """The digest of the facts of this moment, with the answers of these models; `more` are other facts."""
    return hashlib.sha256(repr((*facts.fingerprint(collection, models), *more)).encode()).hexdigest()
