"""Completed qrels: one grade for each pair, from the strongest source that has one, with its provenance."""

from typing import NamedTuple

from annotate.formats import quoting
from annotate.formats.records import Qrels
from annotate.grades import propagated, ratings
from annotate.models import Collection, Rater
from annotate.rules import completion, grades

# The sources that are people's, and the rater's name in their lines.
OF_PEOPLE = {completion.ADJUDICATED: "adjudicators", completion.PEOPLE: "people"}


class NoSuchRater(ValueError):
    """A rule names a model that the collection does not have."""


class CompletedGrade(NamedTuple):
    """One line of completed qrels. `source` is a source of the rule; `rater` the name of who gave the grade.
    `propagated_from`: of a near-duplicate, the passage id of the pair whose grade it has; else empty."""

    query_id: str
    passage_id: str
    grade: int
    source: str
    rater: str
    propagated_from: str = ""


def complete(collection: Collection, rule: completion.Rule) -> list[CompletedGrade]:
    """All pairs that get a grade under the rule, by the bytes of query id and passage id. Raises NoSuchRater."""
    origins = propagated.origins(collection)
    sources = {source: _grades(collection, rule, source) for source in rule.sources}
    sources |= {source: propagated.spread(sources[source], origins) for source in OF_PEOPLE if source in sources}
    reference = collection.reference_rater.name if collection.reference_rater else ""
    names = {completion.REFERENCE: reference, completion.ORIGINAL: reference, **OF_PEOPLE}
    lines = []
    for pair in sorted(set().union(*sources.values())):
        chosen = completion.choose(rule, {name: given[pair] for name, given in sources.items() if pair in given})
        if chosen:
            grade, source = chosen
            rater = names.get(source) or source.removeprefix(completion.MODEL)
            origin = origins.get(pair) if source in OF_PEOPLE else None
            leader = origin[1] if origin in sources[source] else ""
            lines.append(CompletedGrade(*pair, grade, source, rater, leader))
    return lines


def as_qrels(lines: list[CompletedGrade]) -> Qrels:
    """Grades by topic and passage."""
    qrels: Qrels = {}
    for line in lines:
        qrels.setdefault(line.query_id, {})[line.passage_id] = line.grade
    return qrels


def _grades(collection: Collection, rule: completion.Rule, source: str) -> dict[tuple[str, str], int]:
    """What one source says. A reference grade that leaves its pair a hole (-1) is no grade here."""
    if source in OF_PEOPLE:
        return _of_people(collection, rule, source)
    if source.startswith(completion.MODEL):
        return ratings.model_grades(_model(collection, source.removeprefix(completion.MODEL)))
    if collection.reference_rater is None:
        return {}
    given = ratings.reference_grades(collection.reference_rater, with_dropped=source == completion.ORIGINAL)
    return {pair: grade for pair, grade in given.items() if grades.closes_hole(grade)}


def _of_people(collection: Collection, rule: completion.Rule, source: str) -> dict[ratings.Pair, int]:
    if source == completion.ADJUDICATED:
        return ratings.adjudicated(collection)
    given = ratings.people(collection, rule.consensus_rule)
    if not rule.decisions_bind_people:
        return given
    decided = ratings.decisions(collection)
    return {pair: grade for pair, grade in given.items() if decided.get(pair, grade) is not None}


def _model(collection: Collection, name: str) -> Rater:
    rater = Rater.objects.filter(collection=collection, name=name, kind=Rater.Kind.MODEL).first()
    if rater is None:
        raise NoSuchRater(f"The collection has no model rater named {quoting.short(name)}.")
    return rater
