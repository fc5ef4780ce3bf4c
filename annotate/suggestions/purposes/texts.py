"""Texts that models write, whatever kind: each is asked for again, round by round, until it is as it was wanted."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.llm import answers, capabilities, providers
from annotate.llm.messages import Reply, Tokens
from annotate.llm.providers import Fault, storable
from annotate.models import Batch, Collection, Generation, Profile, Prompt, Topic
from annotate.suggestions.purposes import purpose
from annotate.suggestions.purposes.purpose import CANCELLED, LINED_UP, BadPlan, CannotAsk, ServicePlan, ServicePurpose
from annotate.work import queue
from annotate.work.queue import Step

State = Generation.State
MOST_ROUNDS = 10
ASKED_AGAIN = (answers.State.DONE, answers.State.EMPTY, answers.State.UNPARSED)
LINED_UP_AT_ONCE = 500
TAKEN_BACK = "taken back"


@dataclass(frozen=True, kw_only=True)
class TextsPlan(ServicePlan):
    """`rounds`: answers for one text at most."""

    rounds: int = 3

    prompt_purpose: ClassVar[Prompt.Purpose]

    @property
    def warning(self) -> str:
        """What a researcher should know of the plan; empty where nothing speaks against it."""
        return ""

    def check(self) -> None:
        super().check()
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadPlan(f"One text is asked for 1 to {MOST_ROUNDS} times.")

    def parameters(self, collection: Collection) -> dict[str, object]:
        return {
            "service": self.service,
            "model": self.model,
            "rounds": self.rounds,
            "temperature": self._sent_temperature,
            **({"sampling": dict(self.sampling)} if self.sampling else {}),
            **self.pace,
        }

    @property
    def _sent_temperature(self) -> float | None:
        """Newer models take none, so what is the model's own is not sent."""
        own = providers.find_provider(self.service).capabilities(self.model).own_temperature
        return None if self.temperature == own else self.temperature

    def draft(self, collection: Collection, now: datetime) -> Batch:
        batch = super().draft(collection, now)
        batch.note = self.warning
        return batch


class Texts(ServicePurpose[Generation]):
    """Rows are made by the work of the batch."""

    work_kind = "write"
    related = ("topic", "profile")
    columns = (
        *("texts", "answers", "state", "cause", "stop_reason", "request_id", "tokens", "milliseconds", "attempts"),
        "model_version",
        *("rounds", "created_at"),
    )

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self._is_cancelled = False
        self._closed: dict[int, Generation] = {}

    @property
    @abstractmethod
    def nothing(self) -> str:
        """Why there is nothing to ask for."""

    @abstractmethod
    def list_wanted(self) -> list[Generation]:
        """The rows that the batch is to have, not stored; the same choice again after a crash."""

    @abstractmethod
    def read(self, row: Generation, reply: Reply) -> tuple[answers.State, bool]:
        """Note what is taken from an answer on the row; how it ended, and whether nothing is missing any more."""

    @abstractmethod
    def keep(self, row: Generation, now: datetime) -> None:
        """Store what was taken as what it is for."""

    @abstractmethod
    def take_back(self) -> int:
        """Take out what the batch wrote and nobody used; returns how many. Raises CannotAsk."""

    @property
    def rows(self) -> QuerySet[Generation]:
        return self.batch.generations.all()

    @property
    def subject(self) -> str:
        return f"{self.batch.get_purpose_display()} by {self.batch.parameters['model']}"

    @property
    def started(self) -> str:
        return f"{self.batch.get_purpose_display().capitalize()} are asked for."

    @property
    def calls_each(self) -> tuple[int, int]:
        return 1, self._most_rounds

    @property
    def _most_rounds(self) -> int:
        rounds: int = self.batch.parameters["rounds"]
        return rounds

    def plan(self) -> None:
        self.batch.pairs = len(self._wanted)
        if not self._wanted:
            raise CannotAsk(self.nothing)

    @cached_property
    def _wanted(self) -> list[Generation]:
        return self.list_wanted()

    def planned(self) -> Iterator[Generation]:
        return iter(self._wanted)

    def most_tokens(self, row: Generation) -> Tokens:
        """Each round reads the first message and at most what the answers before it gave."""
        once, rounds = capabilities.bound_tokens(self.message(row), self.capabilities), self._most_rounds
        repeated = once.given * rounds * (rounds - 1) // 2
        return Tokens(once.fresh * rounds, once.cached * rounds, once.written * rounds + repeated, once.given * rounds)

    def line_up(self) -> Iterator[Step]:
        """A row for each text that is wanted, made once."""
        there = set(self.rows.values_list("topic", "profile"))
        rows = [row for row in self._wanted if (row.topic_id, row.profile_id) not in there]
        for start in range(0, len(rows), LINED_UP_AT_ONCE):
            self._make_rows(rows[start : start + LINED_UP_AT_ONCE])
            queue.let_others_write()
            yield Step(0, len(there) + len(rows), note=f"lining up {len(there) + len(rows):,}")
        yield Step(*self.progress(), cursor=LINED_UP, note="asking")

    @transaction.atomic
    def _make_rows(self, rows: list[Generation]) -> None:
        self.lock()
        if self._is_cancelled_by_now():
            return  # a row that waits now would wait for ever
        there = set(Topic.objects.published().filter(collection=self.batch.collection).values_list("pk", flat=True))
        wanted = [row for row in rows if row.topic_id in there]  # without topics that are withdrawn in this moment
        for row in wanted:
            row.state, row.created_at = State.QUEUED, timezone.now()
        Generation.objects.bulk_create(wanted)

    def count_failures(self, row: Generation) -> int:
        """Each round has an answer."""
        return row.attempts - row.rounds

    def reopen(self) -> None:
        """What is with the service is waited for."""
        self.rows.exclude(state__in=[State.DONE, State.SUBMITTED]).update(
            state=State.QUEUED, cause="", rounds=0, attempts=0
        )

    def close(self, now: datetime) -> None:
        """What was taken from the answers of an unfinished text is kept."""
        for row in list(self.open_rows()):
            self._close_row(row, State.CANCELLED, CANCELLED, now)
            row.save(update_fields=self.columns)

    def lock(self) -> None:
        """Query variants are numbered over the collection."""
        Collection.objects.select_for_update(no_key=True).get(pk=self.batch.collection_id)

    def begin_storing(self, rows: Sequence[Generation]) -> None:
        self._is_cancelled = self._is_cancelled_by_now()
        self._closed = self.rows.filter(state=State.DONE).in_bulk([row.pk for row in rows])

    def _is_cancelled_by_now(self) -> bool:
        return not Batch.objects.select_for_update(no_key=True).filter(pk=self.batch.pk, cancelled_at=None).exists()

    def take(self, row: Generation, reply: Reply, now: datetime) -> None:
        row.answers = [*row.answers, storable(reply.text)]
        tokens, milliseconds = Tokens(*row.tokens or ()) + reply.tokens, (row.milliseconds or 0) + reply.milliseconds
        purpose.note_reply(row, reply, tokens, milliseconds)
        if self._is_closed(row):
            return
        row.rounds += 1
        state, is_whole = self.read(row, reply)
        row.texts = [storable(text) for text in row.texts]
        if is_whole or row.rounds >= self._most_rounds or self._is_cancelled or state not in ASKED_AGAIN:
            self._close_row(row, State(state.value), "", now)
        else:
            row.state = State.QUEUED

    def fail(self, row: Generation, fault: Fault, now: datetime) -> None:
        if not self._is_closed(row):
            self._close_row(row, *purpose.name_fault(fault), now)

    def _is_closed(self, row: Generation) -> bool:
        """Whether it was closed while its call was under way; its texts are in use then, and stay."""
        if closed := self._closed.get(row.pk):
            row.texts, row.state, row.cause, row.rounds = closed.texts, closed.state, closed.cause, closed.rounds
        return closed is not None

    def _close_row(self, row: Generation, state: str, cause: str, now: datetime) -> None:
        """What was taken is kept; a row from which nothing was taken tells why."""
        row.cause, row.state = cause, state
        if row.texts:
            row.state = State.DONE
            self.keep(row, now)
        elif state == State.DONE:
            row.cause = "was there already"


def mark_taken_back(rows: QuerySet[Generation]) -> None:
    """What these wrote is taken out; the answers stay with the batch."""
    rows.update(state=State.CANCELLED, cause=TAKEN_BACK, texts=[])


def preview_row(batch: Batch, profile: Profile | None = None) -> Generation | None:
    """One of the collection's first topic, not stored; None without a topic."""
    topic = Topic.objects.published().filter(collection=batch.collection).order_by("pk").first()
    return None if topic is None else Generation(batch=batch, topic=topic, profile=profile)
