"""Topics with the backstory that people read now, and what they said against it."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef

from annotate.models import Backstory, BackstoryFlag, Collection, Topic

PAGE = 50
FLAGGED = Backstory.objects.filter(is_current=True, state=Backstory.State.FLAGGED)


@dataclass(frozen=True)
class Told:
    """A topic, its present backstory if it has one, and the flags of that version, oldest first."""

    topic: Topic
    backstory: Backstory | None
    flags: list[BackstoryFlag]


def flagged(collection: Collection) -> int:
    """Backstories that wait for a researcher, since somebody said that they look wrong."""
    return FLAGGED.filter(topic__collection=collection).count()


def page(collection: Collection, number: str | int = 1) -> Page:
    """Fifty topics as Told: those first whose backstory is said to look wrong, then as they were imported."""
    topics = Topic.objects.published().filter(collection=collection)
    waits_first = topics.annotate(is_flagged=Exists(FLAGGED.filter(topic=OuterRef("pk")))).order_by("-is_flagged", "pk")
    found = Paginator(waits_first, PAGE).get_page(number)
    current = {each.topic_id: each for each in Backstory.objects.filter(topic__in=list(found), is_current=True)}
    flags = BackstoryFlag.objects.filter(backstory__in=current.values()).select_related("assessor").order_by("pk")
    found.object_list = [_told(topic, current.get(topic.pk), list(flags)) for topic in found]
    return found


def _told(topic: Topic, backstory: Backstory | None, flags: list[BackstoryFlag]) -> Told:
    return Told(topic, backstory, [flag for flag in flags if backstory and flag.backstory_id == backstory.pk])
