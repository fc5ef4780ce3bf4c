"""Storing texts that a service answered: what was taken from each answer, the row's state and what it cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db import transaction

from annotate.llm import answers, service_faults
from annotate.llm.messages import Reply, Request, Tokens
from annotate.models import Batch, Collection, Generation, Work
from annotate.suggestions.operations import storing_answers

State = Generation.State
ASKED_AGAIN = (answers.State.DONE, answers.State.EMPTY, answers.State.UNPARSED)
CANCELLED = "cancelled"
SLICE = 200
NOTED = ["answers", "stop_reason", "request_id", "tokens", "milliseconds", "attempts", "created_at"]
COLUMNS = [*NOTED, "texts", "state", "cause", "rounds"]


class Writer(Protocol):
    """What is particular of a kind of text."""

    def request(self, row: Generation) -> Request:
        """What is asked next for a row."""

    def read(self, row: Generation, reply: Reply) -> tuple[answers.State, bool]:
        """Note what is taken from an answer on the row; how it ended, and whether nothing is missing any more."""

    def keep(self, row: Generation, now: datetime) -> None:
        """Store what was taken as what it is for."""


@dataclass(frozen=True)
class Came:
    """What came back for a row, after so many attempts."""

    row: Generation
    outcome: Reply | service_faults.Fault
    attempts: int


@transaction.atomic
def store(*, batch: Batch, work: Work, writer: Writer, came: Sequence[Came], now: datetime) -> None:
    """Rows get their final state, or stay QUEUED to be asked again. Raises storing_answers.LeaseLost."""
    Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    if not Work.objects.select_for_update().filter(pk=work.pk, token=work.token).exists():
        raise storing_answers.LeaseLost
    is_cancelled = not Batch.objects.select_for_update(no_key=True).filter(pk=batch.pk, cancelled_at=None).exists()
    settled = [one for one in came if not isinstance(one.outcome, service_faults.Closed)]
    states = dict(Generation.objects.filter(pk__in=[one.row.pk for one in settled]).values_list("pk", "state"))
    for one in settled:
        _note(one, now)
        if states[one.row.pk] == State.DONE:  # closed while it was under way: its texts are in use
            one.row.state = State.DONE
            one.row.save(update_fields=NOTED)
        else:
            _settle(one, writer, batch.parameters["rounds"], is_cancelled, now)
            one.row.save(update_fields=COLUMNS)
    storing_answers.pay(batch, [one.outcome.tokens for one in settled if isinstance(one.outcome, Reply)])


@transaction.atomic
def close_all(*, batch: Batch, writer: Writer, now: datetime) -> None:
    """Nothing more is asked for these rows."""
    for row in list(to_ask(batch)):
        _close(row, writer, State.CANCELLED, CANCELLED, now)
        row.save(update_fields=COLUMNS)


def to_ask(batch: Batch) -> Iterator[Generation]:
    """Rows that wait, with all that their requests need, in the order of their ids."""
    rows = Generation.objects.filter(batch=batch, state=State.QUEUED).order_by("pk").select_related("topic", "profile")
    last = 0
    while found := list(rows.filter(pk__gt=last)[:SLICE]):
        last = found[-1].pk
        for row in found:
            row.batch = batch
        yield from found


def progress(batch: Batch) -> tuple[int, int]:
    """Rows that have their final state, and all."""
    rows = Generation.objects.filter(batch=batch)
    total = rows.count()
    return total - rows.filter(state=State.QUEUED).count(), total


def _note(one: Came, now: datetime) -> None:
    """What is kept of every answer, whatever it says."""
    row, outcome = one.row, one.outcome
    row.attempts, row.created_at = row.attempts + one.attempts, now
    if not isinstance(outcome, Reply):
        return
    row.answers = [*row.answers, storing_answers.storable(outcome.text)]
    row.stop_reason = storing_answers.storable(outcome.stop_reason)[: storing_answers.MOST_IN_STOP]
    row.request_id = storing_answers.storable(outcome.request_id)[: storing_answers.MOST_IN_ID]
    tokens = Tokens(*row.tokens or ()) + outcome.tokens
    row.tokens = [tokens.fresh, tokens.cached, tokens.written, tokens.given]
    row.milliseconds = (row.milliseconds or 0) + outcome.milliseconds


def _settle(one: Came, writer: Writer, rounds: int, is_cancelled: bool, now: datetime) -> None:
    row, outcome = one.row, one.outcome
    if not isinstance(outcome, Reply):
        state = State.FILTERED if isinstance(outcome, service_faults.Filtered) else State.FAILED
        return _close(row, writer, state, outcome.cause[: storing_answers.MOST_IN_CAUSE], now)
    row.rounds += 1
    said, is_whole = writer.read(row, outcome)
    row.texts = [storing_answers.storable(text) for text in row.texts]
    if is_whole or row.rounds >= rounds or is_cancelled or said not in ASKED_AGAIN:
        return _close(row, writer, State(said.value), "", now)
    row.state = State.QUEUED
    return None


def _close(row: Generation, writer: Writer, state: str, cause: str, now: datetime) -> None:
    """What was taken is kept; a row from which nothing was taken tells why."""
    row.cause, row.state = cause, state
    if row.texts:
        row.state = State.DONE
        writer.keep(row, now)
    elif state == State.DONE:
        row.state, row.cause = State.DONE, "was there already"
