"""What a source study is made from, as values: sets of labels, of people, of a model, of both."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotate.formats.records import Qrels
from annotate.rules import completion as hole_rules
from evaluation.engine.run_index import RunIndex
from evaluation.measures.grade_matrix import GradeProbabilities

Origins = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class Grades:
    """Grades of one set of labels. Pairs in `probabilities` count by those of the grades from 0 up, and are not in
    `qrels`. `origins`: by topic and passage, whose grade it is. `topics` are those that count, graded or not."""

    qrels: Qrels
    origins: Origins
    topics: frozenset[str]
    probabilities: Mapping[str, GradeProbabilities] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Inputs:
    """`runs` are as deep as the measure looks, and at least as deep as Judged@k stands beside it. `grades` are by the
    names of the plan's labels.

    `assessors`: the grades of each; `above` and `below`: those that count before people's, and where people give none.
    `families`: what runs say of their model families; `judges`: what is known of the model of a set of labels, where
    the plan does not name its family. `highest` is the top grade of the scale.
    """

    runs: RunIndex
    grades: Mapping[str, Grades]
    assessors: Mapping[str, Qrels] = field(default_factory=dict)
    above: Qrels = field(default_factory=dict)
    below: Qrels = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)
    highest: int = 3


OF_PEOPLE, OF_MODEL = "people", "model"


def grades_of_one(qrels: Qrels, origin: str) -> Grades:
    """Grades that all come from one source."""
    closing = {topic: _closing(known) for topic, known in qrels.items()}
    origins = {topic: dict.fromkeys(known, origin) for topic, known in closing.items()}
    return Grades(closing, origins, frozenset(qrels))


def combine_grades(people: Qrels, model: Qrels) -> Grades:
    """People's grades, and a model's in the holes of their topics."""
    own = {topic: _closing(known) for topic, known in people.items()}
    filled = {topic: {**_closing(model.get(topic, {})), **known} for topic, known in own.items()}
    origins = {
        topic: {passage_id: OF_PEOPLE if passage_id in own[topic] else OF_MODEL for passage_id in known}
        for topic, known in filled.items()
    }
    return Grades(filled, origins, frozenset(people))


def combine_probabilities(people: Qrels, probabilities: Mapping[str, GradeProbabilities]) -> Grades:
    """People's grades, and in the holes of their topics the probabilities that a model gives them."""
    own = grades_of_one(people, OF_PEOPLE)
    filling = {
        topic: {name: each for name, each in probabilities.get(topic, {}).items() if name not in known}
        for topic, known in own.qrels.items()
    }
    origins = {topic: {**known, **dict.fromkeys(filling[topic], OF_MODEL)} for topic, known in own.origins.items()}
    return Grades(own.qrels, origins, own.topics, filling)


def _closing(known: Mapping[str, int]) -> dict[str, int]:
    """Without those that leave a pair a hole."""
    return {passage_id: grade for passage_id, grade in known.items() if hole_rules.closes_hole(grade)}
