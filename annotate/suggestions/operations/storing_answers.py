"""Storing what a service answered: the row's final state and what it cost, in one transaction."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F

from annotate.formats.scale import GradeScale
from annotate.llm import answers, service_faults
from annotate.llm.messages import Reply, Tokens
from annotate.models import Batch, ProbeAnswer, Suggestion, Work

State = Suggestion.State
COLUMNS = [
    "state",
    "grade",
    "probabilities",
    "reason",
    "answer",
    "cause",
    "stop_reason",
    "request_id",
    "tokens",
    "milliseconds",
    "attempts",
    "created_at",
]
# Databases refuse them; a model's JSON can hold them, half an emoji for instance.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
MOST_IN_CAUSE, MOST_IN_STOP, MOST_IN_ID = 60, 40, 100


class LeaseLost(Exception):
    """The work is another's by now: what was brought back is not stored."""


@dataclass(frozen=True)
class Came:
    """What came back for a row, after so many attempts."""

    row: Suggestion | ProbeAnswer
    outcome: Reply | service_faults.Fault
    attempts: int


@transaction.atomic
def store(*, batch: Batch, work: Work, came: Sequence[Came], now: datetime) -> None:
    """Rows get their final state; one whose fault says to ask again later stays as it is. Raises LeaseLost."""
    if not Work.objects.select_for_update().filter(pk=work.pk, token=work.token).exists():
        raise LeaseLost
    scale = batch.collection.scale
    settled = [one for one in came if not isinstance(one.outcome, service_faults.Closed)]
    for one in settled:
        _settle(one, scale, now)
    _write([one.row for one in settled])
    pay(batch, [one.outcome.tokens for one in settled if isinstance(one.outcome, Reply)])


def _write(rows: Sequence[Suggestion | ProbeAnswer]) -> None:
    """One prepared statement, run for each row: a save of each takes five times the processor time, and a bulk_update
    still more, which the calls that are under way need."""
    if not rows:
        return
    table = rows[0]._meta
    fields = [table.get_field(name) for name in COLUMNS]
    assignments = ", ".join(f"{field.column} = %s" for field in fields)
    values = [
        [*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk] for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table.db_table} SET {assignments} WHERE id = %s", values)


def progress(batch: Batch) -> tuple[int, int]:
    """Rows of the batch that have their final state, and all: counted once, when work on them begins."""
    rows = Suggestion.objects.filter(batch=batch)
    total = rows.count()
    return total - rows.filter(state__in=[State.QUEUED, State.SUBMITTED]).count(), total


def _settle(came: Came, scale: GradeScale, now: datetime) -> None:
    row, outcome = came.row, came.outcome
    row.attempts, row.created_at = row.attempts + came.attempts, now
    if isinstance(outcome, Reply):
        _read(row, outcome, scale)
        return
    row.state = State.FILTERED if isinstance(outcome, service_faults.Filtered) else State.FAILED
    row.cause = storable(outcome.cause)[:MOST_IN_CAUSE]
    # Of an answer before this attempt, which had no grade, the row tells no more; its batch counts what it cost.
    row.stop_reason, row.request_id, row.tokens, row.milliseconds = "", "", None, None


def _read(row: Suggestion | ProbeAnswer, reply: Reply, scale: GradeScale) -> None:
    said = answers.read_answer(reply, scale)
    row.state, row.grade = State(said.state.value), said.grade
    row.reason, row.answer = storable(said.reason), storable(reply.text)
    row.cause = ""
    row.stop_reason, row.request_id = (
        storable(reply.stop_reason)[:MOST_IN_STOP],
        storable(reply.request_id)[:MOST_IN_ID],
    )
    row.tokens = [reply.tokens.fresh, reply.tokens.cached, reply.tokens.written, reply.tokens.given]
    row.milliseconds = reply.milliseconds
    if reply.probabilities and said.grade is not None:
        row.probabilities = [round(share, 6) for share in reply.probabilities]


def storable(text: str) -> str:
    """A service's words without a key of ours in them, and with signs replaced that no database takes."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", service_faults.remove_keys(text))


def pay(batch: Batch, used: list[Tokens]) -> None:
    """Move the batch's counts by these answers."""
    if not used:
        return
    tokens = sum(used, Tokens())
    Batch.objects.filter(pk=batch.pk).update(
        calls=F("calls") + len(used),
        tokens_fresh=F("tokens_fresh") + tokens.fresh,
        tokens_cached=F("tokens_cached") + tokens.cached,
        tokens_written=F("tokens_written") + tokens.written,
        tokens_given=F("tokens_given") + tokens.given,
    )
