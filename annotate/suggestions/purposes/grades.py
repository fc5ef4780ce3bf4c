"""Suggested grades for the pairs of a pool: by a model behind a service, or by one of Lacuna's own judges."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from annotate.grades.holes import HOLE
from annotate.llm import providers
from annotate.llm.messages import Request, Tokens
from annotate.llm.requests import Against
from annotate.models import Backstory, Batch, Collection, Pair, Prompt, Rater, Suggestion, raters, required
from annotate.own_judges.operations import requests
from annotate.rules import drawing
from annotate.suggestions import queries
from annotate.suggestions.purposes.grading import GradingPlan, GradingPurpose, Messages
from annotate.suggestions.purposes.purpose import LINED_UP, SLICE, BadPlan, CannotAsk, Estimate, Purpose
from annotate.texts.queries import backstories as backstories_queries
from annotate.work import queue
from annotate.work.queue import Step

State = Suggestion.State
POOL, HOLES, JUDGED = "POOL", "HOLES", "JUDGED"
SCOPES = {POOL: Q(is_pooled=True), HOLES: HOLE, JUDGED: Q(is_reference_closed=True) | Q(consensus_grade__isnull=False)}
NONE_OF = {HOLES: "nothing in the pool is a hole", JUDGED: "nothing in the pool is judged yet"}
MOST_SAMPLES = 50  # beyond these nobody gains
# Of the parameters of a batch those that change no grade; without them they are its rater's.
NO_GRADING = ("scope", "limit", "only_with_backstory", "seed", "concurrency", "per_minute", "timeout", "read_from")
MOST_IN_STEM = 90  # of a rater's name, before a number
LINED_UP_AT_ONCE = 500
MOST_COMPARED_AT_ONCE = 10_000


@dataclass(frozen=True, kw_only=True)
class GradesPlan(GradingPlan):
    """`scope` says which pairs are graded: the POOL, its HOLES, or JUDGED ones, to compare prompts before money is
    spent. `limit` takes a seeded choice. `only_with_backstory` leaves topics without one out where it is graded against
    the query too."""

    scope: str = POOL
    samples: int = 1
    limit: int | None = None
    only_with_backstory: bool = False

    purpose: ClassVar = Batch.Purpose.GRADES

    def check(self) -> None:
        super().check()
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise BadPlan(f"Ask for 1 to {MOST_SAMPLES} answers a pair.")
        if self.limit is not None and self.limit < 1:
            raise BadPlan("A limit is at least one pair.")

    def parameters(self, collection: Collection) -> dict[str, object]:
        return {
            **self.grading(collection),
            "scope": self.scope,
            "limit": self.limit,
            "only_with_backstory": self.only_with_backstory,
            "seed": collection.seed,
            **self.pace,
        }

    def draft(self, collection: Collection, now: datetime) -> Batch:
        batch = super().draft(collection, now)
        batch.samples = self.samples
        return batch


class _Grades(Purpose[Suggestion]):
    """Of whichever judge."""

    @property
    def rows(self) -> QuerySet[Suggestion]:
        return self.batch.suggestions.all()

    @property
    def rater(self) -> Rater:
        """Whose grades they are, from the moment that the batch is stored."""
        return required(self.batch.rater)

    @property
    def started(self) -> str:
        return f"{self.rater.name} is asked about {self.batch.pairs:,} pairs."

    def findings(self, now: datetime) -> dict[str, object]:
        """In how many pairs of a large batch other raters gave grades is counted where somebody asks for it."""
        others = queries.list_other_raters(self.batch) if self.batch.pairs <= MOST_COMPARED_AT_ONCE else None
        return {"grades": queries.count_grades(self.batch), "others": others}


class OwnGrades(_Grades):
    """Of one of Lacuna's own judges, which are asked and answer in a room of their own."""

    work_kind = requests.SUGGEST

    @property
    def subject(self) -> str:
        return f"suggestions of {self.rater.name}"

    def reopen(self) -> None:
        """It goes on with the pairs that it has not graded yet."""
        if not requests.pairs_to_ask(self.rater).exists():
            raise CannotAsk(f"{self.rater.name} has graded all these pairs: nothing is left to ask.")


class ReceivedGrades(_Grades):
    """Of a model outside Lacuna, whose grades a program sent."""

    work_kind = ""

    @property
    def subject(self) -> str:
        return f"grades of {self.rater.name}"

    def reopen(self) -> None:
        raise CannotAsk(f"A program sent the grades of {self.rater.name}: let it send what is missing.")


class Grades(_Grades, GradingPurpose[Suggestion]):
    """Of a model behind a service. Pairs can be many: their rows are made by its work, slice by slice."""

    work_kind = "ask"
    related = ("pair__topic", "pair__passage_text", "backstory")

    @property
    def subject(self) -> str:
        return f"grades of {self.rater.name}"

    def plan(self) -> None:
        if not self._pairs.exists():
            raise CannotAsk(f"There are no pairs to ask about: {self._why_none}.")
        self.batch.pairs = len(self._pair_ids)
        if self._left_out:
            self.batch.note = f"Pairs of topics without a backstory, left out: {self._left_out:,}."

    def store(self) -> None:
        """Pairs that its rater has graded are not asked again."""
        self.batch.rater = rater = self.find_rater()
        done = Suggestion.objects.filter(rater=rater, state=State.DONE, draw__lt=self.batch.samples)
        asked = self.batch.pairs * self.batch.samples
        if self._limit is None and asked <= done.filter(pair__in=self._pairs).count():
            raise CannotAsk(f"{rater.name} has graded all these pairs: nothing is left to ask.")
        super().store()

    @property
    def calls_each(self) -> tuple[int, int]:
        return self.batch.samples, self.batch.samples

    def planned(self) -> Iterator[Suggestion]:
        """Without pairs that its rater has graded already."""
        graded = self._list_graded()
        for part in _slices([pair for pair in self._pair_ids if pair not in graded], SLICE):
            pairs = Pair.objects.filter(pk__in=part).select_related("topic", "passage_text")
            backstories = self._read_backstories(part)
            yield from (Suggestion(pair=pair, backstory=backstories.get(pair.topic_id)) for pair in pairs)

    def _list_graded(self) -> set[int]:
        """Pairs of which the rater has as many grades as are asked for."""
        done = Suggestion.objects.filter(rater=self._known_rater, state=State.DONE, draw__lt=self.batch.samples)
        counts = done.filter(rater__isnull=False).values_list("pair").annotate(count=Count("pk"))
        return set(counts.filter(count__gte=self.batch.samples).values_list("pair", flat=True))

    def message(self, row: Suggestion) -> Request:
        return self.messages.about(row.pair, row.backstory)

    def most_tokens(self, row: Suggestion) -> Tokens:
        return sum([super().most_tokens(row)] * self.batch.samples, Tokens())

    def estimate(self) -> Estimate:
        return replace(super().estimate(), without_backstory=self._left_out)

    def line_up(self) -> Iterator[Step]:
        """A row for each pair and sample, made once; those of earlier batches that came to no grade are asked again."""
        done = 0
        for part in _slices(self._pair_ids, LINED_UP_AT_ONCE):
            self._ensure_rows(part)
            done += len(part)
            queue.let_others_write()
            total = self.batch.pairs * self.batch.samples
            yield Step(0, total, note=f"lining up {done:,} of {self.batch.pairs:,} pairs")
        yield Step(*self.progress(), cursor=LINED_UP, note="asking")

    def finish(self) -> None:
        """Count the votes of several answers; the calibrated judge learns from the model."""
        if self.batch.samples > 1:
            self._count_votes()
        requests.calibrate_on_batch(self.batch, timezone.now())

    @transaction.atomic
    def _ensure_rows(self, pair_ids: list[int]) -> None:
        batch = self.batch
        if not Batch.objects.select_for_update().filter(pk=batch.pk, cancelled_at=None).exists():
            return  # cancelled in this moment: a row that waits now would wait for ever
        now = timezone.now()
        rows = Suggestion.objects.filter(rater=batch.rater, pair__in=pair_ids, draw__lt=batch.samples)
        open_again = rows.exclude(state__in=[State.DONE, State.SUBMITTED])
        open_again.update(state=State.QUEUED, batch=batch, source=None, cause="", answer="", reason="", attempts=0)
        there = set(rows.values_list("pair", "draw"))
        backstories = self._read_backstories(pair_ids)
        topics = dict(batch.collection.pairs.filter(pk__in=pair_ids).values_list("pk", "topic"))
        Suggestion.objects.bulk_create(
            Suggestion(
                rater=batch.rater,
                pair_id=pair_id,
                draw=draw,
                batch=batch,
                state=State.QUEUED,
                backstory=backstories.get(topics[pair_id]),
                created_at=now,
            )
            for pair_id in pair_ids
            for draw in range(batch.samples)
            if (pair_id, draw) not in there
        )

    def _read_backstories(self, pair_ids: list[int]) -> dict[int, Backstory]:
        """Those in force of the topics of these pairs, where it is graded against them."""
        if self.batch.parameters["against"] == Against.QUERY:
            return {}
        rows = Backstory.objects.filter(topic__pairs__in=pair_ids, is_current=True).distinct()
        return {backstory.topic_id: backstory for backstory in rows}

    def _count_votes(self) -> None:
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        asked = self.rows.values("pair")
        given = Suggestion.objects.filter(rater=self.batch.rater, state=State.DONE, pair__in=asked)
        for pair, grade in given.values_list("pair", "grade"):
            if grade is not None:
                votes[pair][grade] += 1
        firsts = list(Suggestion.objects.filter(rater=self.batch.rater, draw=0, pair__in=votes))
        for first in firsts:
            counted = votes[first.pair_id]
            first.votes = [round(counted[grade] / counted.total(), 6) for grade in self.batch.collection.scale.grades]
        Suggestion.objects.bulk_update(firsts, ["votes"], batch_size=LINED_UP_AT_ONCE)

    # Which pairs: as they are chosen now, so the same choice again after a crash.

    @cached_property
    def _pair_ids(self) -> list[int]:
        """The first so many in an order that the seed fixes, where there is a limit."""
        if self._limit is None:
            return list(self._pairs.values_list("pk", flat=True))
        seed = self.batch.parameters["seed"]
        named = self._pairs.values_list("topic__query_id", "passage_id", "pk").iterator()
        chosen = heapq.nsmallest(
            self._limit, named, key=lambda pair: drawing.seeded_number(seed, "ask", pair[0], pair[1])
        )
        return sorted(pk for *_, pk in chosen)

    @cached_property
    def _left_out(self) -> int:
        """Pairs of topics without a backstory."""
        return self._readable(self.batch.parameters["scope"]).count() - self._pairs.count()

    @property
    def _pairs(self) -> QuerySet[Pair]:
        kept = self.batch.parameters
        pairs = self._readable(kept["scope"])
        if kept["against"] == Against.QUERY and not kept.get("only_with_backstory", False):
            return pairs
        return pairs.filter(topic__in=backstories_queries.topics_with_backstory(self.batch.collection))

    def _readable(self, scope: str) -> QuerySet[Pair]:
        readable = Q(passage_text__isnull=False, is_withdrawn=False)
        return Pair.objects.filter(SCOPES[scope], readable, collection=self.batch.collection).order_by("pk")

    @property
    def _limit(self) -> int | None:
        limit: int | None = self.batch.parameters["limit"]
        return limit

    @property
    def _why_none(self) -> str:
        if self._left_out:
            return "no topic of theirs has a backstory"
        has_pool = self._readable(POOL).exists()
        return NONE_OF[self.batch.parameters["scope"]] if has_pool else "build the pool and import passages first"

    # Whose grades they are.

    def find_rater(self) -> Rater:
        """The rater of all batches that ask in the same way, made where there is none."""
        if known := self._known_rater:
            return known
        batch = self.batch
        stem, description = self.describe()
        return Rater.objects.create(
            collection=batch.collection,
            name=self._free_name(stem),
            kind=Rater.Kind.MODEL,
            judge=batch.judge,
            description=description,
            parameters=self._grading,
            created_at=batch.created_at,
        )

    @property
    def _grading(self) -> dict[str, object]:
        return {name: value for name, value in self.batch.parameters.items() if name not in NO_GRADING}

    @property
    def _known_rater(self) -> Rater | None:
        batch, grading = self.batch, self._grading
        models = Rater.objects.filter(collection=batch.collection, kind=Rater.Kind.MODEL, judge=batch.judge)
        return next((rater for rater in models if rater.parameters == grading), None)

    def describe(self) -> tuple[str, str]:
        """What its rater is called, and what is said of it: model, prompt, and what of the settings is not as usual."""
        kept, prompt, against = self.batch.parameters, self.prompt, self.batch.parameters["against"].lower()
        settings = queries.name_settings(kept)
        model = kept["model"] if self.batch.judge in providers.installed() else f"{kept['model']}@{self.batch.judge}"
        how = f", {', '.join(settings)}" if settings else ""
        stem = describe_rater(f"{model} {prompt.name}-{prompt.version} {against}", settings)
        return stem, f"{model} asked with {prompt}, against the {against}{how}."

    def _free_name(self, stem: str) -> str:
        """Numbered where it is taken."""
        taken = set(Rater.objects.filter(collection=self.batch.collection).values_list("name", flat=True))
        names = (stem if number == 1 else f"{stem} {number}" for number in range(1, len(taken) + 2))
        try:
            return raters.check_rater_name(next(name for name in names if name not in taken))
        except raters.BadName as reason:
            raise CannotAsk(str(reason)) from None


def describe_rater(who: str, settings: list[str]) -> str:
    """What a rater is called, without the commas that its name cannot have: what tells it apart is not what is cut."""
    tail = " ".join(["", *settings])[: MOST_IN_STEM - 30]
    return f"{who[: MOST_IN_STEM - len(tail)]}{tail}".replace(",", " ")


def _slices(pair_ids: list[int], size: int) -> Iterator[list[int]]:
    return (pair_ids[start : start + size] for start in range(0, len(pair_ids), size))


def preview(collection: Collection, prompt: Prompt) -> Request | None:
    """What a prompt, stored or not, would ask of the collection's first pooled pair; None where there is none."""
    pair = Pair.objects.filter(collection=collection, is_pooled=True, passage_text__isnull=False).order_by("pk").first()
    if pair is None:
        return None
    backstory = Backstory.objects.filter(topic=pair.topic_id, is_current=True).first()
    against = Against.BOTH if backstory else Against.QUERY
    plan = GradesPlan(service=providers.DEFAULT, model="", prompt=prompt, against=against)
    return Messages(collection, plan.grading(collection), prompt).about(pair, backstory)
