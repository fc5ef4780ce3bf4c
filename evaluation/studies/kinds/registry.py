"""The kinds of studies. Each is a package here, found by itself, with files of the same names:

    plan      what is wanted: a pydantic model                       pure
    inputs    what the study is made from, as plain values           pure
    parts     the parts in which it is computed                      pure
    findings  what is found, as JSON                                 pure
    report    what it has to show: words, and with `figures` and `tables` plain data    pure
    form      the page on which somebody asks for it
    freeze    inputs of a collection written down, and read again
    kind      `KIND`, which names all of these

A new kind is a package and a choice of `Study.Kind`. A command that computes from files alone is one more file.

What is frozen and found is kept as JSON, whose objects come back with their keys in order of the alphabet: what has an
order of its own is a list.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from annotate.models import Collection
from evaluation.models import Study
from evaluation.studies import kinds, queries
from evaluation.studies.design import Contents, Json, Parts, PlanRefused, Report, StudyPlan
from evaluation.studies.kinds.base_form import StudyForm

P = TypeVar("P", bound=StudyPlan)
I = TypeVar("I")  # noqa: E741
P_contra = TypeVar("P_contra", contravariant=True)
I_co = TypeVar("I_co", covariant=True)


class CannotStudy(ValueError):
    """Why a study cannot be made of what the collection has; the message is what people read."""


class BadPlan(CannotStudy):
    """What cannot be read as a plan of its kind, whatever the collection has."""


class Freezing(Protocol[P_contra, I_co]):
    """What the module `freeze` of a kind can do."""

    def freeze(self, *, collection: Collection, plan: P_contra) -> Json:
        """Every input with its name and digest. Raises CannotStudy."""

    def thaw(self, manifest: Mapping[str, Any]) -> I_co:
        """The inputs, from the manifest alone. Raises FileNotFoundError, FileRefused and CannotStudy for a file that is
        gone or damaged."""


class Reporting(Protocol[P_contra]):
    """What the module `report` of a kind can do."""

    def make_report(self, plan: P_contra, result: Mapping[str, Any]) -> Report:
        """Words, figures and tables of a result."""


@dataclass(frozen=True)
class OpenStudy(Generic[P, I]):
    """A study with its inputs, ready to be computed; see `Parts`."""

    plan: P
    inputs: I
    parts: Parts[P, I]

    def list_parts(self) -> list[str]:
        return self.parts.list_parts(self.plan, self.inputs)

    def run_part(self, name: str) -> Json:
        return self.parts.run_part(self.plan, self.inputs, name)

    def gather(self, part_results: Mapping[str, Json]) -> Json:
        return self.parts.gather(self.plan, self.inputs, part_results)


@dataclass(frozen=True)
class Kind(Generic[P, I]):
    """A kind by its modules, whose plan and inputs fit one another. For everybody else plans, inputs and results are
    JSON. `why_not` says what a collection lacks for it, in a sentence; it is empty where it may be started."""

    choice: Study.Kind
    name: str
    description: str
    why_not: Callable[[Contents], str]
    plan: type[P]
    form: type[StudyForm]
    freezing: Freezing[P, I]
    parts: Parts[P, I]
    reporting: Reporting[P]

    def read_plan(self, plan: Mapping[str, object]) -> P:
        """Raises BadPlan."""
        try:
            return self.plan.from_json(plan)
        except PlanRefused as reason:
            raise BadPlan(str(reason)) from None

    def freeze(self, *, collection: Collection, plan: Mapping[str, object]) -> Json:
        """As `Freezing`; raises BadPlan too."""
        return self.freezing.freeze(collection=collection, plan=self.read_plan(plan))

    def open(self, plan: Mapping[str, object], manifest: Mapping[str, Any]) -> OpenStudy[P, I]:
        """Raises BadPlan and as `Freezing.thaw`."""
        return OpenStudy(self.read_plan(plan), self.freezing.thaw(manifest), self.parts)

    def report(self, plan: Mapping[str, object], result: Mapping[str, Any]) -> Report:
        return self.reporting.make_report(self.read_plan(plan), result)


StudyKind = Kind[Any, Any]


@dataclass(frozen=True)
class OfferedKind:
    """A kind beside a collection: `lacking` is the sentence that says what is missing, empty where it may be
    started."""

    kind: StudyKind
    lacking: str

    @property
    def slug(self) -> str:
        """As it stands in addresses and commands."""
        return self.kind.choice.lower()


@cache
def list_kinds() -> Mapping[str, StudyKind]:
    """All kinds by their names in the database, in the order of their choices. The first time it loads what they
    compute with, numpy among it."""
    packages = [package.name for package in pkgutil.iter_modules(kinds.__path__) if package.ispkg]
    result = [importlib.import_module(f"{kinds.__name__}.{package}.kind").KIND for package in packages]
    return {kind.choice: kind for kind in sorted(result, key=lambda kind: list(Study.Kind).index(kind.choice))}


def get_kind(name: str) -> StudyKind:
    return list_kinds()[name]


def list_offered_kinds(collection: Collection) -> list[OfferedKind]:
    contents = queries.collection_contents(collection)
    return [OfferedKind(kind, kind.why_not(contents)) for kind in list_kinds().values()]


def offered_kind(collection: Collection, slug: str) -> OfferedKind | None:
    return next((offered for offered in list_offered_kinds(collection) if offered.slug == slug), None)
