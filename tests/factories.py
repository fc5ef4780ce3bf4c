"""Collections, people and pairs for tests, made through the operations that people use."""

import itertools
import tempfile
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from annotate.adjudication import operations as adjudication_operations
from annotate.adjudication import queries as adjudication_queries
from annotate.collections.operations import collections, people
from annotate.exports import operations as exports_operations
from annotate.formats.records import GradeScale
from annotate.imports.operations import uploads
from annotate.judging.operations import judgments, turns
from annotate.models import (
    Adjudication,
    Claim,
    Collection,
    Guidelines,
    ImportedFile,
    Judgment,
    Membership,
    Pair,
    Rater,
    Suggestion,
    User,
)
from annotate.pairs import pair_states
from annotate.pairs import refresh as pair_claims
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.work import engine

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
PASSWORD = "correct horse battery"
_numbers = itertools.count(1)


def make_user(username: str = "", **fields: object) -> User:
    username = username or f"person{next(_numbers)}"
    return User.objects.create_user(username, password=PASSWORD, **fields)


def make_collection(slug: str = "", scale: str = "0-3", by: User | None = None, **changes: object) -> Collection:
    """A collection whose researcher is `by` (a new person where nobody is named); `changes` are fields of its row."""
    slug = slug or f"collection-{next(_numbers)}"
    by = by or make_user(may_create_collections=True)
    collection = collections.create_collection(slug=slug, title=slug, scale=GradeScale.parse(scale), by=by, now=NOW)
    if changes:
        Collection.objects.filter(pk=collection.pk).update(**changes)
        collection.refresh_from_db()
    return collection


def make_assessor(collection: Collection, username: str = "") -> Membership:
    return people.add_member(collection=collection, user=make_user(username), role="ASSESSOR", now=NOW)


def import_text(
    collection: Collection, kind: str, text: str | bytes, name: str = "", **options: object
) -> ImportedFile:
    """Import a file with this content, as the page and the command do, and run the work to its end."""
    content = text.encode() if isinstance(text, str) else text
    name = name or f"{kind.lower()}{next(_numbers)}.txt"
    imported = uploads.receive(
        collection=collection, kind=kind, name=name, chunks=[content], options=options, by=None, now=NOW
    )
    engine.run(engine.claim(work_id=imported.work_id))
    imported.refresh_from_db()
    collection.refresh_from_db()
    return imported


def import_qrels(collection: Collection, text: str, rater: str = "nist", kind: str = "REFERENCE") -> ImportedFile:
    return import_text(collection, "QRELS", text, rater=rater, rater_kind=kind)


def export_files(collection: Collection, rule: completion.Rule) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The bytes of the files of an export by name, and its manifest; nothing is frozen."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = exports_operations.build_files(collection, rule, Path(folder))
        return {name: (Path(folder) / name).read_bytes() for name in exports_operations.FILES}, manifest


def build_pool(collection: Collection, depth: int = 10) -> None:
    queued = pooling.request_pool(collection=collection, depth=depth, by=None, now=NOW)
    engine.run(engine.claim(work_id=queued.pk))
    collection.refresh_from_db()


def make_holes(collection: Collection, topics: int = 2, passages: int = 3) -> Collection:
    """Topics q1..., each with passages d<topic>.1... that one run retrieves: all are pooled, none is judged."""
    queries = [f"q{t}" for t in range(1, topics + 1)]
    names = {q: [f"d{q[1:]}.{p}" for p in range(1, passages + 1)] for q in queries}
    import_text(collection, "TOPICS", "".join(f"{q}\twhat is {q}\n" for q in queries))
    import_text(
        collection, "PASSAGES", "".join(f"{p}\tthe passage {p} tells of {q}\n" for q in queries for p in names[q])
    )
    lines = [f"{q} Q0 {p} {r} {100 - r} first" for q in queries for r, p in enumerate(names[q], start=1)]
    import_text(collection, "RUN", "\n".join(lines))
    build_pool(collection)
    return collection


def make_suggestions(collection: Collection, grade: int = 1, rater: str = "model-a", reason: str = "") -> Rater:
    """A model that gives every pooled pair this grade, chosen as the one that assessors see."""
    pairs = list(collection.pairs.filter(is_pooled=True).select_related("topic"))
    import_qrels(
        collection,
        "".join(f"{pair.topic.query_id} 0 {pair.passage_id} {grade}\n" for pair in pairs),
        rater=rater,
        kind="MODEL",
    )
    model = Rater.objects.get(collection=collection, name=rater)
    Suggestion.objects.filter(rater=model).update(reason=reason)
    Collection.objects.filter(pk=collection.pk).update(suggesting_rater=model)
    collection.refresh_from_db()
    return model


def claim(assessor: Membership, now: datetime = NOW) -> Claim | None:
    """The next pair; where a suggestion was revealed, the assessor keeps the grade first."""
    assessor.refresh_from_db()
    turn = turns.begin(assessor=assessor, now=now)
    while turn.undecided:
        kept = {"judgment_id": turn.undecided.pk, "grade": turn.undecided.grade}
        turn = turns.decide(assessor=assessor, **kept, now=now)
    return turn.claim


def let_claims_run_out(collection: Collection, now: datetime) -> None:
    """As the next assessor who comes does it; who takes nothing here."""
    passer_by = make_assessor(collection)
    turns.begin(assessor=passer_by, now=now)
    pair_claims.release_claims(assessor=passer_by, now=now)


def save(
    *, assessor: Membership, token: uuid.UUID, key: uuid.UUID, answer: judgments.Answer, now: datetime
) -> Judgment:
    """Answer a claimed pair, without the next one."""
    person = {"by": assessor.user, "slug": assessor.collection.slug}
    return turns.save(**person, token=token, key=key, answer=answer, now=now, claims_next=False).judgment


def judge(assessor: Membership, grade: int | None = 2, now: datetime = NOW, **said: object) -> Judgment:
    """Claim the assessor's next pair and answer it."""
    claimed = claim(assessor, now)
    assert claimed is not None, "nothing to judge"
    reason = "" if grade is not None else "not readable"
    return save(
        assessor=assessor,
        token=claimed.token,
        key=said.pop("key", uuid.uuid4()),
        answer=judgments.Answer(grade=grade, reason=reason, **said),
        now=now + timedelta(seconds=5),
    )


def make_adjudicator(collection: Collection, username: str = "") -> Membership:
    return people.add_member(collection=collection, user=make_user(username), role="ADJUDICATOR", now=NOW)


def adjudicate(
    adjudicator: Membership, pair: Pair, grade: int | None = 2, now: datetime = NOW, reason: str = "so it is"
) -> Adjudication:
    """Decide a pair as it is shown at this moment."""
    adjudicator.refresh_from_db()
    card = adjudication_queries.build_card(adjudicator, pair.pk, now)
    return adjudication_operations.decide(
        adjudicator=adjudicator,
        pair_id=pair.pk,
        key=uuid.uuid4(),
        shown=card.shown,
        decision=adjudication_operations.Decision(grade, reason),
        now=now + timedelta(seconds=5),
    )


def make_judged(*grades: list[int | None], slug: str = "", **changes: object) -> tuple[Collection, list[Pair]]:
    """A collection of one topic whose pairs each have so many judgments as there are lists: every list is one person's
    grades (None: cannot judge), pair by pair; `changes` are fields of the collection's row. With the pairs in order."""
    collection = make_collection(slug, **{"target": len(grades), **changes})
    make_holes(collection, topics=1, passages=len(grades[0]))
    pairs: dict[int, Pair] = {}
    for given in grades:
        assessor = make_assessor(collection)
        pairs |= {judgment.pair_id: judgment.pair for judgment in [judge(assessor, grade) for grade in given]}
    return collection, list(Pair.objects.filter(pk__in=pairs).select_related("topic").order_by("order_key", "pk"))


def judge_once_more(pair: Pair, grade: int | None) -> Judgment:
    """One more person is asked about the pair, and answers."""
    pair = Pair.objects.select_related("collection").get(pk=pair.pk)
    Collection.objects.filter(pk=pair.collection_id).update(target=pair.target + 1)
    pair_states.refresh(collection=pair.collection, pairs=[pair])
    judgment = judge(make_assessor(pair.collection), grade)
    assert judgment.pair_id == pair.pk, "another pair came first"
    return judgment


def decide(pair: Pair, grade: int | None, now: datetime = NOW) -> Adjudication:
    """A decision of the collection's researcher, in force at once; None where nobody can judge the pair."""
    earlier = Adjudication.objects.filter(pair=pair)
    earlier.update(is_current=False)
    made = Adjudication.objects.create(
        pair=pair,
        adjudicator=Membership.objects.get(collection=pair.collection_id, role="RESEARCHER"),
        version=earlier.count() + 1,
        key=uuid.uuid4(),
        grade=grade,
        reason="seen both",
        guidelines=Guidelines.objects.get(collection=pair.collection_id, is_current=True),
        judgments=pair.judgments.filter(round=1, is_current=True).count(),
        created_at=now,
    )
    pair_states.refresh(collection=pair.collection, pairs=[Pair.objects.get(pk=pair.pk)])
    return made
