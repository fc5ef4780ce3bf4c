"""All that one of Lacuna's own judges learns from and reads, as it was at one moment; it can be written down."""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from annotate.grades import ratings
from annotate.grades.ratings import PairId
from annotate.models import Backstory, Collection, Pair, Passage, Rater, Topic


def list_training_grades(collection: Collection) -> dict[PairId, int]:
    """The grades of pairs with a published text; of any other pair the judge has nothing to read."""
    return select_readable(collection, list_known_grades(collection))


def list_known_grades(collection: Collection) -> dict[PairId, int]:
    """With those of pairs without a text."""
    known = ratings.settled_grades(collection)
    if collection.reference_rater:
        known.update(ratings.reference_grades(collection.reference_rater))
    return {pair: grade for pair, grade in known.items() if grade in collection.scale}


def select_readable(collection: Collection, grades: dict[PairId, int]) -> dict[PairId, int]:
    rows = Pair.objects.filter(
        collection=collection, topic__in=Topic.objects.published(), passage_text__in=Passage.objects.published()
    )
    readable = set(rows.values_list("topic__query_id", "passage_id"))
    return {pair: grade for pair, grade in grades.items() if pair in readable}


PASSAGES_AT_ONCE = 500
LabelsByPair = dict[PairId, int | list[float]]
Label = TypeVar("Label", int, int | list[float])


@dataclass(frozen=True)
class Material:
    """`grades` of judged pairs with a text. `topics`: text and backstory by query id. `passages`: row ids, of which
    the texts never change. `labels`: by the name of a model, its labels of judged and pooled pairs. `without_text`:
    judged pairs that teach nothing."""

    grades: dict[PairId, int]
    topics: dict[str, tuple[str, str]]
    passages: list[int]
    labels: dict[str, LabelsByPair]
    may_carry_over: bool | None
    seed: int
    without_text: int = 0

    @property
    def text(self) -> str:
        """The same for the same material: its digest names it."""
        fields = {
            "grades": _sorted_lines(self.grades),
            "topics": sorted([query_id, *texts] for query_id, texts in self.topics.items()),
            "passages": self.passages,
            "opinions": {name: _sorted_lines(labels) for name, labels in self.labels.items()},
            "may_carry_over": self.may_carry_over,
            "seed": self.seed,
        }
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Material":
        """What `text` holds."""
        return cls(
            grades=_read_lines(fields["grades"]),
            topics={query_id: (text, backstory) for query_id, text, backstory in fields["topics"]},
            passages=fields["passages"],
            labels={name: _read_lines(lines) for name, lines in fields["opinions"].items()},
            may_carry_over=fields["may_carry_over"],
            seed=fields["seed"],
        )


def gather_material(
    collection: Collection, models: Sequence[Rater] = (), may_carry_over: bool | None = None
) -> Material:
    """Of this moment."""
    graded = list_known_grades(collection)
    known = select_readable(collection, graded)
    passages = Passage.objects.published().filter(pairs__collection=collection).distinct().order_by("pk")
    asked = _pooled(collection) | known.keys()
    return Material(
        grades=known,
        topics=_topics(collection),
        passages=list(passages.values_list("pk", flat=True)),
        labels={model.name: _list_labels(model, asked) for model in models},
        may_carry_over=may_carry_over,
        seed=collection.seed,
        without_text=len(graded) - len(known),
    )


def find_models(collection: Collection, names: Sequence[str]) -> list[Rater]:
    """Those that are there, in this order."""
    raters = {rater.name: rater for rater in Rater.objects.filter(collection=collection, name__in=names)}
    return [raters[name] for name in names if name in raters]


def read_passage_texts(material: Material) -> dict[str, str]:
    """By passage id, of those that were not withdrawn since."""
    texts: dict[str, str] = {}
    for place in range(0, len(material.passages), PASSAGES_AT_ONCE):
        rows = Passage.objects.published().filter(pk__in=material.passages[place : place + PASSAGES_AT_ONCE])
        for passage_id, title, text in rows.values_list("passage_id", "title", "text"):
            texts[passage_id] = f"{title}\n{text}" if title else text
    return texts


def _topics(collection: Collection) -> dict[str, tuple[str, str]]:
    backstories = dict(
        Backstory.objects.filter(topic__collection=collection, is_current=True).values_list("topic", "text")
    )
    topics = Topic.objects.published().filter(collection=collection)
    return {topic.query_id: (topic.text, backstories.get(topic.pk, "")) for topic in topics}


def _pooled(collection: Collection) -> set[PairId]:
    return set(Pair.objects.filter(collection=collection, is_pooled=True).values_list("topic__query_id", "passage_id"))


def _list_labels(model: Rater, asked: Container[PairId]) -> LabelsByPair:
    by_pair: LabelsByPair = ratings.model_labels(model)
    return {pair: label for pair, label in by_pair.items() if pair in asked}


def _sorted_lines(by_pair: Mapping[PairId, Label]) -> list[list[object]]:
    return [[query_id, passage_id, by_pair[query_id, passage_id]] for query_id, passage_id in sorted(by_pair)]


def _read_lines(lines: list[tuple[str, str, Label]]) -> dict[PairId, Label]:
    return {(query_id, passage_id): label for query_id, passage_id, label in lines}
