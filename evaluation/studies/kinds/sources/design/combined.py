"""The sets of labels of a source study from people's grades and a model's."""

from collections.abc import Mapping

from annotate.formats.records import Qrels
from annotate.rules import grades as hole_rules
from evaluation.measures.uncertain import Chances
from evaluation.studies.kinds.sources.design.inputs import Grades

PEOPLE, MODEL = "people", "model"


def alone(qrels: Qrels, origin: str) -> Grades:
    """Grades that all come from one source."""
    closing = {topic: _closing(known) for topic, known in qrels.items()}
    origins = {topic: dict.fromkeys(known, origin) for topic, known in closing.items()}
    return Grades(closing, origins, frozenset(qrels))


def with_grades(people: Qrels, model: Qrels) -> Grades:
    """People's grades, and a model's in the holes of their topics."""
    own = {topic: _closing(known) for topic, known in people.items()}
    filled = {topic: {**_closing(model.get(topic, {})), **known} for topic, known in own.items()}
    origins = {
        topic: {passage_id: PEOPLE if passage_id in own[topic] else MODEL for passage_id in known}
        for topic, known in filled.items()
    }
    return Grades(filled, origins, frozenset(people))


def with_chances(people: Qrels, chances: Mapping[str, Chances]) -> Grades:
    """People's grades, and in the holes of their topics the chances that a model gives them."""
    own = alone(people, PEOPLE)
    filling = {
        topic: {name: each for name, each in chances.get(topic, {}).items() if name not in known}
        for topic, known in own.qrels.items()
    }
    origins = {topic: {**known, **dict.fromkeys(filling[topic], MODEL)} for topic, known in own.origins.items()}
    return Grades(own.qrels, origins, own.topics, filling)


def _closing(known: Mapping[str, int]) -> dict[str, int]:
    """Without those that leave a pair a hole."""
    return {passage_id: grade for passage_id, grade in known.items() if hole_rules.closes_hole(grade)}
