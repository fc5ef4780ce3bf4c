"""All that one of Lacuna's own judges learns from and reads, as it was at one moment; it can be written down."""

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass

from annotate.grades import ratings
from annotate.models import Backstory, Collection, Pair, Passage, Rater, Topic
from annotate.own_judges.queries import training_grades
from annotate.work import kept_files

SLICE = 500
Opinions = dict[ratings.Pair, int | list[float]]


class NotKept(ValueError):
    """What was written down is not there, or has grades alone."""


@dataclass(frozen=True)
class Material:
    """`grades` of judged pairs with a text. `topics`: text and backstory by query id. `passages`: row ids, of which
    the texts never change. `opinions`: by the name of a model, what it says of judged and pooled pairs. `without_text`:
    judged pairs that teach nothing."""

    grades: dict[ratings.Pair, int]
    topics: dict[str, tuple[str, str]]
    passages: list[int]
    opinions: dict[str, Opinions]
    may_carry_over: bool | None
    seed: int
    without_text: int = 0

    @property
    def text(self) -> str:
        """The same for the same material: its digest names it."""
        told = {
            "grades": _lines(self.grades),
            "topics": sorted([query_id, *texts] for query_id, texts in self.topics.items()),
            "passages": self.passages,
            "opinions": {name: _lines(said) for name, said in self.opinions.items()},
            "may_carry_over": self.may_carry_over,
            "seed": self.seed,
        }
        return json.dumps(told, ensure_ascii=False)


def of(collection: Collection, models: Sequence[Rater] = (), may_carry_over: bool | None = None) -> Material:
    """Of this moment."""
    graded = training_grades.graded(collection)
    known = training_grades.with_texts(collection, graded)
    passages = Passage.objects.published().filter(pairs__collection=collection).distinct().order_by("pk")
    asked = _pooled(collection) | known.keys()
    return Material(
        grades=known,
        topics=_topics(collection),
        passages=list(passages.values_list("pk", flat=True)),
        opinions={model.name: _opinions(model, asked) for model in models},
        may_carry_over=may_carry_over,
        seed=collection.seed,
        without_text=len(graded) - len(known),
    )


def kept(digest: str) -> Material:
    """What was written down under this digest. Raises NotKept."""
    try:
        told = json.loads(kept_files.path(f"training/{digest}.json").read_text("utf-8"))
    except FileNotFoundError:
        raise NotKept(
            "What it learns from is gone from the data folder: put it back, or start a new version."
        ) from None
    if isinstance(told, list):
        raise NotKept("It was asked for before Lacuna was upgraded; start a new version.")
    return Material(
        grades=_mapping(told["grades"]),
        topics={query_id: (text, backstory) for query_id, text, backstory in told["topics"]},
        passages=told["passages"],
        opinions={name: _mapping(said) for name, said in told["opinions"].items()},
        may_carry_over=told["may_carry_over"],
        seed=told["seed"],
    )


def passage_texts(material: Material) -> dict[str, str]:
    """By passage id, of those that were not withdrawn since."""
    texts: dict[str, str] = {}
    for place in range(0, len(material.passages), SLICE):
        rows = Passage.objects.published().filter(pk__in=material.passages[place : place + SLICE])
        for passage_id, title, text in rows.values_list("passage_id", "title", "text"):
            texts[passage_id] = f"{title}\n{text}" if title else text
    return texts


def _topics(collection: Collection) -> dict[str, tuple[str, str]]:
    backstories = dict(
        Backstory.objects.filter(topic__collection=collection, is_current=True).values_list("topic", "text")
    )
    topics = Topic.objects.published().filter(collection=collection)
    return {topic.query_id: (topic.text, backstories.get(topic.pk, "")) for topic in topics}


def _pooled(collection: Collection) -> set[ratings.Pair]:
    return set(Pair.objects.filter(collection=collection, is_pooled=True).values_list("topic__query_id", "passage_id"))


def _opinions(model: Rater, asked: Container[ratings.Pair]) -> Opinions:
    return {pair: said for pair, said in ratings.model_opinions(model).items() if pair in asked}


def _lines(found: dict[ratings.Pair, int] | Opinions) -> list[list[object]]:
    return [[*pair, found[pair]] for pair in sorted(found)]


def _mapping(lines: list[list[object]]) -> dict[ratings.Pair, object]:
    return {(query_id, passage_id): said for query_id, passage_id, said in lines}
