"""Taking in what a model outside says of pairs: validated as a whole, then stored as suggestions of a named rater."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotate.formats import records
from annotate.formats.faults import Faults
from annotate.formats.predictions import NAME, Prediction
from annotate.models import Batch, Collection, Pair, Rater, Suggestion, User, raters

UPLOADED = "uploaded"
# So many hold SQLite's write lock for about 0.4 s, while judgments wait; a larger set comes in parts.
MOST = 5_000
BATCH = 500


class CannotUpload(ValueError):
    """Why predictions cannot be taken in under this name, or in this number."""


@dataclass(frozen=True)
class Uploaded:
    """`unchanged` were there before, word for word; `without_grade` counts predictions whose grade is null or off the
    scale, new or not."""

    rater: str
    added: int
    unchanged: int
    without_grade: int


def upload_predictions(
    *, collection: Collection, rater: str, predictions: list[Prediction], by: User | None, now: datetime
) -> Uploaded:
    """Store predictions as suggestions of a model rater, made where it is new. The same ones again add nothing.

    Raises CannotUpload, and FileRefused where a pair is not the collection's or was predicted otherwise
    before; then nothing is stored.
    """
    try:
        raters.check_rater_name(rater)
    except raters.BadName as reason:
        raise CannotUpload(str(reason)) from None
    if not 0 < len(predictions) <= MOST:
        raise CannotUpload(f"Send between 1 and {MOST} predictions at a time, not {len(predictions)}.")
    pairs = _pairs(collection, predictions)
    new = _store(collection, rater, predictions, pairs, by, now)
    return Uploaded(
        rater=rater,
        added=new,
        unchanged=len(predictions) - new,
        without_grade=sum(prediction.grade is None for prediction in predictions),
    )


def _pairs(collection: Collection, predictions: list[Prediction]) -> dict[tuple[str, str], int]:
    """The row ids of the pairs that were predicted. Raises FileRefused for those that nobody pooled or graded."""
    found: dict[tuple[str, str], int] = {}
    for part in records.split(predictions, BATCH):
        rows = Pair.objects.filter(
            collection=collection,
            is_withdrawn=False,
            topic__query_id__in={prediction.query_id for prediction in part},
            passage_id__in={prediction.passage_id for prediction in part},
        )
        found.update({(query_id, p): pk for pk, query_id, p in rows.values_list("pk", "topic__query_id", "passage_id")})
    faults = Faults(NAME)
    for prediction in predictions:
        if (prediction.query_id, prediction.passage_id) not in found:
            faults.add(prediction.line, f"{_words(prediction)} is neither in the pool nor graded")
    faults.raise_if_any()
    return found


@transaction.atomic
def _store(
    collection: Collection,
    name: str,
    predictions: list[Prediction],
    pairs: dict[tuple[str, str], int],
    by: User | None,
    now: datetime,
) -> int:
    """Store what is new; returns how many that were."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    rater = Rater.objects.filter(collection=collection, name=name).first()
    if rater and rater.judge != UPLOADED:
        raise CannotUpload(f"The rater {name} has other grades in this collection; give the predictions another name.")
    new = _new(rater, predictions)
    if not new:
        return 0
    rater = rater or Rater.objects.create(
        collection=collection, name=name, kind=Rater.Kind.MODEL, judge=UPLOADED, created_at=now
    )
    batch = Batch.objects.create(
        collection=collection,
        rater=rater,
        judge=UPLOADED,
        pairs=len(new),
        created_at=now,
        created_by=by,
        finished_at=now,
    )
    rows = (
        _suggestion(batch, pairs[prediction.query_id, prediction.passage_id], prediction, now) for prediction in new
    )
    Suggestion.objects.bulk_create(rows, batch_size=BATCH)
    return len(new)


def _new(rater: Rater | None, predictions: list[Prediction]) -> list[Prediction]:
    """Predictions that the rater does not have. Raises FileRefused for those that it has otherwise."""
    before = _before(rater, predictions) if rater else {}
    faults, new = Faults(NAME), []
    for prediction in predictions:
        earlier = before.get((prediction.query_id, prediction.passage_id))
        if earlier is None:
            new.append(prediction)
        elif earlier != _content(prediction.answer, prediction.probabilities, prediction.reason):
            faults.add(
                prediction.line,
                f"{_words(prediction)} was predicted otherwise before; send a new version under a new name",
            )
    faults.raise_if_any()
    return new


def _before(rater: Rater, predictions: list[Prediction]) -> dict[tuple[str, str], object]:
    found: dict[tuple[str, str], object] = {}
    for part in records.split(predictions, BATCH):
        rows = Suggestion.objects.filter(
            rater=rater,
            pair__topic__query_id__in={prediction.query_id for prediction in part},
            pair__passage_id__in={prediction.passage_id for prediction in part},
        )
        columns = ("pair__topic__query_id", "pair__passage_id", "answer", "probabilities", "reason")
        for query_id, passage_id, *content in rows.values_list(*columns):
            found[query_id, passage_id] = _content(*content)
    return found


def _content(answer: str, probabilities: list[float] | tuple[float, ...] | None, reason: str) -> object:
    return answer, None if probabilities is None else tuple(probabilities), reason


def _suggestion(batch: Batch, pair_id: int, prediction: Prediction, now: datetime) -> Suggestion:
    if prediction.grade is not None:
        state = Suggestion.State.DONE
    else:
        state = Suggestion.State.EMPTY if prediction.answer == "null" else Suggestion.State.UNPARSED
    return Suggestion(
        rater=batch.rater,
        pair_id=pair_id,
        batch=batch,
        state=state,
        grade=prediction.grade,
        probabilities=prediction.probabilities,
        reason=prediction.reason,
        answer=prediction.answer,
        created_at=now,
    )


def _words(prediction: Prediction) -> str:
    return f"passage {prediction.passage_id!r} of topic {prediction.query_id!r}"
