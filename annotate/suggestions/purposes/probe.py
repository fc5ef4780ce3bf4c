"""Testing how a judge is fooled: it grades passages of other topics, as they are and in several disguises.

Nothing of it enters suggestions, completed qrels or exports: the answers are rows of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from django.db.models import QuerySet

from annotate.grades import model_raters
from annotate.llm.messages import Request
from annotate.llm.requests import Against
from annotate.models import Backstory, Batch, Collection, Pair, Passage, ProbeAnswer, Rater
from annotate.models.raters import LEARNED
from annotate.own_judges import queries as own_judges_queries
from annotate.own_judges.operations import predictions, training
from annotate.rules import drawing, perturbations
from annotate.rules.perturbations import Perturbation
from annotate.suggestions import queries
from annotate.suggestions.purposes.grading import GradingPlan, GradingPurpose, passage_text
from annotate.suggestions.purposes.purpose import BadPlan, CannotAsk, Purpose
from annotate.texts.queries import backstories as backstories_queries
from annotate.work.queue import CannotGoOn, Step

State = ProbeAnswer.State
MOST_PAIRS = 200


@dataclass(frozen=True, kw_only=True)
class ProbePlan(GradingPlan):
    """A probe of a service's model: so many pairs, drawn by the seed."""

    pairs: int = 50
    seed: int = 1

    purpose: ClassVar = Batch.Purpose.PROBE

    def check(self) -> None:
        super().check()
        _check_draw(self.pairs, self.seed)
        if self.is_batched:
            raise BadPlan("A probe is a few hundred calls: ask without the service's own batches.")

    def parameters(self, collection: Collection) -> dict[str, object]:
        return {**self.grading(collection), **self.pace, "pairs": self.pairs, "seed": self.seed}


@dataclass(frozen=True, kw_only=True)
class OwnProbePlan:
    """A probe of one of Lacuna's own judges: a version by its name, or `learned`, which learns from the grades of this
    moment."""

    judge: str
    pairs: int = 50
    seed: int = 1

    def check(self) -> None:
        _check_draw(self.pairs, self.seed)

    def draft(self, collection: Collection, now: datetime) -> Batch:
        if self.judge == LEARNED:
            kind, digest = LEARNED, _keep_material(collection)
        else:
            version = _find_version(collection, self.judge)
            kind, digest = version.judge, version.parameters["learned_from"]
        return Batch(
            collection=collection,
            purpose=Batch.Purpose.PROBE,
            judge=kind,
            parameters={"model": self.judge, "learned_from": digest, "pairs": self.pairs, "seed": self.seed},
            created_at=now,
        )


class _Probe(Purpose[ProbeAnswer]):
    """Of whichever judge. Rows are few and made with the batch, each pair in each disguise."""

    work_kind = "probe"
    noun = "probe"

    @property
    def rows(self) -> QuerySet[ProbeAnswer]:
        return self.batch.probe_answers.all()

    @property
    def subject(self) -> str:
        return f"probe of {self.batch.parameters['model']}"

    @property
    def started(self) -> str:
        return f"{self.batch.parameters['model']} is tested on {self.batch.pairs} pairs in four disguises."

    def plan(self) -> None:
        self.batch.pairs = len(self._wanted) // len(Perturbation)

    def store(self) -> None:
        super().store()
        ProbeAnswer.objects.bulk_create(self._wanted)

    def reopen(self) -> None:
        rows = self.rows.exclude(state=State.DONE)
        rows.update(state=State.QUEUED, cause="", answer="", reason="", attempts=0)

    def findings(self, now: datetime) -> dict[str, object]:
        return {"probe": queries.read_probe(self.batch, now)}

    @cached_property
    def _wanted(self) -> list[ProbeAnswer]:
        """Not stored. Raises CannotAsk where there are none."""
        batch, stories = self.batch, self._backstories
        number, seed = batch.parameters["pairs"], batch.parameters["seed"]
        pairs = queries.draw_pairs(batch.collection, number, seed, None if stories is None else set(stories))
        if not pairs:
            raise CannotAsk(_why_none(stories))
        return [
            ProbeAnswer(
                batch=batch,
                topic=topic,
                passage=passage,
                backstory=(stories or {}).get(topic.pk),
                disguise=perturbation.value,
                state=State.QUEUED,
                created_at=batch.created_at,
            )
            for topic, passage in pairs
            for perturbation in Perturbation
        ]

    @property
    def _backstories(self) -> dict[int, Backstory] | None:
        """By topic, where it is graded against them."""
        if self.batch.parameters.get("against", Against.QUERY) == Against.QUERY:
            return None
        topics = backstories_queries.topics_with_backstory(self.batch.collection)
        return {row.topic_id: row for row in Backstory.objects.filter(topic__in=topics, is_current=True)}

    def perturbed_passage(self, row: ProbeAnswer) -> str:
        """The passage of a row as the judge gets to read it."""
        return perturbations.perturb_passage(
            Perturbation(row.disguise),
            query=row.topic.text,
            passage=passage_text(row.passage),
            highest=self.batch.collection.scale.high,
            seed=self.batch.parameters["seed"],
        )


class Probe(_Probe, GradingPurpose[ProbeAnswer]):
    """Of a service's model."""

    related = ("topic", "passage", "backstory")

    def planned(self) -> Iterator[ProbeAnswer]:
        return iter(self._wanted)

    def message(self, row: ProbeAnswer) -> Request:
        passage = Passage(text=self.perturbed_passage(row))
        pair = Pair(topic=row.topic, passage_id=row.passage.passage_id, passage_text=passage)
        return self.messages.about(pair, row.backstory)


class OwnProbe(_Probe):
    """Of one of Lacuna's own judges."""

    def answer(self) -> Iterator[Step]:
        """All rows at once: training takes longer than reading a few hundred passages."""
        from annotate.own_judges.operations import training_set  # scikit-learn costs a second to import

        rows = list(self.rows.filter(state=State.QUEUED).order_by("pk").select_related("topic", "passage"))
        total = self.progress()[1]
        yield Step(total - len(rows), total, note="reading texts and grades")
        names = {row.pk: f"probe {row.pk}" for row in rows}  # no id of a passage has white space
        texts = {names[row.pk]: self.perturbed_passage(row) for row in rows}
        pairs = {row.pk: (row.topic.query_id, names[row.pk]) for row in rows}
        learned_from = self.batch.parameters["learned_from"]
        try:
            judge = training_set.train_judge(self.batch.collection, learned_from, pairs.values(), texts)
            readable = [row for row in rows if judge.has_read(*pairs[row.pk])]
            yield Step(total - len(rows), total, note="trained; now reading the passages")
            answers = judge.predict([pairs[row.pk] for row in readable])
        except ValueError as reason:  # too few grades, or text has too little to learn from
            raise CannotGoOn(str(reason)) from None
        for row, answer in zip(readable, answers, strict=True):
            row.state, row.grade, row.reason = State.DONE, answer.grade, answer.reason
            row.probabilities = [round(chance, predictions.DECIMALS) for chance in answer.probabilities]
        for row in rows:
            if row.state != State.DONE:  # its topic came after the judge's version
                row.state, row.cause = State.FAILED, "topic unknown to this version"
        ProbeAnswer.objects.bulk_update(rows, ["state", "grade", "reason", "probabilities", "cause"], batch_size=200)
        yield Step(total, total)


def _check_draw(pairs: int, seed: int) -> None:
    if not 1 <= pairs <= MOST_PAIRS:
        raise BadPlan(f"Between 1 and {MOST_PAIRS} pairs are probed.")
    try:
        drawing.check_seed(seed)
    except drawing.BadValue as reason:
        raise BadPlan(str(reason)) from None


def _why_none(stories: dict[int, Backstory] | None) -> str:
    if stories == {}:
        return "No topic has a backstory that is in use: approve some, or probe against the query."
    return (
        "There are no passages of other topics: a probe needs passages with a text that were pooled or graded for one "
        "topic and not for another."
    )


def _keep_material(collection: Collection) -> str:
    material = own_judges_queries.gather_material(collection)
    if not material.grades:
        raise CannotAsk("There are no grades to learn from: import qrels, or judge some pairs.")
    return training.keep_material(material)


def _find_version(collection: Collection, name: str) -> Rater:
    versions = model_raters.list_versions(collection)
    version = versions.filter(name=name).first()
    if version is None:
        known = ", ".join(versions.values_list("name", flat=True)[:20]) or "none yet"
        raise CannotAsk(f"There is no version {name} of Lacuna's own judges. There are: {known}.")
    return version
