"""Collections small enough to work out by hand, and people who have judged in them."""

import uuid

from django.db.models import F

from annotate.judging.operations import turns
from annotate.models import Collection, Judgment, Membership
from tests import factories
from tests.factories import NOW

TOPICS = "q1\tfirst topic\nq2\tsecond topic\n"


def with_qrels(first: str, second: str = "", scale: str = "0-3") -> Collection:
    """Topics q1 and q2, the reference `nist`, and where it is given the model `gpt`; grades as `q1 d1 3, q1 d2 0`."""
    collection = factories.make_collection(scale=scale)
    factories.import_text(collection, "TOPICS", TOPICS)
    factories.import_qrels(collection, lines(first))
    if second:
        factories.import_qrels(collection, lines(second), rater="gpt", kind="MODEL")
    return collection


def lines(grades: str) -> str:
    parts = (pair.split() for pair in grades.split(","))
    return "".join(f"{query_id} 0 {passage_id} {grade}\n" for query_id, passage_id, grade in parts)


def add_run(collection: Collection, tag: str, **options: object) -> None:
    """A run of q1 and q2 that ranks passages as its tag says: `d1>d2` puts d1 first."""
    ranked = [(query_id, *place) for query_id in ("q1", "q2") for place in enumerate(tag.split(">"), start=1)]
    text = "".join(f"{query_id} Q0 {passage_id} {rank} {100 - rank} {tag}\n" for query_id, rank, passage_id in ranked)
    factories.import_text(collection, "RUN", text, **options)


def three_systems(**changes: object) -> Collection:
    """The example that `tests/unit/evaluation/engine/test_influence.py` works out: of topic q1 the holes h and x, whose
    influence is .5 and .31546 (at rank 2 of the second system .63093 * 3 / (2 * 2), apart from two others of three);
    nothing in q2 is relevant."""
    collection = with_qrels("q1 r 2, q2 r 0")
    factories.import_text(collection, "PASSAGES", "h\tthe one\nx\tthe other\n")
    for tag in ("h>r", "r>x>h", "r"):
        add_run(collection, tag)
    factories.build_pool(collection)
    Collection.objects.filter(pk=collection.pk).update(**changes)
    collection.refresh_from_db()
    return collection


def show_suggestions(collection: Collection, *, hidden: int = 0, shown: int = 0, reveal: int = 0) -> None:
    Collection.objects.filter(pk=collection.pk).update(share_hidden=hidden, share_shown=shown, share_reveal=reveal)


def decide(assessor: Membership, judgment: Judgment, grade: int) -> None:
    turns.decide(assessor=assessor, judgment_id=judgment.pk, grade=grade, now=NOW, claims_next=False)


def repeat(judgment: Judgment, grade: int, **changes: object) -> Judgment:
    """The same pair came to the same person again, who gave it this grade."""
    again = Judgment.objects.get(pk=judgment.pk)
    again.pk, again.key, again.round, again.grade, again.first_grade = None, uuid.uuid4(), 2, grade, grade
    for name, value in changes.items():
        setattr(again, name, value)
    again.save(force_insert=True)
    Membership.objects.filter(pk=again.assessor_id).update(session_position=F("session_position") + 1)
    return again
