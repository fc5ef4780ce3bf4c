"""Query variants that models write under profiles: asked for again while some are missing."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from django.utils import timezone

from annotate.llm import prompts, providers, requests
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template
from annotate.llm.requests import VariantRequests
from annotate.models import (
    Backstory,
    Batch,
    Collection,
    Generation,
    Profile,
    Prompt,
    QueryVariant,
    Topic,
    VariantCheck,
    required,
)
from annotate.suggestions.purposes import texts
from annotate.suggestions.purposes.purpose import BadPlan, CannotAsk
from annotate.suggestions.purposes.texts import Texts, TextsPlan
from annotate.texts import operations as variants_operations
from annotate.texts import rules as texts_rules

MOST_NUMBER = 50
LOWERED = "A temperature below 1 makes wordings repeat each other."


@dataclass(frozen=True, kw_only=True)
class VariantsPlan(TextsPlan):
    """`number` of each of the profiles for each topic; what is there already counts. `from_query_alone`: without the
    topic's backstory. `keeps_repeats`: a wording that is there already, or is the query, is taken, not asked again."""

    profiles: tuple[Profile, ...] = ()
    number: int = 3
    from_query_alone: bool = False
    keeps_repeats: bool = False

    purpose: ClassVar = Batch.Purpose.VARIANTS
    prompt_purpose: ClassVar = Prompt.Purpose.VARIANTS

    def check(self) -> None:
        super().check()
        if not 1 <= self.number <= MOST_NUMBER:
            raise BadPlan(f"Ask for 1 to {MOST_NUMBER} variants.")
        if not self.profiles:
            raise BadPlan("Choose at least one profile.")

    def parameters(self, collection: Collection) -> dict[str, object]:
        profiles = [profile.pk for profile in self.profiles]
        switches = {"from_query_alone": self.from_query_alone, "keeps_repeats": self.keeps_repeats}
        chosen = {name: True for name, is_on in switches.items() if is_on}
        return {**super().parameters(collection), "profiles": profiles, "number": self.number, **chosen}

    @property
    def warning(self) -> str:
        is_lowered = self.temperature is not None and self.temperature < texts_rules.USUAL_TEMPERATURE
        return LOWERED if is_lowered else ""


class Variants(Texts):
    @property
    def nothing(self) -> str:
        return f"There are no topics to write for, or each has {self._number} variants of these profiles already."

    @property
    def items(self) -> int:
        return self.batch.pairs * self._number

    @property
    def _number(self) -> int:
        number: int = self.batch.parameters["number"]
        return number

    @property
    def _keeps_repeats(self) -> bool:
        return bool(self.batch.parameters.get("keeps_repeats"))

    def list_wanted(self) -> list[Generation]:
        """A row for each topic and profile with fewer variants than are wanted, topic by topic."""
        collection = self.batch.collection
        chosen = Profile.objects.filter(collection=collection, pk__in=self.batch.parameters["profiles"]).order_by("pk")
        there = QueryVariant.objects.filter(collection=collection, profile__in=chosen)
        counts = Counter(there.values_list("topic", "profile"))
        return [
            Generation(batch=self.batch, topic=topic, profile=profile)
            for topic in Topic.objects.published().filter(collection=collection).order_by("pk")
            for profile in chosen
            if counts[topic.pk, profile.pk] < self._number
        ]

    def message(self, row: Generation) -> Request:
        """Ask for as many as are missing, with those that are there named, unless they may come again. The neutral
        control is asked for without a profile."""
        there, profile = [*self._list_earlier(row), *row.texts], required(row.profile)
        is_control = profile.group == Profile.Group.CONTROL and not profile.is_own
        return self._requests.request(
            query=row.topic.text,
            backstory=self._backstories.get(row.topic_id, ""),
            background="" if is_control else profile.background,
            factors="" if is_control else profile.factors,
            number=max(1, self._number - len(there)),
            there=[] if self._keeps_repeats else there,
        )

    def read(self, row: Generation, reply: Reply) -> tuple[State, bool]:
        """What is new in the answer is noted on the row."""
        state, wordings = requests.read_wordings(reply)
        if state is not State.DONE:
            return state, False
        earlier = self._list_earlier(row)
        if self._keeps_repeats:
            found = [text for one in wordings for text in texts_rules.select_new_wordings([one], ())]
        else:
            found = texts_rules.select_new_wordings(wordings, [row.topic.text, *earlier, *row.texts])
        row.texts = [*row.texts, *found][: max(0, self._number - len(earlier))]
        is_whole = len(earlier) + len(row.texts) >= self._number
        return (State.DONE if row.texts or is_whole else State.EMPTY), is_whole

    def keep(self, row: Generation, now: datetime) -> None:
        """Where that is fewer than were wanted, the row says so."""
        there = len(self._list_earlier(row)) + len(row.texts)
        row.cause = f"{there} of {self._number}" if there < self._number else ""
        variants_operations.add_variants(
            collection=self.batch.collection,
            topic=row.topic,
            profile=required(row.profile),
            texts=row.texts,
            generation=row,
            now=now,
        )

    def finish(self) -> None:
        variants_operations.request_measures(collection=self.batch.collection, by=None, now=timezone.now())

    def take_back(self) -> int:
        """All that nobody has said anything of."""
        if VariantCheck.objects.filter(variant__generation__batch=self.batch).exists():
            raise CannotAsk("People said what they think of these variants; they must stay.")
        variants = QueryVariant.objects.filter(generation__batch=self.batch)
        written = list(variants.values_list("generation", flat=True))
        variants.delete()
        texts.mark_taken_back(self.rows.filter(pk__in=set(written)))
        return len(written)

    @cached_property
    def _requests(self) -> VariantRequests:
        kept, template = self.batch.parameters, Template(self.prompt.fixed, self.prompt.text)
        sampling = kept.get("sampling", {})
        return VariantRequests(kept["model"], template, kept["temperature"], self.prompt.is_fenced, sampling)

    def _list_earlier(self, row: Generation) -> list[str]:
        """Wordings of the topic and profile that other batches and files brought."""
        return self._earlier.get((row.topic_id, required(row.profile).pk), [])

    @cached_property
    def _earlier(self) -> dict[tuple[int, int], list[str]]:
        """As they were when the batch began or was taken up: each row of it ends with its own."""
        found: dict[tuple[int, int], list[str]] = {}
        rows = QueryVariant.objects.filter(profile__in=self.batch.parameters["profiles"]).order_by("number")
        for topic, profile, text in rows.values_list("topic", "profile", "text").iterator():
            found.setdefault((topic, profile), []).append(text)
        return found

    @cached_property
    def _backstories(self) -> dict[int, str]:
        """Those in force, since a wording without one may stray; none where the query alone is asked from."""
        if self.batch.parameters.get("from_query_alone"):
            return {}
        rows = Backstory.objects.filter(topic__collection=self.batch.collection, is_current=True)
        return dict(rows.values_list("topic", "text"))


def preview(collection: Collection, prompt: Prompt) -> Request | None:
    """What a prompt, stored or not, would ask of the collection's first topic as a child; None without a topic."""
    child = prompts.built_in_profiles()["child"]
    profile = Profile(name=child.name, background=child.background, factors=child.factors)
    plan = VariantsPlan(service=providers.DEFAULT, model="", prompt=prompt, profiles=(profile,))
    batch = plan.draft(collection, timezone.now())
    row = texts.preview_row(batch, profile)
    return Variants(batch).message(row) if row else None
