"""Where the holes are: by topic, by run, with their texts for outside predictors; and draws of synthetic ones."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.grades import rankings, ratings
from annotate.models import Backstory, Collection, Pair, Topic
from annotate.rules import completion, drawing


def is_hole(path: str = "") -> Q:
    """A pooled pair without a grade of the reference or of people's consensus, as Pair.is_hole says; `path` leads to it
    from other rows, such as `pair__`."""
    return Q((f"{path}is_pooled", True), (f"{path}is_reference_closed", False), (f"{path}consensus_grade", None))


HOLE = is_hole()


@dataclass(frozen=True)
class TopicHoles:
    query_id: str
    text: str
    pooled: int
    holes: int


@dataclass(frozen=True)
class RunHoles:
    """`judged` and `slots`: judged among the top k of all topics that have judgments; a short run's empty slots
    are not judged. `share` is judged / slots, None without slots."""

    run_tag: str
    group: str
    is_pooled: bool
    judged: int
    slots: int
    holes: int

    @property
    def share(self) -> float | None:
        return self.judged / self.slots if self.slots else None


def count_holes(collection: Collection) -> int:
    return Pair.objects.filter(HOLE, collection=collection).count()


def holes_by_topic(collection: Collection) -> list[TopicHoles]:
    """Topics by the bytes of their ids, with pooled pairs and holes."""
    rows = (
        Topic.objects.published()
        .filter(collection=collection)
        .annotate(
            pooled=Count("pairs", filter=Q(pairs__is_pooled=True)), holes=Count("pairs", filter=is_hole("pairs__"))
        )
        .values_list("query_id", "text", "pooled", "holes")
    )
    return sorted((TopicHoles(*row) for row in rows), key=lambda topic: topic.query_id.encode())


def holes_by_run(collection: Collection, k: int = 10) -> list[RunHoles]:
    """Judged@k and holes in the top k of each run, over the topics of the collection."""
    known = set(Topic.objects.published().filter(collection=collection).values_list("query_id", flat=True))
    judged = _judged(collection)
    rows = []
    for run in rankings.published_runs(collection):
        tops = rankings.load_top(run, k)
        shown = [(q, p) for q in tops.query_ids if q in known for p in tops.ranking(q, k)]
        found = sum(pair in judged for pair in shown)
        rows.append(RunHoles(run.tag, run.group, run.is_pooled, found, k * len(known), len(shown) - found))
    return rows


def hole_records(collection: Collection, *, repeats_observed: bool = False) -> Iterator[dict[str, object]]:
    """Each hole with its texts: the input of a predictor outside, topic by topic. The grades observed in a topic come
    with its first hole, and None with the others, or with all of them where `repeats_observed`.

    Observed is what closes holes: the reference's grades that were not dropped (none below 0), else what people settled
    (decisions, consensus); nothing of a dropped grade is in it.
    """
    observed: dict[str, list[dict[str, object]]] = {}
    for (query_id, passage_id), (grade, source) in sorted(_observed(collection).items()):
        observed.setdefault(query_id, []).append({"passage_id": passage_id, "grade": grade, "source": source})
    backstories = dict(
        Backstory.objects.filter(topic__collection=collection, is_current=True).values_list("topic", "text")
    )
    holes = Pair.objects.filter(HOLE, collection=collection).select_related("topic", "passage_text")
    before = None
    for pair in holes.order_by("topic__query_id", "passage_id").iterator(chunk_size=500):
        is_first, before = pair.topic_id != before, pair.topic_id
        yield {
            "query_id": pair.topic.query_id,
            "query": pair.topic.text,
            "backstory": backstories.get(pair.topic_id, ""),
            "passage_id": pair.passage_id,
            "title": pair.passage_text.title if pair.passage_text else "",
            "passage": pair.passage_text.text if pair.passage_text else None,
            "observed": observed.get(pair.topic.query_id, []) if is_first or repeats_observed else None,
        }


def _judged(collection: Collection) -> set[tuple[str, str]]:
    """Pairs with a grade of the reference (not negative) or of people's consensus."""
    return set(_observed(collection))


def _observed(collection: Collection) -> dict[ratings.PairId, tuple[int, str]]:
    """The grade and its source for each judged pair; the reference comes before people."""
    found = {pair: (grade, completion.PEOPLE) for pair, grade in ratings.settled_grades(collection).items()}
    if collection.reference_rater:
        given = ratings.reference_grades(collection.reference_rater)
        judged = {pair: grade for pair, grade in given.items() if completion.is_judged(grade)}
        found |= {pair: (grade, completion.REFERENCE) for pair, grade in judged.items()}
    return found


@dataclass(frozen=True)
class GradeLoss:
    """Of `known` grades of one value `dropped` would become holes."""

    grade: int
    known: int
    dropped: int


def preview_hole_draw(collection: Collection, *, fraction: float, chosen: Sequence[int], seed: int) -> list[GradeLoss]:
    """By grade of the scale, what the reference rater has in force and what of it the draw would drop."""
    if collection.reference_rater is None:
        return []
    grades = ratings.reference_grades(collection.reference_rater)
    holes = drawing.draw_holes(grades, chosen=chosen, fraction=fraction, seed=seed)
    known, dropped = Counter(grades.values()), Counter(grades[pair] for pair in holes)
    return [GradeLoss(grade, known[grade], dropped[grade]) for grade in collection.scale.grades]
