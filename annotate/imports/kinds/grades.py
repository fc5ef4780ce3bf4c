"""What models said of pairs, from files of other tools: a rater for each model and prompt, beside those of all others.

Pairs that the collection lacks (no such topic, or a passage that is neither in a pair nor has a text) are left out and
counted. A row without a grade stays a row without a grade.
"""

from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path, PurePath
from typing import NamedTuple, TypeAlias, TypeVar

from django.utils import timezone

from annotate.formats import model_grades
from annotate.formats.faults import Faults
from annotate.formats.model_grades import ModelGrade
from annotate.imports import queries
from annotate.imports.kinds import qrels
from annotate.imports.kinds.file_kind import FileKind
from annotate.models import ImportedFile, Pair, Passage, Rater, Suggestion, Topic
from annotate.models import raters as models_raters
from annotate.own_judges.operations import requests
from annotate.pairs import pair_states
from annotate.work.queue import Step

MOST_RATERS = 200
Place: TypeAlias = tuple[Topic, str]
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RaterGrade(NamedTuple):
    """What a file says, under the name that its rater has here."""

    rater: str
    grade: ModelGrade


class Grades(FileKind[RaterGrade]):
    """Grades of models, of a file."""

    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, RaterGrade]]:
        """Raises FileRefused where one rater was named for several models, or there are more than MOST_RATERS."""
        scale, form = imported.collection.scale, str(imported.options.get("format", ""))
        named = str(imported.options.get("rater", ""))
        first, raters = "", set()
        for line, grade in model_grades.read_model_grades(path, faults, scale, form):
            own = grade.source
            first = first or own
            if named and own != first:
                raise faults.refuse(line, f"{own} after {first}: leave the rater's name out, so that each has its own")
            rater = named or own or _stem(imported.name)
            raters.add(rater)
            if len(raters) > MOST_RATERS:
                raise faults.refuse(line, f"these are more than {MOST_RATERS} models")
            yield line, RaterGrade(rater, grade)

    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, RaterGrade]], faults: Faults) -> None:
        """Note grades that differ from before; raises FileRefused for a rater that cannot have these grades."""
        records = [record for _, record in batch]
        _check_raters(imported, batch, faults)
        places = _places(imported, records)
        before = _before(imported, records, places)
        queries.check_overlap(imported, {earlier.source_id for earlier in before.values()})
        for (line, (rater, grade)), place in zip(batch, places, strict=True):
            if place is None:
                imported.left_out += 1
            elif (earlier := before.get((rater, place))) and _content(earlier) != (grade.answer, grade.probabilities):
                pair = f"passage {place[1]!r} of topic {place[0].query_id!r}"
                faults.add(line, f"{rater} said {earlier.answer[:40]!r} of {pair} before, here {grade.answer[:40]!r}")

    def stage_batch(self, imported: ImportedFile, batch: list[RaterGrade]) -> None:
        places = _places(imported, batch)
        before = _before(imported, batch, places)
        new = {
            (rater, place): grade
            for (rater, grade), place in zip(batch, places, strict=True)
            if place and (rater, place) not in before
        }
        named = list(dict.fromkeys(place for _, place in new))
        rows = dict(zip(named, pair_states.ensure_rows(collection=imported.collection, named=named), strict=True))
        raters = {name: _rater(imported, name, grade) for (name, _), grade in new.items()}
        Suggestion.objects.bulk_create(
            _suggestion(imported, raters[name], rows[place], grade) for (name, place), grade in new.items()
        )

    def count_added(self, imported: ImportedFile) -> int:
        return imported.suggestions.count()

    def publish(self, imported: ImportedFile, total: int) -> None:
        super().publish(imported, total)
        without = imported.suggestions.exclude(state=Suggestion.State.DONE).count()
        sentences = [
            without and f"{without:,} of them without a grade: missing, unread or off the scale.",
            imported.left_out and f"{imported.left_out:,} left out: of pairs that the collection lacks.",
        ]
        imported.note = " ".join(sentence for sentence in sentences if sentence)

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        """A model's grades close no hole. On one model the calibrated judge learns by itself; from which of several it
        should learn is for people to choose. Settled twice, after a crash, the second finds nothing to do."""
        raters = Rater.objects.filter(pk__in=imported.suggestions.order_by().values("rater").distinct()[:2])
        if len(raters) == 1:
            requests.calibrate_on_model(raters[0], timezone.now())
        return iter(())

    def remove_batch(self, imported: ImportedFile) -> int:
        return qrels.remove_grades(imported)


def _stem(name: str) -> str:
    return PurePath(name.removesuffix(".gz")).stem


def _check_raters(imported: ImportedFile, batch: list[tuple[int, RaterGrade]], faults: Faults) -> None:
    lines = {record.rater: line for line, record in reversed(batch)}
    there = Rater.objects.filter(collection=imported.collection, name__in=lines)
    others = {rater.name for rater in there if rater.kind != Rater.Kind.MODEL or rater.judge != "imported"}
    for name, line in lines.items():
        if name in others:
            raise faults.refuse(line, f"the rater {name} has other grades in this collection; name another one")
        try:
            models_raters.check_rater_name(name)
        except models_raters.BadName as reason:
            raise faults.refuse(line, f"{name[:100]!r} is no name of a rater. {reason}") from None


def _places(imported: ImportedFile, batch: list[RaterGrade]) -> list[Place | None]:
    """Topic and passage id of each record, None where the collection lacks the pair."""
    topics = _topics(imported, batch)
    texts = _of_texts([(topic, grade.passage) for topic, (_, grade) in zip(topics, batch, strict=True) if topic])
    named = {"collection": imported.collection, "passage_id__in": {grade.passage_id for _, grade in batch}}
    there = set(Pair.objects.filter(**named).values_list("topic", "passage_id"))
    with_text = set(Passage.objects.published().filter(**named).values_list("passage_id", flat=True))
    found: list[Place | None] = []
    for topic, (_, grade) in zip(topics, batch, strict=True):
        if topic is None:
            found.append(None)
        elif not grade.passage_id:
            found.append(texts.get((topic, grade.passage)))
        else:
            is_known = grade.passage_id in with_text or (topic.pk, grade.passage_id) in there
            found.append((topic, grade.passage_id) if is_known else None)
    return found


def _topics(imported: ImportedFile, batch: list[RaterGrade]) -> list[Topic | None]:
    """The topic of each record: by its id, or by its text where one topic alone has it."""
    topics = Topic.objects.published().filter(collection=imported.collection)
    by_id = {row.query_id: row for row in topics.filter(query_id__in={grade.query_id for _, grade in batch})}
    with_text = topics.filter(text__in={grade.query for _, grade in batch} - {""})
    by_text = _alone((row.text, row) for row in with_text)
    return [by_id.get(grade.query_id) or by_text.get(grade.query) for _, grade in batch]


def _of_texts(named: list[tuple[Topic, str]]) -> dict[tuple[Topic, str], Place]:
    """The pairs that are there whose passage says this, where one alone of the topic does."""
    topics, texts = {topic.pk: topic for topic, _ in named}, {text for _, text in named} - {""}
    if not texts:
        return {}
    rows = Pair.objects.filter(topic__in=topics, passage_text__text__in=texts)
    found = rows.values_list("topic", "passage_text__text", "passage_id")
    return _alone(((topics[pk], text), (topics[pk], passage_id)) for pk, text, passage_id in found)


def _alone(entries: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """The entries whose key comes once."""
    found: dict[Key, list[Value]] = {}
    for key, value in entries:
        found.setdefault(key, []).append(value)
    return {key: values[0] for key, values in found.items() if len(values) == 1}


def _before(
    imported: ImportedFile, batch: list[RaterGrade], places: list[Place | None]
) -> dict[tuple[str, Place], Suggestion]:
    """What the raters of the batch have said of its pairs."""
    there = {(topic.pk, passage_id): (topic, passage_id) for topic, passage_id in filter(None, places)}
    rows = Suggestion.objects.filter(
        rater__collection=imported.collection,
        rater__name__in={record.rater for record in batch},
        pair__topic__in={topic for topic, _ in there},
        pair__passage_id__in={passage_id for _, passage_id in there},
    ).select_related("rater", "pair")
    return {
        (row.rater.name, there[named]): row
        for row in rows
        if (named := (row.pair.topic_id, row.pair.passage_id)) in there
    }


def _content(row: Suggestion) -> tuple[str, tuple[float, ...] | None]:
    return row.answer, None if row.probabilities is None else tuple(row.probabilities)


def _rater(imported: ImportedFile, name: str, grade: ModelGrade) -> Rater:
    prompt = f" with the prompt {grade.prompt}" if grade.prompt else ""
    rater, _ = Rater.objects.get_or_create(
        collection=imported.collection,
        name=name,
        defaults={
            "kind": Rater.Kind.MODEL,
            "judge": "imported",
            "description": f"{grade.model} asked{prompt}, outside Lacuna." if grade.model else "",
            "parameters": {"model": grade.model, "prompt_name": grade.prompt} if grade.model else {},
            "created_at": timezone.now(),
        },
    )
    return rater


def _suggestion(imported: ImportedFile, rater: Rater, pair: Pair, given: ModelGrade) -> Suggestion:
    if given.grade is not None:
        state = Suggestion.State.DONE
    else:
        state = Suggestion.State.UNPARSED if given.answer.strip() else Suggestion.State.EMPTY
    return Suggestion(
        rater=rater,
        pair=pair,
        source=imported,
        state=state,
        grade=given.grade,
        probabilities=given.probabilities,
        reason=given.reason,
        answer=given.answer,
        created_at=timezone.now(),
    )
