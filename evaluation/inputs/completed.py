"""Completed qrels as scoring reads them, and which of their grades are a model's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from annotate.formats.records import Qrels
from annotate.grades import completed_qrels, ratings
from annotate.grades.completed_qrels import CompletedGrade
from annotate.models import Collection, Rater
from annotate.rules import completion
from evaluation.inputs import facts
from evaluation.inputs.facts import Stamp
from evaluation.measures.uncertain import Chances


@dataclass(frozen=True, eq=False)
class Completed:
    """Grades under a rule, and the pairs of them whose grade is a model's.

    `chances` has, by topic and passage, those of a model's pairs that count by the probabilities of the grades from 0
    up; they are not in `qrels`. `topics` are those of the full qrels: a topic that a draw of holes left without a
    grade of the reference stays.
    """

    qrels: Qrels
    from_models: frozenset[tuple[str, str]]
    topics: frozenset[str]
    chances: Mapping[str, Chances] = field(default_factory=dict)

    @property
    def by_chances(self) -> int:
        """How many pairs count by their probabilities."""
        return sum(map(len, self.chances.values()))

    @property
    def graded(self) -> int:
        return sum(map(len, self.qrels.values())) + self.by_chances


def complete(
    collection: Collection, rule: completion.Rule, *, with_chances: bool = False, stamp: Stamp | None = None
) -> Completed:
    """The grades under a rule; `with_chances` those of models as probabilities, where they gave them.

    They are read once while the facts stay as they are. `stamp`: that of the facts, where the caller has it, with the
    models that the rule asks and maybe others. Raises NoSuchRater.
    """
    return _complete(collection, rule, with_chances, stamp or facts.stamp(collection, rule.models))


@lru_cache(maxsize=16)
def _complete(collection: Collection, rule: completion.Rule, with_chances: bool, _stamp: Stamp) -> Completed:
    lines = completed_qrels.complete(collection, rule)
    of_models = [line for line in lines if line.source.startswith(completion.MODEL)]
    chances = _chances(collection, of_models) if with_chances else {}
    certain = [line for line in lines if line.passage_id not in chances.get(line.query_id, {})]
    return Completed(
        qrels=completed_qrels.as_qrels(certain),
        from_models=frozenset((line.query_id, line.passage_id) for line in of_models),
        topics=frozenset(line.query_id for line in lines) | _drawn_topics(collection, rule),
        chances=chances,
    )


def _chances(collection: Collection, of_models: Sequence[CompletedGrade]) -> dict[str, dict[str, list[float]]]:
    """A scale that starts above 0 has no chance of the grades below it."""
    below = [0.0] * collection.lowest_grade
    raters = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL)
    said = {
        rater.name: ratings.model_chances(rater) for rater in raters.filter(name__in={line.rater for line in of_models})
    }
    found: dict[str, dict[str, list[float]]] = {}
    for line in of_models:
        if given := said[line.rater].get((line.query_id, line.passage_id)):
            found.setdefault(line.query_id, {})[line.passage_id] = [*below, *given]
    return found


def _drawn_topics(collection: Collection, rule: completion.Rule) -> frozenset[str]:
    """Where a draw took grades that the rule would have."""
    if completion.REFERENCE not in rule.sources:
        return frozenset()
    return frozenset(query_id for query_id, _ in ratings.dropped_grades(collection))
