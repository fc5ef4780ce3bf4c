"""What a judge may learn from: the reference's grades that were not dropped, then what people settled."""

import json

from annotate.grades import propagated, ratings
from annotate.models import Collection, Pair, Passage, Topic
from annotate.work import kept_files


def of(collection: Collection) -> dict[ratings.Pair, int]:
    """The grades of pairs with a published text; of any other pair the judge has nothing to read."""
    return with_texts(collection, graded(collection))


def graded(collection: Collection) -> dict[ratings.Pair, int]:
    """With those of pairs without a text."""
    known = propagated.settled(collection)
    if collection.reference_rater:
        known.update(ratings.reference_grades(collection.reference_rater))
    return {pair: grade for pair, grade in known.items() if grade in collection.scale}


def with_texts(collection: Collection, grades: dict[ratings.Pair, int]) -> dict[ratings.Pair, int]:
    rows = Pair.objects.filter(
        collection=collection, topic__in=Topic.objects.published(), passage_text__in=Passage.objects.published()
    )
    readable = set(rows.values_list("topic__query_id", "passage_id"))
    return {pair: grade for pair, grade in grades.items() if pair in readable}


def kept(digest: str) -> dict[ratings.Pair, int]:
    """The grades that were written down under this digest when a batch was asked for."""
    text = kept_files.path(f"training/{digest}.json").read_text("utf-8")
    return {(query_id, passage_id): grade for query_id, passage_id, grade in json.loads(text)}
