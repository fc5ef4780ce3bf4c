"""Loading the sample collection and its query variants. A second run skips what is there and touches no judgment."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotate.collections.operations import collections, people
from annotate.formats import qrels, texts, whole_files
from annotate.formats.records import Passage, Qrel, Topic
from annotate.grades import rankings
from annotate.imports import queries as imports_queries
from annotate.imports.operations import uploads
from annotate.management import command_line
from annotate.models import Collection, HoleDraw, ImportedFile, QueryVariant, Rater, User, Work, raters, required
from annotate.own_judges.operations import requests
from annotate.pool.operations import pooling, retrieval
from annotate.retrieval import scorers
from annotate.rules import completion
from annotate.sample import documentation, loading
from annotate.work import kept_files

SLUG = "python-docs"
RATER = "demonstration-reference"
RESEARCHER, ASSESSORS = "researcher", ("assessor-1", "assessor-2")
LOGINS = "demo_logins.txt"


def load_sample(tell: Callable[[str], None]) -> Collection:
    """The sample collection, ready to be judged."""
    researcher = _people()
    collection = _collection(researcher)
    known = documentation.read_passages()
    listed = loading.read_topics()
    tell(f"{len(known):,} passages of Python's own documentation, {len(listed)} topics")
    _import_texts(collection, known, listed)
    for note in _import_grades(collection, known):
        tell(note)
    _sample_loading_retrieve(collection, tell)
    _make_holes(collection, tell)
    _sample_loading_suggest(collection, tell)
    return collection


def logins_path() -> Path:
    return kept_files.path(LOGINS)


def _people() -> User:
    """Three accounts with random passwords, kept in a file that only its owner reads."""
    fresh = {name: people.new_password() for name in (RESEARCHER, *ASSESSORS)}
    if not User.objects.filter(username__in=fresh).exists():
        whole_files.write(logins_path(), [f"{name}  {password}\n".encode() for name, password in fresh.items()])
        with transaction.atomic():
            for name, password in fresh.items():
                User.objects.create_user(name, password=password, may_create_collections=name == RESEARCHER)
    return User.objects.get(username=RESEARCHER)


def _collection(researcher: User) -> Collection:
    if there := Collection.objects.filter(slug=SLUG).first():
        return there
    now = timezone.now()
    made = collections.create_collection(
        slug=SLUG, title="Python documentation (sample)", scale=loading.SCALE, by=researcher, now=now
    )
    words = loading.read_grade_words()
    collections.add_guidelines(
        collection=made, text=loading.read_guidelines(), grade_words=words, by=researcher, now=now
    )
    for name in ASSESSORS:
        people.add_member(collection=made, user=User.objects.get(username=name), role="ASSESSOR", now=now)
    # Half of the pairs show the suggestion from the start, half reveal it after the save: a newcomer sees both.
    shares: dict[str, object] = {"share_hidden": 0, "share_shown": 50, "share_reveal": 50}
    return collections.change_judging(collection=made, changes=shares)


def _import_texts(collection: Collection, known: list[Passage], listed: list[Topic]) -> None:
    stream = io.BytesIO()
    texts.write_topics(listed, stream)
    import_file(collection, "TOPICS", "topics.jsonl", stream, {"backstory_origin": "GENERATED"})
    stream = io.BytesIO()
    texts.write_passages(known, stream)
    import_file(collection, "PASSAGES", "passages.jsonl", stream, {})


def _import_grades(collection: Collection, known: list[Passage]) -> list[str]:
    graded, notes = loading.read_qrels({passage.passage_id for passage in known})
    stream = io.BytesIO()
    qrels.write_qrels((Qrel(q, p, grade) for q, grades in graded.items() for p, grade in grades.items()), stream)
    options: dict[str, object] = {
        "rater": RATER,
        "rater_kind": Rater.Kind.REFERENCE,
        "rater_description": "A demonstration reference made for this sample; not NIST, not for conclusions.",
    }
    import_file(collection, "QRELS", "demonstration.qrels", stream, options)
    return notes


def _sample_loading_retrieve(collection: Collection, tell: Callable[[str], None]) -> None:
    if imports_queries.find_unranked(collection, list(scorers.SYSTEMS), with_variants=False, most=1).parts:
        tell(f"retrieving with {len(scorers.SYSTEMS)} systems")
        queued = retrieval.request_retrieval(collection=collection, with_variants=False, by=None, now=timezone.now())
        check_done(command_line.see_through(queued))


def _make_holes(collection: Collection, tell: Callable[[str], None]) -> None:
    collection.refresh_from_db()
    if collection.frame_version == 0:
        tell("building the pool")
        queued = pooling.request_pool(collection=collection, depth=10, by=None, now=timezone.now())
        check_done(command_line.see_through(queued))
    if not HoleDraw.objects.filter(collection=collection).exists():
        draw = pooling.draw_holes(
            collection=collection, fraction=0.25, chosen=[0, 1, 2, 3], seed=1, by=None, now=timezone.now()
        )
        command_line.let_pairs_follow(collection)
        tell(f"{draw.dropped} grades held out as holes")


def _sample_loading_suggest(collection: Collection, tell: Callable[[str], None]) -> None:
    if Rater.objects.filter(collection=collection, judge=raters.LEARNED).exists():
        return
    tell("training the learned judge and asking it about every pooled pair; assessors see what it says")
    batch = requests.request_version(collection=collection, by=None, now=timezone.now())
    check_done(command_line.see_through(required(batch.work)))
    collections.change_judging(collection=collection, changes={"suggesting_rater": batch.rater})


def import_file(collection: Collection, kind: str, name: str, stream: io.BytesIO, options: dict[str, object]) -> None:
    """Import what another start has not imported; its texts may differ where Python was upgraded meanwhile."""
    if ImportedFile.objects.filter(collection=collection, kind=kind, name=name, state="PUBLISHED").exists():
        return
    imported = uploads.receive(
        collection=collection,
        kind=kind,
        name=name,
        chunks=[stream.getvalue()],
        options=options,
        by=None,
        now=timezone.now(),
    )
    check_done(command_line.see_through(required(imported.work)))


def check_done(ended: Work) -> None:
    """Ends the command where work did not end well."""
    if ended.state != Work.State.DONE:
        command_line.refuse(f"{ended.subject}: {ended.error}")


def closing_sentences(collection: Collection) -> Iterator[str]:
    """What to tell the person who loaded it."""
    yield f"The sample collection is ready: {collection.title}."
    yield f"Logins (researcher and two assessors) are in {logins_path()}."


PLAN = "profile-study.json"
Loaded = dict[str, object]


def load_variants(collection: Collection, tell: Callable[[str], None]) -> Loaded:
    """What there is of query variants in the end, the model rater that was asked about their holes, and the file with
    the plan of a profile study in which it fills them."""
    listed = loading.VARIANTS
    import_file(collection, "VARIANTS", listed.name, io.BytesIO(listed.read_bytes()), {})
    if imports_queries.find_unranked(
        collection, list(scorers.SYSTEMS), with_variants=True, most=retrieval.QUERIES_OF_A_RUN
    ).parts:
        tell("the pool grows to some 22,900 pairs, and what waits for assessors with it; it takes some minutes")
        tell("retrieving for all query variants")
        _sample_variants_retrieve(collection)
    model = _sample_variants_suggest(collection, tell)
    plan = {"after": str(completion.Rule((*completion.Rule().sources, f"{completion.MODEL}{model}")))}
    whole_files.write(kept_files.path(PLAN), [json.dumps(plan).encode()], mode=whole_files.PUBLIC)
    return {
        "variants": QueryVariant.objects.published().filter(collection=collection).count(),
        "variant_runs": len(rankings.published_variant_runs(collection)),
        "pairs": collection.pairs.filter(is_pooled=True).count(),
        "model": model,
        "plan": str(kept_files.path(PLAN)),
    }


def next_command(loaded: Loaded) -> str:
    """The study that can be made of them, as a command."""
    command = f"study start --collection {SLUG} --kind profiles --plan {loaded['plan']}"
    there = f"{loaded['variants']:,} query variants and {loaded['variant_runs']} runs of them are there."
    return f"{there} To study them: manage.py {command} --folder profile-study"


def _sample_variants_retrieve(collection: Collection) -> None:
    now = timezone.now()
    queued = retrieval.request_retrieval(collection=collection, with_variants=True, by=None, now=now)
    check_done(command_line.see_through(queued))


def _sample_variants_suggest(collection: Collection, tell: Callable[[str], None]) -> str:
    """The name of the version that was asked about the whole pool."""
    tell("building the pool with them")
    queued = pooling.request_pool(collection=collection, depth=10, by=None, now=timezone.now())
    check_done(command_line.see_through(queued))
    tell("asking the learned judge about the new pairs of the pool")
    try:
        batch = requests.request_version(collection=collection, by=None, now=timezone.now())
    except requests.NothingToDo:
        return collection.raters.filter(judge=raters.LEARNED).latest("pk").name
    check_done(command_line.see_through(required(batch.work)))
    return required(batch.rater).name
