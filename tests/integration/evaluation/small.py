"""Collections small enough to work out by hand, and people who have judged in them."""

from annotate.models import Collection, Judgment, Membership
from annotate.operations import judging
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


def show_suggestions(collection: Collection, *, hidden: int = 0, shown: int = 0, reveal: int = 0) -> None:
    Collection.objects.filter(pk=collection.pk).update(share_hidden=hidden, share_shown=shown, share_reveal=reveal)


def decide(assessor: Membership, judgment: Judgment, grade: int) -> None:
    judging.decide_after_reveal(assessor=assessor, judgment_id=judgment.pk, grade=grade, now=NOW)
