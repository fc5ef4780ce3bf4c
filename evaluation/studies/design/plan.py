"""What is wanted of a study: one model for each kind, read by forms, the API, commands and stored studies alike.

Each fault has its sentence, which names the field and what it may be: anybody may have written the JSON.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from annotate.formats import faults
from annotate.rules import completion
from evaluation.measures import registry
from evaluation.statistics.bootstrap import METHOD, Resampling

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
    def read(cls, plan: Mapping[str, object]) -> Self:
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
    def title_of(cls, name: str) -> str | None:
        """What a form calls the field; None where its name says enough."""
        return cls.model_fields[name].title

    @classmethod
    def help_of(cls, name: str) -> str:
        return cls.model_fields[name].description or ""

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
