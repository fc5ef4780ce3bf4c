"""Batches of suggestions: a judge grades pairs in the background, in slices that are never done twice."""

import hashlib
import itertools
import json
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.models import Backstory, Batch, Collection, Pair, Passage, Rater, Suggestion, Topic, User, Work
from annotate.operations import queueing, training
from annotate.operations.steps import CannotGoOn, Step
from annotate.queries import training_grades

SUGGEST = "suggest"
LEARNED = "learned"
SLICE = 200


class NothingToDo(Exception):
    """Why no batch is started."""


@transaction.atomic
def request_learned(*, collection: Collection, by: User | None, now: datetime) -> Batch:
    """Queue a batch of the learned judge over all pooled pairs, as a new version of it.

    Raises NothingToDo where the grades to learn from are those of the newest version, or where there are none.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    graded = training_grades.graded(collection)
    known = training_grades.with_texts(collection, graded)
    if not known:
        raise NothingToDo(_no_grades(len(graded)))
    pairs = Pair.objects.filter(collection=collection, is_pooled=True, passage_text__isnull=False).count()
    if not pairs:
        raise NothingToDo("There are no pooled pairs with a text: build the pool and import passages first.")
    digest = _digest(collection, known)
    versions = Rater.objects.filter(collection=collection, judge=LEARNED).order_by("-pk")
    newest = versions.first()
    if newest and newest.parameters["learned_from"] == digest:
        raise NothingToDo(f"{newest.name} learned from the same grades and texts: nothing has changed since.")
    training.keep(digest, known)
    rater = Rater.objects.create(
        collection=collection,
        name=f"{LEARNED}-{versions.count() + 1}",
        kind=Rater.Kind.MODEL,
        judge=LEARNED,
        description="Lacuna's own judge, trained on the judged pairs of this collection; reads text only.",
        parameters={"learned_from": digest, "grades": len(known), "seed": collection.seed},
        created_at=now,
    )
    batch = Batch.objects.create(
        collection=collection,
        rater=rater,
        judge=LEARNED,
        pairs=pairs,
        note=_left_out(len(graded) - len(known)),
        created_at=now,
        created_by=by,
    )
    batch.work = queueing.enqueue(
        collection=collection,
        kind=SUGGEST,
        lane=queueing.SUGGESTIONS,
        subject=f"suggestions of {rater.name}",
        arguments={"batch": batch.pk},
        by=by,
        now=now,
    )
    batch.save(update_fields=["work"])
    return batch


def _no_grades(without_text: int) -> str:
    if without_text:
        return f"There are no grades to learn from: none of the {without_text} judged pairs has a passage text."
    return "There are no grades to learn from: import qrels, or judge some pairs."


def _left_out(count: int) -> str:
    return f"Judged pairs without a passage text, which teach nothing: {count:,}." if count else ""


def run(work: Work) -> Iterator[Step]:
    """Train on the grades of the moment of the request, then predict slice by slice. After a crash it trains again
    (same grades, same judge) and goes on."""
    from annotate.judges import judged_pairs, learned  # scikit-learn costs a second to import

    batch = Batch.objects.select_related("collection", "rater").get(pk=work.arguments["batch"])
    collection = batch.collection
    yield Step(0, batch.pairs, note="reading texts and grades")
    try:
        judge = learned.fit(
            topics={
                query_id: learned.TopicText(text, backstory)
                for query_id, (text, backstory) in _topic_texts(collection).items()
            },
            passages=_passage_texts(collection),
            # Passages may have been withdrawn since the request.
            grades=training_grades.with_texts(collection, training_grades.kept(batch.rater.parameters["learned_from"])),
            scale=collection.scale,
            seed=collection.seed,
        )
    except judged_pairs.TooFewGrades as reason:
        raise CannotGoOn(str(reason)) from None
    yield Step(0, batch.pairs, note="trained; now predicting")
    yield from _predict(batch, judge)
    _finish(batch)


def _predict(batch: Batch, judge) -> Iterator[Step]:  # type: ignore[no-untyped-def]
    wanted = (
        Pair.objects.filter(collection=batch.collection, is_pooled=True, passage_text__isnull=False)
        .exclude(suggestions__rater=batch.rater)
        .select_related("topic")
        .order_by("pk")
    )
    done = Suggestion.objects.filter(batch=batch).count()
    # A passage that was imported since has no text in the judge's memory.
    pairs = iter([pair for pair in wanted if judge.has_read(pair.topic.query_id, pair.passage_id)])
    while part := list(itertools.islice(pairs, SLICE)):
        predictions = judge.predict([(pair.topic.query_id, pair.passage_id) for pair in part])
        Suggestion.objects.bulk_create(
            Suggestion(
                rater=batch.rater,
                pair=pair,
                batch=batch,
                state=Suggestion.State.DONE,
                grade=said.grade,
                probabilities=[round(p, 6) for p in said.probabilities],
                reason=said.reason,
                created_at=timezone.now(),
            )
            for pair, said in zip(part, predictions, strict=True)
        )
        done += len(part)
        yield Step(done, batch.pairs)


@transaction.atomic
def _finish(batch: Batch) -> None:
    """The first model with suggestions becomes the one that assessors see, in the arms that show one."""
    Batch.objects.filter(pk=batch.pk).update(finished_at=timezone.now())
    Collection.objects.filter(pk=batch.collection_id, suggesting_rater=None).update(suggesting_rater=batch.rater)


def _topic_texts(collection: Collection) -> dict[str, tuple[str, str]]:
    backstories = dict(
        Backstory.objects.filter(topic__collection=collection, is_current=True).values_list("topic", "text")
    )
    topics = Topic.objects.published().filter(collection=collection)
    return {topic.query_id: (topic.text, backstories.get(topic.pk, "")) for topic in topics}


def _passage_texts(collection: Collection) -> dict[str, str]:
    rows = Passage.objects.filter(pairs__collection=collection).distinct().values_list("passage_id", "title", "text")
    return {passage_id: f"{title}\n{text}" if title else text for passage_id, title, text in rows}


def _digest(collection: Collection, known: dict[tuple[str, str], int]) -> str:
    """Of all that the learned judge reads: grades, topics with backstories, which passages have a text, the seed."""
    passages = (
        Passage.objects.filter(pairs__collection=collection).distinct().order_by("pk").values_list("pk", flat=True)
    )
    read = [
        sorted([*pair, grade] for pair, grade in known.items()),
        sorted([query_id, *texts] for query_id, texts in _topic_texts(collection).items()),
        list(passages),
        collection.seed,
    ]
    return hashlib.sha256(json.dumps(read, ensure_ascii=False).encode()).hexdigest()
