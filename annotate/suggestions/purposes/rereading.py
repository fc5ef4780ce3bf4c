"""Stored answers of a batch read again under another answer form: grades of a rater of their own, for which nobody is
asked or paid."""

from collections.abc import Iterator
from functools import cached_property

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.llm import answers
from annotate.llm.answers import GradePlace
from annotate.models import Batch, Prompt, Suggestion, required
from annotate.suggestions.purposes.grades import Grades, describe_rater
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.work import queue
from annotate.work.queue import Step

State = Suggestion.State
READ = (State.DONE, State.UNPARSED, State.EMPTY)  # whole answers; why others hold no grade is not a matter of reading
WITHOUT_ANSWER = (State.QUEUED, State.SUBMITTED, State.FAILED, State.CANCELLED)
READ_AT_ONCE = 500


def draft(source: Batch, place: GradePlace) -> Batch:
    """The batch that reads the answers of `source`, not stored. Raises CannotAsk."""
    if source.purpose != Batch.Purpose.GRADES or source.prompt is None:
        raise CannotAsk(f"Batch {source.pk} holds no grades that a language model gave in words: nothing can be read.")
    if source.prompt.purpose != Prompt.Purpose.JUDGING or (source.work and not source.work.is_over):
        raise CannotAsk(f"Batch {source.pk} is under way: read its answers once it is over.")
    asked_by = required(source.rater).name
    return Batch(
        collection=source.collection,
        purpose=source.purpose,
        judge=source.judge,
        prompt=source.prompt,
        parameters={
            **source.parameters,
            "answer_form": str(place),
            "read_from": source.pk,
            "read_again": source.parameters.get("read_again", asked_by),
        },
        samples=source.samples,
        capabilities=source.capabilities,
        price=source.price,
        created_at=timezone.now(),
    )


class Reread(Grades):
    @property
    def _source(self) -> QuerySet[Suggestion]:
        return Suggestion.objects.filter(batch=self.batch.parameters["read_from"])

    @property
    def _answered(self) -> QuerySet[Suggestion]:
        return self._source.exclude(state__in=WITHOUT_ANSWER)

    @property
    def started(self) -> str:
        return f"The answers about {self.batch.pairs:,} pairs are read again, as {self.rater.name}. Nothing is asked."

    def plan(self) -> None:
        number, kept = self.batch.parameters["read_from"], self._answered
        if not kept.exists():
            raise CannotAsk(f"Batch {number} has no answer: nothing can be read again.")
        if missing := kept.filter(state__in=[State.DONE, State.UNPARSED], answer="").count():
            raise CannotAsk(
                f"Of batch {number} the raw text of {missing:,} answers is not stored, so they cannot be read again. "
                "Ask the model with the answer form that you want."
            )
        self.batch.pairs = kept.values("pair").distinct().count()
        without = self._source.count() - kept.count()
        left_out = f" {without:,} rows without an answer are left out." if without else ""
        self.batch.note = f"Answers of batch {number} read again; nothing was asked or paid.{left_out}"

    def store(self) -> None:
        self.batch.rater = rater = self.find_rater()
        taken = Suggestion.objects.filter(rater=rater, pair__in=self._answered.values("pair"))
        if taken.count() >= self._answered.count():
            raise CannotAsk(f"{rater.name} has read these answers already: nothing is overwritten.")
        self.batch.save()

    def answer(self) -> Iterator[Step]:
        """Slice by slice; after a crash it goes on behind what is there."""
        total, last = self._answered.count(), 0
        while found := list(self._answered.filter(pk__gt=last).order_by("pk")[:READ_AT_ONCE]):
            last = found[-1].pk
            self._read(found)
            queue.let_others_write()
            yield Step(self.rows.count(), total, note="reading")

    def reopen(self) -> None:
        """It can go on; there is nothing to ask a second time."""
        if self.batch.finished_at:
            number = self.batch.parameters["read_from"]
            raise CannotAsk(f"These are answers of batch {number} read again: ask again there, then read them again.")

    @transaction.atomic
    def _read(self, found: list[Suggestion]) -> None:
        batch = self.batch
        if not Batch.objects.select_for_update().filter(pk=batch.pk, cancelled_at=None).exists():
            return
        there = Suggestion.objects.filter(rater=batch.rater, pair__in=[row.pair_id for row in found])
        known = set(there.values_list("pair", "draw"))
        rows = (self._reading(row) for row in found if (row.pair_id, row.draw) not in known)
        Suggestion.objects.bulk_create(rows)

    def _reading(self, row: Suggestion) -> Suggestion:
        read = Suggestion(
            rater=self.batch.rater,
            batch=self.batch,
            state=row.state,
            cause=row.cause,
            created_at=timezone.now(),
            **{name: getattr(row, name) for name in ("pair_id", "draw", "backstory_id", "answer", "stop_reason")},
            **{name: getattr(row, name) for name in ("request_id", "model_version", "milliseconds", "attempts")},
        )
        if row.state in READ:
            answer = answers.parse_answer(row.answer, self.batch.collection.scale, self._place)
            read.state, read.grade, read.reason = State(answer.state.value), answer.grade, answer.reason
            read.probabilities = row.probabilities if answer.grade == row.grade else None
        return read

    @cached_property
    def _place(self) -> GradePlace:
        return GradePlace.parse(self.batch.parameters["answer_form"])

    def describe(self) -> tuple[str, str]:
        kept = self.batch.parameters
        return describe_rater(kept["read_again"], [f"read as {kept['answer_form']}"]), (
            f"Answers of {kept['read_again']} ({self.prompt}) read again as {kept['answer_form']}."
        )
