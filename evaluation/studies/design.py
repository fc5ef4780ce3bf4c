"""What every kind of study is made of: its plan, its parts, what it needs, and how its report is made."""

import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import getitem
from typing import Annotated, Any, Protocol, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from annotate.formats import faults
from annotate.rules import completion
from evaluation.measures import registry
from evaluation.plots.figure import Figure
from evaluation.statistics.bootstrap import METHOD, Resampling
from evaluation.tables.table import Cell, Column, Content, Table

Json = dict[str, Any]
P = TypeVar("P")
I = TypeVar("I")  # noqa: E741
P_contra = TypeVar("P_contra", contravariant=True)
I_contra = TypeVar("I_contra", contravariant=True)


class Parts(Protocol[P_contra, I_contra]):
    """What the module `parts` of a kind can do with a plan and the inputs that were frozen."""

    def list_parts(self, plan: P_contra, inputs: I_contra) -> list[str]:
        """The names of what can be computed alone. Raises PlanRefused where the inputs do not hold what is asked."""

    def run_part(self, plan: P_contra, inputs: I_contra, name: str) -> Json:
        """What one part found, the same whenever it is computed."""

    def gather(self, plan: P_contra, inputs: I_contra, part_results: Mapping[str, Json]) -> Json:
        """The result, from what all parts found."""


def run_all(parts: Parts[P, I], plan: P, inputs: I) -> Json:
    """The result, computed here and now, part by part."""
    part_results = {name: parts.run_part(plan, inputs, name) for name in parts.list_parts(plan, inputs)}
    return parts.gather(plan, inputs, part_results)


LARGEST = 2**63 - 1


class PlanRefused(ValueError):
    """A plan cannot be understood, or asks for what there is not; the sentence says what. `field` is the one at fault,
    empty where it is none alone."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


def _check_consensus(rule: str) -> str:
    if rule not in completion.CONSENSUS_RULES:
        raise PydanticCustomError("choice", "no such rule")
    return rule


Seed = Annotated[int, Field(ge=0, le=LARGEST)]
Share = Annotated[float, Field(gt=0, lt=1)]
Texts = Annotated[tuple[str, ...], Field(strict=False), AfterValidator(lambda texts: tuple(dict.fromkeys(texts)))]
MeasureName = Annotated[str, AfterValidator(lambda text: str(registry.parse(text)))]
ConsensusRule = Annotated[
    str, AfterValidator(_check_consensus), WithJsonSchema({"type": "string", "enum": [*completion.CONSENSUS_RULES]})
]


class StudyPlan(BaseModel):
    """What all plans can do. A kind adds its fields; `title` and `description` of a field stand in its form."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def from_json(cls, plan: Mapping[str, object]) -> Self:
        """The plan that JSON says; what it does not say is as usual. Raises PlanRefused."""
        try:
            return cls.model_validate(dict(plan))
        except ValidationError as refused:
            first = min(refused.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
            raise cls._refusal(plan, first) from None

    def to_json(self) -> dict[str, object]:
        return self.model_dump(mode="json")

    @classmethod
    def field_schema(cls, name: str) -> dict[str, Any]:
        """The JSON schema of a field, of what it may be besides null."""
        schema: dict[str, Any] = cls.model_json_schema()["properties"][name]
        return next((each for each in schema.get("anyOf", ()) if each["type"] != "null"), schema)

    @classmethod
    def _refusal(cls, plan: Mapping[str, object], fault: ErrorDetails) -> PlanRefused:
        name = str(fault["loc"][0]) if fault["loc"] else ""
        if fault["type"] == "extra_forbidden":
            known = ", ".join(sorted(cls.model_fields))
            return PlanRefused(f"the plan has no {faults.quoted(name)}; it has {known}")
        if fault["type"] == "value_error":
            return PlanRefused(str(fault["ctx"]["error"]), name)
        allowed = _words(cls.field_schema(name))
        return PlanRefused(f"{name} is {faults.quoted(plan[name])}, and should be {allowed}", name)


class ResamplingPlan(StudyPlan):
    """Systems are scored by `measure`; `consensus` makes people's grades one. `level` is the error level of tests;
    intervals cover `coverage` and come from `resamples` draws of topics by `seed`."""

    measure: MeasureName = "nDCG@10"
    consensus: ConsensusRule = Field(default=completion.MAJORITY, title="Consensus of people")
    level: Share = 0.05
    coverage: Share = 0.95
    resamples: Annotated[int, Field(ge=1, le=100_000)] = Field(
        default=1000, description="Of the topics, for intervals."
    )
    seed: Seed = 0

    @property
    def resampling(self) -> Resampling:
        return Resampling("topics", self.resamples, self.coverage, self.seed)

    def intervals_json(self) -> dict[str, object]:
        """How intervals come about, as results say it."""
        drawn = {"coverage": self.coverage, "resamples": self.resamples, "seed": self.seed}
        return {"method": METHOD, "over": "topics", **drawn}


def _words(schema: Mapping[str, Any]) -> str:
    """What the schema of a field allows.

    >>> _words({"type": "integer", "minimum": 1, "maximum": 9}), _words({"type": "string", "enum": ["a", "b"]})
    ('a whole number from 1 to 9', 'one of a, b')
    """
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    match schema["type"]:
        case "integer":
            return f"a whole number from {schema['minimum']} to {schema['maximum']}"
        case "number":
            return f"a number between {schema['exclusiveMinimum']:g} and {schema['exclusiveMaximum']:g}"
        case "boolean":
            return "true or false"
        case "array":
            of_numbers = schema["items"]["type"] == "number"
            return f"a list of {'numbers between 0 and 1' if of_numbers else 'texts'}"
    return "text"


@dataclass(frozen=True)
class Contents:
    """`runs` rank topics, `variant_runs` rank query variants. `references` and `models` are raters with grades,
    `has_judged`: people have. `samples` are recorded draws of pairs or topics."""

    runs: int = 0
    variant_runs: int = 0
    variants: int = 0
    references: int = 0
    models: int = 0
    has_judged: bool = False
    samples: int = 0

    @property
    def has_grades(self) -> bool:
        """Whether anybody but a model gave some."""
        return self.references > 0 or self.has_judged


NEEDS_SYSTEMS = "It compares systems, so it needs two runs at least: import them."
_WIDTH = 110  # letters of a line of a subtitle
_FEW_SYSTEMS = 20


@dataclass(frozen=True)
class Report:
    """`findings` and `warnings` are sentences. `facts` says of all numbers n, seeds, gain, tie rule, what an unjudged
    passage counts. `figures` and `tables` are by name, in the order in which they are shown.
    """

    findings: tuple[str, ...]
    warnings: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)


Facts = tuple[tuple[str, str], ...]

TIES = "equal scores of a run stand by passage id, descending by its bytes"
UNJUDGED = {
    "zero": "an unjudged passage counts as not relevant",
    "condensed": "unjudged passages are taken out, and what stands below moves up",
}


def count_words(topics: int, systems: int) -> str:
    """For the captions of tables.

    >>> count_words(28, 1)
    '28 topics, 1 system'
    """
    return f"{topics:,} topic{'s'[: topics != 1]}, {systems:,} system{'s'[: systems != 1]}"


def measure_facts(text: str) -> Facts:
    """The measure, its gain, its ties, and what it makes of unjudged passages."""
    measure = registry.parse(text)
    gain = (("gain", str(measure.parameters.get("gain", "linear"))),) if "gain" in measure.definition.parameters else ()
    unjudged = UNJUDGED[str(measure.parameters.get("unjudged", "zero"))]
    return (("measure", text), *gain, ("ties", TIES), ("unjudged", unjudged))


def interval_facts(intervals: Mapping[str, Any]) -> Facts:
    """How intervals came about: those of `Plan`s that resample topics."""
    drawn = f"{intervals['resamples']:,} resamples of topics, seed {intervals['seed']}"
    return (("intervals", f"{100 * intervals['coverage']:g} % {intervals['method']} over topics, {drawn}"),)


def facts_sentence(facts: Facts) -> str:
    """All of them in one line.

    >>> facts_sentence((("topics", "28"), ("gain", "linear")))
    'topics: 28; gain: linear'
    """
    return "; ".join(f"{name}: {words}" for name, words in facts)


def warn_of_few_systems(systems: Collection[str]) -> Iterator[str]:
    if len(systems) < _FEW_SYSTEMS:
        yield f"There are {len(systems)} systems: correlations of rankings take few values."


Row = Mapping[str, Any]
R = TypeVar("R")


def column(label: str, value: Callable[[R], Content]) -> Column[R]:
    """A column of a study's table: what it is called, and what it has of a row."""
    return Column("", "", label, value)


def field_columns(*fields: str | tuple[str, str]) -> list[Column[Row]]:
    """What rows have under these names, each of which is its label if none stands beside it. `people.low` is the `low`
    of what stands under `people`."""
    return [_named_column(field, getitem) for field in fields]


def number_columns(*fields: str | tuple[str, str]) -> list[Column[Row]]:
    """The same of numbers; where one is undefined, the reason in words."""
    return [_named_column(field, number_cell) for field in fields]


def _named_column(field: str | tuple[str, str], value: Callable[[Row, str], Content]) -> Column[Row]:
    path, label = (field, field) if isinstance(field, str) else field
    *outer, name = path.split(".")
    return column(label, lambda row: value(reduce(getitem, outer, row), name))


def number_cell(row: Row, name: str) -> Cell:
    """The number of that name; where it is undefined, the reason in words.

    >>> number_cell({"tau_b": None, "reason": {"tau_b": "one system"}}, "tau_b")
    'undefined: one system'
    """
    number: Cell = row[name]
    return number if number is not None else f"undefined: {row['reason'][name]}"


def with_whole_counts(table: Table, labels: Collection[str]) -> Table:
    """The table, the means of counts in these columns without decimals where all of a column are whole.

    >>> with_whole_counts(Table("", ("fill", "n", "m"), (("a", 40.0, 0.5), ("b", 41.0, 1.0))), ["n", "m"]).rows
    (('a', 40, 0.5), ('b', 41, 1.0))
    """

    def as_counts(label: str, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        fractional = [cell for cell in cells if isinstance(cell, float) and not cell.is_integer()]
        if label not in labels or fractional:
            return cells
        return tuple(int(cell) if isinstance(cell, float) else cell for cell in cells)

    columns = map(as_counts, table.columns, zip(*table.rows, strict=True))
    return replace(table, rows=tuple(zip(*columns, strict=True)))


def wrap_subtitle(text: str) -> str:
    """As wide as a figure."""
    return "\n".join(textwrap.wrap(text, _WIDTH))
