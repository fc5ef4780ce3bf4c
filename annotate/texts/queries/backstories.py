"""Topics with their backstory in force, drafts, flags, versions, and how much of the query it repeats."""

from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, Exists, IntegerField, OuterRef, QuerySet, Value, When

from annotate.models import Backstory, BackstoryFlag, Collection, Topic
from annotate.retrieval import analysis
from annotate.rules import perturbations
from annotate.rules.perturbations import Part
from annotate.texts import rules as texts_rules

MOST_OVERLAP = 0.34
"""The share of the query's content words above which a model is asked again, and people are warned."""


def measure_overlap(query: str, backstory: str) -> float | None:
    """The share in [0, 1] of the query's distinct stems, stop words left out, that the backstory holds; None for a
    query of stop words alone."""
    return texts_rules.share(analysis.stemmed(query), analysis.stemmed(backstory))


def list_shared_words(query: str, backstory: str) -> list[str]:
    """The words of the query whose stems the backstory holds, each once, in their order."""
    there = set(analysis.stemmed(backstory))
    shared = (word for word in analysis.plain(query) if there & set(analysis.stemmed(word)))
    return list(dict.fromkeys(shared))


PAGE = 50
FLAGGED = Backstory.objects.filter(is_current=True, state=Backstory.State.FLAGGED)
DRAFTS = Backstory.objects.filter(state=Backstory.State.DRAFT)


@dataclass(frozen=True)
class Version:
    """A version with the share of the query's content words that it repeats (None for a query without any), the words
    themselves, and what was said against it, oldest first. `parts`: where it differs from the version before it."""

    backstory: Backstory
    query: str
    flags: list[BackstoryFlag]
    parts: list[Part] = field(default_factory=list)

    @property
    def overlap(self) -> float | None:
        return measure_overlap(self.query, self.backstory.text)

    @property
    def shared_words(self) -> list[str]:
        return list_shared_words(self.query, self.backstory.text)

    @property
    def repeats_much(self) -> bool:
        return (self.overlap or 0.0) > MOST_OVERLAP


@dataclass(frozen=True)
class TopicBackstory:
    """A topic, its backstory in force if it has one, the newest draft if that is newer, and how many versions there
    are."""

    topic: Topic
    current: Version | None
    draft: Version | None
    versions: int


def topics_with_backstory(collection: Collection) -> QuerySet[Backstory, int]:
    """The ids of topics that have one in force, which pairs can be graded against."""
    current = Backstory.objects.filter(topic__collection=collection, is_current=True)
    return current.exclude(state=Backstory.State.DRAFT).values_list("topic_id", flat=True)


def count_flagged(collection: Collection) -> int:
    """Backstories that wait for a researcher, since somebody said that they look wrong."""
    return FLAGGED.filter(topic__collection=collection).count()


def list_drafts(collection: Collection) -> list[Backstory]:
    """The newest draft of each topic, where it is newer than what is in force."""
    return list(_waiting_drafts().filter(topic__collection=collection).order_by("topic"))


def list_topics(collection: Collection, number: str | int = 1) -> "Page[TopicBackstory]":
    """Fifty topics: those first whose backstory is said to look wrong, then those with a draft, then as they
    were imported."""
    topics = Topic.objects.published().filter(collection=collection)
    paginator: Paginator[Any] = Paginator(_waiting_first(topics), PAGE)
    page = paginator.get_page(number)
    shown = list(page)
    rows = Backstory.objects.filter(topic__in=shown)
    current = _by_topic(rows.filter(is_current=True))
    waiting = _by_topic(_waiting_drafts().filter(topic__in=shown))
    counts: dict[int, int] = {}
    for topic in rows.values_list("topic", flat=True):
        counts[topic] = counts.get(topic, 0) + 1
    flags = _list_flags([*current.values()])
    lines = [
        TopicBackstory(
            topic,
            _build_version(topic, current.get(topic.pk), flags),
            _build_version(topic, waiting.get(topic.pk), flags),
            counts.get(topic.pk, 0),
        )
        for topic in shown
    ]
    return Page(lines, page.number, paginator)


def list_versions(topic: Topic) -> list[Version]:
    """All versions of a topic's backstory, the newest first."""
    rows = Backstory.objects.filter(topic=topic).select_related("created_by", "generation__batch")
    versions = list(rows.order_by("version"))
    flags = _list_flags(versions)
    before = ["", *(one.text for one in versions)]
    compared = [
        Version(one, topic.text, flags.get(one.pk, []), perturbations.side_by_side(earlier, one.text)[1])
        for earlier, one in zip(before, versions, strict=False)
    ]
    return compared[::-1]


def _waiting_drafts() -> QuerySet[Backstory]:
    """Drafts that are newer than all other versions of their topic."""
    newer = Backstory.objects.filter(topic=OuterRef("topic"), version__gt=OuterRef("version"))
    return DRAFTS.exclude(Exists(newer))


def _waiting_first(topics: QuerySet[Topic]) -> QuerySet[Topic]:
    place = Case(
        When(Exists(FLAGGED.filter(topic=OuterRef("pk"))), then=Value(0)),
        When(Exists(_waiting_drafts().filter(topic=OuterRef("pk"))), then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return topics.annotate(place=place).order_by("place", "pk")


def _by_topic(rows: QuerySet[Backstory]) -> dict[int, Backstory]:
    return {row.topic_id: row for row in rows.select_related("generation__batch")}


def _list_flags(versions: list[Backstory]) -> dict[int, list[BackstoryFlag]]:
    by_version: dict[int, list[BackstoryFlag]] = {}
    for flag in BackstoryFlag.objects.filter(backstory__in=versions).select_related("assessor").order_by("pk"):
        by_version.setdefault(flag.backstory_id, []).append(flag)
    return by_version


def _build_version(topic: Topic, backstory: Backstory | None, flags: dict[int, list[BackstoryFlag]]) -> Version | None:
    return Version(backstory, topic.text, flags.get(backstory.pk, [])) if backstory else None
