"""A generated collection to judge: `python -m benchmarks.judging_collection PAIRS [--suggestions]`.

Works in the installation that LACUNA_DATA_DIR names, through the operations that everybody uses; only the judgments
that half of the pairs already have are written in bulk. Prints how to sign in, as JSON.
"""

import io
import itertools
import json
import sys
import uuid
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import IO, NamedTuple, TypeVar

import django
import numpy as np
from django.utils import timezone

from annotate.formats import qrels, texts
from annotate.formats.records import GradeScale, Passage, Qrel, Topic
from benchmarks import generated

django.setup()  # the installation is known from the environment: models can be imported from here on

from django.db import transaction  # noqa: E402

from annotate.collections.operations import collections, people  # noqa: E402
from annotate.imports.operations import uploads  # noqa: E402
from annotate.models import Backstory, Claim, Collection, Guidelines, Judgment, Membership, Pair, Rater, User  # noqa: E402
from annotate.pairs import pair_states  # noqa: E402
from annotate.pool.operations import pooling  # noqa: E402
from annotate.work import engine  # noqa: E402

SLUG = "bench"
ASSESSORS = 10
RESEARCHER = "researcher"
BATCH = 500
SEED = 7
GUIDELINES = "Read the passage with the need in mind.\n\n" + "\n".join(
    f"- **{word}**: {' '.join(['what counts here and what does not'] * 4)}." for word in ("none", "little", "much")
)

R = TypeVar("R")


class Installation(NamedTuple):
    """Who can sign in, all with one password; the assessors come in the order of their names."""

    password: str
    assessors: list[str]


def make(pairs: int, suggestions: bool) -> Installation:
    """A collection of 54 topics with this many pooled pairs, half of them judged, and ten assessors."""
    password = people.new_password()
    researcher = User.objects.create_user(RESEARCHER, password=password, may_create_collections=True)
    now = timezone.now()
    collection = collections.create_collection(slug=SLUG, title="Bench", scale=GradeScale(0, 3), by=researcher, now=now)
    words = collections.usual_grade_words(collection.scale)
    collections.add_guidelines(collection=collection, text=GUIDELINES, grade_words=words, by=researcher, now=now)
    names = [f"assessor-{number:02}" for number in range(ASSESSORS)]
    for name in names:
        user = User.objects.create_user(name, password=password)
        people.add_member(collection=collection, user=user, role="ASSESSOR", now=now)
    _import(collection, pairs)
    if suggestions:
        _suggest(collection)
    engine.run_waiting()
    _judge_half(collection)
    engine.run_waiting()
    return Installation(password, names)


def _import(collection: Collection, pairs: int) -> None:
    asked, known = generated.make_topics(), list(generated.make_passages(pairs))
    _receive(collection, "TOPICS", texts.write_topics, asked, backstory_origin="WRITTEN")
    _receive(collection, "PASSAGES", texts.write_passages, known)
    depth = max(generated.shares_of_topics(pairs))
    run = io.BytesIO("".join(_ranked(asked, known)).encode())
    _receive_bytes(collection, "RUN", run, is_pooled=True)
    pooling.request_pool(collection=collection, depth=depth, by=None, now=timezone.now())
    engine.run_waiting()


def _ranked(asked: list[Topic], known: list[Passage]) -> Iterable[str]:
    """A run that retrieves each passage once."""
    left = iter(known)
    for topic, share in zip(asked, generated.shares_of_topics(len(known)), strict=True):
        for rank, passage in enumerate(itertools.islice(left, share), start=1):
            yield f"{topic.query_id} Q0 {passage.passage_id} {rank} {share - rank} one\n"


def _suggest(collection: Collection) -> None:
    """A model's grade for each pair, revealed after the save."""
    rows = Pair.objects.filter(collection=collection).values_list("topic__query_id", "passage_id")
    grades = [Qrel(query_id, passage_id, pk % 4) for pk, (query_id, passage_id) in enumerate(rows)]
    _receive(collection, "QRELS", qrels.write_qrels, grades, rater="model", rater_kind="MODEL")
    model = Rater.objects.get(collection=collection, name="model")
    arms = {"share_hidden": 0, "share_shown": 0, "share_reveal": 100}
    collections.change_judging(collection=collection, changes={"suggesting_rater": model, **arms})


def _receive(
    collection: Collection,
    kind: str,
    write: Callable[[Iterable[R], IO[bytes]], None],
    records: Iterable[R],
    **options: object,
) -> None:
    stream = io.BytesIO()
    write(records, stream)
    _receive_bytes(collection, kind, stream, **options)


def _receive_bytes(collection: Collection, kind: str, stream: io.BytesIO, **options: object) -> None:
    name, chunks = f"{kind.lower()}.txt", [stream.getvalue()]
    imported = uploads.receive(
        collection=collection, kind=kind, name=name, chunks=chunks, options=options, by=None, now=timezone.now()
    )
    engine.run_waiting()
    imported.refresh_from_db()
    if imported.state != "PUBLISHED":
        raise RuntimeError(f"{name} was not imported: {imported.faults}")


def _judge_half(collection: Collection) -> None:
    """As if the assessors had judged every second pair in turn, in the past hours."""
    collection.refresh_from_db()
    random = np.random.default_rng(SEED)
    assessors = itertools.cycle(list(Membership.objects.filter(collection=collection, role="ASSESSOR").order_by("pk")))
    backstories = dict(Backstory.objects.filter(is_current=True).values_list("topic", "pk"))
    guidelines = Guidelines.objects.get(collection=collection, is_current=True)
    rows = iter(list(Pair.objects.filter(collection=collection).order_by("pk").values_list("pk", flat=True)[::2]))
    while batch := list(itertools.islice(rows, BATCH)):
        with transaction.atomic():
            pairs = list(Pair.objects.select_related("topic").filter(pk__in=batch).order_by("pk"))
            graded = [(pair, next(assessors), int(random.integers(4))) for pair in pairs]
            _store(collection, guidelines, backstories, graded)
            pair_states.refresh(collection=collection, pairs=pairs)


def _store(
    collection: Collection,
    guidelines: Guidelines,
    backstories: dict[int, int],
    graded: list[tuple[Pair, Membership, int]],
) -> None:
    at = timezone.now() - timedelta(hours=3)
    claims = Claim.objects.bulk_create(
        Claim(
            collection=collection,
            pair=pair,
            assessor=assessor,
            token=uuid.uuid4(),
            state=Claim.State.JUDGED,
            claimed_at=at,
            expires_at=at,
            closed_at=at,
            arm="HIDDEN",
            backstory_id=backstories[pair.topic_id],
            guidelines=guidelines,
            order=collection.order,
            order_seed=collection.seed,
            order_key=pair.order_key,
        )
        for pair, assessor, _ in graded
    )
    judgments = []
    for (pair, assessor, grade), claim in zip(graded, claims, strict=True):
        assessor.judged += 1
        judgments.append(_judgment(claim, pair, grade, assessor.judged))
    Judgment.objects.bulk_create(judgments)
    Membership.objects.bulk_update({assessor for _, assessor, _ in graded}, ["judged"])


def _judgment(claim: Claim, pair: Pair, grade: int, position: int) -> Judgment:
    return Judgment(
        pair=pair,
        assessor=claim.assessor,
        claim=claim,
        key=uuid.uuid4(),
        outcome=Judgment.Outcome.GRADED,
        grade=grade,
        first_grade=grade,
        arm=claim.arm,
        is_suggestion_seen=False,
        backstory_id=claim.backstory_id,
        guidelines=claim.guidelines,
        created_at=claim.closed_at or claim.claimed_at,
        shown_at=claim.claimed_at,
        session=1,
        session_position=position,
        order=claim.order,
        order_seed=claim.order_seed,
        order_key=claim.order_key,
        stratum=pair.topic.query_id,
        frame_version=pair.frame_version,
    )


if __name__ == "__main__":
    print(json.dumps(make(int(sys.argv[1]), "--suggestions" in sys.argv[2:])._asdict()))
