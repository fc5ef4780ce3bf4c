"""Backstories and query variants: new versions, drafts, flags, measures, checks."""

import heapq
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from annotate.formats import records
from annotate.models import (
    Backstory,
    BackstoryFlag,
    Claim,
    Collection,
    Generation,
    ImportedFile,
    Membership,
    Passage,
    Profile,
    QueryVariant,
    Topic,
    User,
    VariantCheck,
    Work,
)
from annotate.retrieval import analysis
from annotate.rules import drawing
from annotate.texts import rules
from annotate.texts.queries import backstories
from annotate.texts.rules import Measures
from annotate.work import queue
from annotate.work.queue import Step, WorkRequest


@transaction.atomic
def add_version(*, topic: Topic, text: str, origin: str, by: User | None, now: datetime) -> Backstory:
    """The next version of a topic's backstory, shown with pairs that are claimed from now on; the same text makes
    none."""
    Topic.objects.select_for_update().get(pk=topic.pk)
    current = Backstory.objects.filter(topic=topic, is_current=True).first()
    if current and current.text == text:
        return current
    Backstory.objects.filter(topic=topic, is_current=True).update(is_current=False)
    return Backstory.objects.create(
        topic=topic, version=_next_version(topic), text=text, origin=origin, created_at=now, created_by=by
    )


@transaction.atomic
def add_draft(*, topic: Topic, text: str, generation: Generation, now: datetime) -> Backstory:
    """A version that a model wrote: nobody but researchers reads it, and what is in force stays, until it is
    approved."""
    Topic.objects.select_for_update().get(pk=topic.pk)
    return Backstory.objects.create(
        topic=topic,
        version=_next_version(topic),
        text=text,
        origin=Backstory.Origin.GENERATED,
        generation=generation,
        state=Backstory.State.DRAFT,
        is_current=False,
        created_at=now,
        created_by_id=generation.batch.created_by_id,
    )


@transaction.atomic
def approve_version(*, backstory: Backstory) -> None:
    """A researcher finds it fine as it is. A draft is in force from now on; what was said against a version stays to be
    read."""
    Topic.objects.select_for_update().get(pk=backstory.topic_id)
    is_draft = Backstory.objects.filter(pk=backstory.pk, state=Backstory.State.DRAFT).exists()
    if is_draft:
        Backstory.objects.filter(topic=backstory.topic_id, is_current=True).update(is_current=False)
    Backstory.objects.filter(pk=backstory.pk).update(
        state=Backstory.State.APPROVED, **({"is_current": True} if is_draft else {})
    )


def approve_drafts(*, collection: Collection) -> int:
    """Approve the newest draft of every topic that is newer than what is in force; returns how many there were."""
    waiting = backstories.list_drafts(collection)
    for draft in waiting:
        approve_version(backstory=draft)
    return len(waiting)


@transaction.atomic
def flag_version(*, assessor: Membership, backstory_id: int, comment: str, now: datetime) -> BackstoryFlag:
    """An assessor says that a version looks wrong: once, what is said later replaces the comment.

    Raises Backstory.DoesNotExist for a version that never stood beside a pair of the assessor's.
    """
    shown = Claim.objects.filter(assessor=assessor).values("backstory")
    backstory = Backstory.objects.select_for_update().get(pk=backstory_id, pk__in=shown)
    made, is_new = BackstoryFlag.objects.get_or_create(
        backstory=backstory, assessor=assessor, defaults={"comment": comment, "created_at": now}
    )
    if not is_new and comment:
        made.comment = comment
        made.save(update_fields=["comment"])
    Backstory.objects.filter(pk=backstory.pk).update(state=Backstory.State.FLAGGED)
    return made


def _next_version(topic: Topic) -> int:
    return (Backstory.objects.filter(topic=topic).aggregate(newest=Max("version"))["newest"] or 0) + 1


_BITS = 48


@transaction.atomic
def add_variants(
    *,
    collection: Collection,
    topic: Topic,
    profile: Profile,
    texts: Sequence[str],
    generation: Generation | None = None,
    source: ImportedFile | None = None,
    now: datetime,
) -> list[QueryVariant]:
    """A row for each wording, in this order; numbers go on from those that the topic has of the profile.

    The ids depend on the collection's seed, on what they stand for and on the wording alone, so the same collection
    made again has the same ones, and a run that ranked one wording never stands for another one that came in its place.
    They are no id of another variant or of a topic.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    named = QueryVariant.objects.filter(topic=topic, profile__name=profile.name)  # of whatever version: files tell none
    there = named.aggregate(newest=Max("number"))["newest"] or 0
    return QueryVariant.objects.bulk_create(
        QueryVariant(
            collection=collection,
            variant_id=_free_id(collection, topic, profile, number, text),
            topic=topic,
            profile=profile,
            number=number,
            text=text,
            generation=generation,
            source=source,
            created_at=now,
        )
        for number, text in enumerate(texts, start=there + 1)
    )


def _free_id(collection: Collection, topic: Topic, profile: Profile, number: int, text: str) -> str:
    names = (topic.query_id, profile.name, str(profile.version), str(number), text)
    for attempt in itertools.count():
        drawn = drawing.seeded_number(collection.seed, "variant", *names, str(attempt), bits=_BITS)
        variant_id = f"v{drawn:0{_BITS // 4}x}"
        if not (
            QueryVariant.objects.filter(collection=collection, variant_id=variant_id).exists()
            or Topic.objects.filter(collection=collection, query_id=variant_id).exists()
        ):
            return variant_id
    raise AssertionError("unreachable")


MOST_PEOPLE = 10


class CannotDraw(Exception):
    """Why no variants are put in front of people; the sentence that the person reads."""


class NotOffered(Exception):
    """The person was not asked about this variant in this way."""


class CheckAnswer(NamedTuple):
    """`writer` is one of VariantCheck.Writer, empty where no two profiles were offered; `first_id` and `second_id` are
    those that were, in the order in which they stood."""

    has_same_meaning: bool
    writer: str = ""
    first_id: int | None = None
    second_id: int | None = None
    comment: str = ""


@transaction.atomic
def draw_checks(*, collection: Collection, per_profile: int, people: int, gold: int = 0) -> int:
    """Ask so many people about a seeded choice of variants of each profile, all of them where there are fewer; returns
    how many variants that is. Among them everybody is asked `gold` questions whose answer is known: another variant
    beside the query of a topic that is not its own. An earlier choice ends; its answers stay. Raises CannotDraw."""
    if per_profile < 1 or gold < 0 or not 1 <= people <= MOST_PEOPLE:
        raise CannotDraw(f"Choose at least one variant of each profile, and 1 to {MOST_PEOPLE} people.")
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    chosen = _choose_variants(locked, per_profile)
    if not chosen:
        raise CannotDraw("There are no variants with a text yet.")
    _end_checks(locked)
    rows = QueryVariant.objects.filter(collection=collection)
    for start in range(0, len(chosen), 500):
        rows.filter(pk__in=chosen[start : start + 500]).update(checks_wanted=people)
    if gold:
        _set_gold(locked, gold)
    return len(chosen)


@transaction.atomic
def end_checks(*, collection: Collection) -> None:
    """Nobody is asked any more; answers stay."""
    _end_checks(Collection.objects.select_for_update(no_key=True).get(pk=collection.pk))


def _end_checks(collection: Collection) -> None:
    asked = Q(checks_wanted__gt=0) | Q(gold_topic__isnull=False)
    QueryVariant.objects.filter(asked, collection=collection).update(checks_wanted=0, gold_topic=None)


def _set_gold(collection: Collection, gold: int) -> None:
    """Of variants that nobody was asked about, a seeded choice, each beside another topic. Raises CannotDraw where
    these or topics are too few."""
    topics = list(Topic.objects.published().filter(collection=collection).order_by("query_id"))
    free = QueryVariant.objects.published().filter(collection=collection, checks_wanted=0, checks=None).exclude(text="")
    seed = collection.seed
    chosen = heapq.nsmallest(gold, free, key=lambda one: drawing.seeded_number(seed, "gold", one.variant_id))
    if len(chosen) < gold or len(topics) < 2:
        raise CannotDraw(
            f"There are {len(chosen)} variants left for {gold} gold questions: choose fewer of each profile, or fewer "
            "gold questions. They need two topics."
        )
    for variant in chosen:
        others = [topic for topic in topics if topic.pk != variant.topic_id]
        variant.gold_topic = others[drawing.seeded_number(seed, "gold topic", variant.variant_id) % len(others)]
        variant.save(update_fields=["gold_topic"])


@transaction.atomic
def record_check(*, member: Membership, variant_id: int, answer: CheckAnswer, now: datetime) -> VariantCheck:
    """A person's answer, which replaces an earlier one. Raises NotOffered for a variant about which nobody is asked, or
    that is withdrawn, and for profiles that cannot have stood beside it."""
    # What is taken out is locked by the collection too: an answer comes before it, or not at all.
    Collection.objects.select_for_update(no_key=True).get(pk=member.collection_id)
    variant = QueryVariant.objects.published().filter(pk=variant_id, collection=member.collection_id).first()
    if variant is None:
        raise NotOffered
    there = VariantCheck.objects.select_for_update().filter(variant=variant, member=member).first()
    is_asked = there or variant.checks_wanted or variant.gold_topic_id
    if not is_asked or not _may_have_stood(variant, answer):
        raise NotOffered
    gold_topic = there.gold_topic_id if there else variant.gold_topic_id
    check, _ = VariantCheck.objects.update_or_create(
        variant=variant, member=member, defaults={**answer._asdict(), "gold_topic_id": gold_topic, "created_at": now}
    )
    return check


def _may_have_stood(variant: QueryVariant, answer: CheckAnswer) -> bool:
    """Whether the two profiles are its own and another of the collection, or no two were offered."""
    offered = [one for one in (answer.first_id, answer.second_id) if one is not None]
    if not offered:
        return not answer.writer
    here = Profile.objects.filter(pk__in=offered, collection=variant.collection_id).count()
    return bool(answer.writer) and variant.profile_id in offered and here == 2


def _choose_variants(collection: Collection, per_profile: int) -> list[int]:
    """Row ids; the choice depends on the seed and the variant ids alone."""
    by_profile: dict[int, list[tuple[int, int]]] = {}
    rows = QueryVariant.objects.published().filter(collection=collection).exclude(text="")
    for pk, variant_id, profile in rows.values_list("pk", "variant_id", "profile").iterator():
        by_profile.setdefault(profile, []).append((drawing.seeded_number(collection.seed, "check", variant_id), pk))
    return [pk for keyed in by_profile.values() for _, pk in heapq.nsmallest(per_profile, keyed)]


MEASURE = "measure variants"
PASSAGES_KNOWING = 2
"""So many passages make a word known: a slip seldom comes twice."""
PASSAGES_AT_ONCE, VARIANTS_AT_ONCE = 2000, 500


def request_measures(*, collection: Collection, by: User | None, now: datetime) -> Work:
    """Queue it, once if it waits already."""
    return queue.ask_once(_measures_request(collection), by=by, now=now)


def find_waiting_measures(collection: Collection) -> Work | None:
    """The measuring that nobody has begun yet."""
    return queue.find_asked(_measures_request(collection))


def _measures_request(collection: Collection) -> WorkRequest:
    return WorkRequest(
        collection=collection,
        kind=MEASURE,
        queue=queue.SUGGESTIONS,
        subject="measures of query variants",
        arguments={},
        joins_running=False,
    )


def run_measures(work: Work) -> Iterator[Step]:
    """Read the passages once, then store what is measured. Begun anew after a crash: it comes to the same."""
    collection = work.collection
    assert collection is not None
    rows = QueryVariant.objects.published().filter(collection=collection).exclude(text="")
    wanted = {word for text in _texts(rows.values_list("text")) for word in rules.list_checked_words(text)}
    known = wanted & (analysis.STOP_WORDS | set(_in_topics(collection)))
    yield from _look_up(collection, wanted - known, known)
    total, done = rows.count(), 0
    last = 0
    while part := list(rows.filter(pk__gt=last).select_related("topic").order_by("pk")[:VARIANTS_AT_ONCE]):
        last = part[-1].pk
        _store_measures(part, known)
        done += len(part)
        queue.let_others_write()
        yield Step(done, total, note="measured")


def _look_up(collection: Collection, wanted: set[str], known: set[str]) -> Iterator[Step]:
    """Add to the known words those that stand in enough passages."""
    if not wanted:
        return
    passages = Passage.objects.published().filter(collection=collection)
    total, done = passages.count(), 0
    passages_with: Counter[str] = Counter()
    for part in records.split(_texts(passages.values_list("title", "text")), PASSAGES_AT_ONCE):
        for text in part:
            passages_with.update(wanted.intersection(rules.list_checked_words(text)))
        done += len(part)
        yield Step(done, total, note="passages read for their words")
    known |= {word for word, count in passages_with.items() if count >= PASSAGES_KNOWING}


def _in_topics(collection: Collection) -> Iterator[str]:
    topics = Topic.objects.published().filter(collection=collection)
    backstories = Backstory.objects.filter(topic__in=topics)
    for text in itertools.chain(
        _texts(topics.values_list("text", "description", "narrative")), _texts(backstories.values_list("text"))
    ):
        yield from rules.list_checked_words(text)


def _texts(rows: QuerySet[Any, tuple[str, ...]]) -> Iterator[str]:
    return (" ".join(row) for row in rows.iterator(chunk_size=PASSAGES_AT_ONCE))


@transaction.atomic
def _store_measures(rows: list[QueryVariant], known: set[str]) -> None:
    for row in rows:
        stems = analysis.stemmed(row.text)
        seed = row.topic.text
        measures = rules.measure_text(row.text, seed, stems, analysis.stemmed(seed), known)
        # Row by row: a bulk_update takes several times as long. One that was taken out meanwhile is no row any more.
        QueryVariant.objects.filter(pk=row.pk).update(measured=_stored_measures(measures))


def _stored_measures(measures: Measures) -> dict[str, object]:
    """As it is stored: what is not known is not there, so that databases sort it as nothing."""
    columns = {**measures._asdict(), "unknown_words": len(measures.unknown), "edition": rules.EDITION}
    return {name: value for name, value in columns.items() if value is not None}
