"""All that one of Lacuna's own judges learns from and reads, as it was at one moment; it can be written down."""

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass

from annotate.formats.whole_files import Damaged
from annotate.grades import ratings
from annotate.models import Backstory, Collection, Pair, Passage, Rater, Topic
from annotate.work import kept_files


def list_training_grades(collection: Collection) -> dict[ratings.PairId, int]:
    """The grades of pairs with a published text; of any other pair the judge has nothing to read."""
    return select_readable(collection, list_known_grades(collection))


def list_known_grades(collection: Collection) -> dict[ratings.PairId, int]:
    """With those of pairs without a text."""
    known = ratings.settled_grades(collection)
    if collection.reference_rater:
        known.update(ratings.reference_grades(collection.reference_rater))
    return {pair: grade for pair, grade in known.items() if grade in collection.scale}


def select_readable(collection: Collection, grades: dict[ratings.PairId, int]) -> dict[ratings.PairId, int]:
    rows = Pair.objects.filter(
        collection=collection, topic__in=Topic.objects.published(), passage_text__in=Passage.objects.published()
    )
    readable = set(rows.values_list("topic__query_id", "passage_id"))
    return {pair: grade for pair, grade in grades.items() if pair in readable}


def read_kept_grades(digest: str) -> dict[ratings.PairId, int]:
    """The grades that were written down under this digest when a batch was asked for. Raises Damaged."""
    lines = json.loads(kept_files.read_json("training", digest))
    return {(query_id, passage_id): grade for query_id, passage_id, grade in lines}


PASSAGES_AT_ONCE = 500
LabelsByPair = dict[ratings.PairId, int | list[float]]


class NotKept(ValueError):
    """What was written down is not there, or has grades alone."""


@dataclass(frozen=True)
class Material:
    """`grades` of judged pairs with a text. `topics`: text and backstory by query id. `passages`: row ids, of which
    the texts never change. `opinions`: by the name of a model, what it says of judged and pooled pairs. `without_text`:
    judged pairs that teach nothing."""

    grades: dict[ratings.PairId, int]
    topics: dict[str, tuple[str, str]]
    passages: list[int]
    opinions: dict[str, LabelsByPair]
    may_carry_over: bool | None
    seed: int
    without_text: int = 0

    @property
    def text(self) -> str:
        """The same for the same material: its digest names it."""
        told = {
            "grades": _sorted_lines(self.grades),
            "topics": sorted([query_id, *texts] for query_id, texts in self.topics.items()),
            "passages": self.passages,
            "opinions": {name: _sorted_lines(said) for name, said in self.opinions.items()},
            "may_carry_over": self.may_carry_over,
            "seed": self.seed,
        }
        return json.dumps(told, ensure_ascii=False)


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
        opinions={model.name: _list_labels(model, asked) for model in models},
        may_carry_over=may_carry_over,
        seed=collection.seed,
        without_text=len(graded) - len(known),
    )


def read_kept_material(digest: str) -> Material:
    """What was written down under this digest. Raises NotKept."""
    try:
        told = json.loads(kept_files.read_json("training", digest))
    except Damaged as reason:
        raise NotKept(
            f"{reason} Or start a new version: where nothing has changed since, that writes the file anew, and this "
            "one can be resumed."
        ) from None
    except FileNotFoundError:
        raise NotKept(
            "What it learns from is gone from the data folder: put it back, or start a new version."
        ) from None
    if isinstance(told, list):
        raise NotKept("It was asked for before Lacuna was upgraded; start a new version.")
    return Material(
        grades=_read_lines(told["grades"]),
        topics={query_id: (text, backstory) for query_id, text, backstory in told["topics"]},
        passages=told["passages"],
        opinions={name: _read_lines(said) for name, said in told["opinions"].items()},
        may_carry_over=told["may_carry_over"],
        seed=told["seed"],
    )


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


def _pooled(collection: Collection) -> set[ratings.PairId]:
    return set(Pair.objects.filter(collection=collection, is_pooled=True).values_list("topic__query_id", "passage_id"))


def _list_labels(model: Rater, asked: Container[ratings.PairId]) -> LabelsByPair:
    return {pair: said for pair, said in ratings.model_labels(model).items() if pair in asked}


def _sorted_lines(found: dict[ratings.PairId, int] | LabelsByPair) -> list[list[object]]:
    return [[*pair, found[pair]] for pair in sorted(found)]


def _read_lines(lines: list[list[object]]) -> dict[ratings.PairId, object]:
    return {(query_id, passage_id): said for query_id, passage_id, said in lines}
