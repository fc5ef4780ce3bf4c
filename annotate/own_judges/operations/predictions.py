"""The work of a batch of one of Lacuna's own judges: training, then suggestions in slices that are never done twice."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from annotate.formats import records
from annotate.grades import ratings
from annotate.models import Batch, Collection, Rater, Suggestion, Work, raters
from annotate.own_judges.operations import requests
from annotate.work.queue import CannotGoOn, Step

if TYPE_CHECKING:
    from annotate.judges.calibrated import CalibratedJudge
    from annotate.judges.prediction import Prediction

SLICE = 200
DECIMALS = 6
Rows = list[tuple[int, ratings.PairId]]


def run_batch(work: Work) -> Iterator[Step]:
    """Train on the material of the moment of the request, then predict slice by slice. After a crash it trains again
    (same material, same judge) and goes on."""
    from annotate.own_judges.operations import training_set  # scikit-learn costs a second to import

    batch = Batch.objects.select_related("collection", "rater__collection").get(pk=work.arguments["batch"])
    version = batch.rater
    assert version is not None
    rows = _to_ask(version)
    yield Step(0, batch.pairs, note="reading texts and grades")
    try:
        judge = training_set.train_version(version, (pair for _, pair in rows))
    except ValueError as reason:  # too few grades; a label that is none
        raise CannotGoOn(str(reason)) from None
    version.parameters |= {
        "warning": judge.warning,
        "calibration": training_set.measure_calibration(batch.collection, judge),
    }
    version.save(update_fields=["parameters"])
    yield Step(0, batch.pairs, note="trained; now predicting")
    yield from _predict(batch, judge, _answerable(rows, judge))
    _finish(batch)


def _to_ask(rater: Rater) -> Rows:
    """Row ids and names, topic by topic."""
    rows = requests.pairs_to_ask(rater).order_by("topic", "pk").values_list("pk", "topic__query_id", "passage_id")
    return [(pk, (query_id, passage_id)) for pk, query_id, passage_id in rows]


def _answerable(rows: Rows, judge: "CalibratedJudge") -> Rows:
    """Those that it can say something of. Texts that came or went since the request are not in its memory; of a pair
    that no model speaks of text has to tell, and may have too little to learn from."""
    from annotate.judges import training

    read = [row for row in rows if judge.has_read(*row[1])]
    labelled = [row for row in read if judge.has_label(*row[1])]
    if len(labelled) == len(read):
        return read
    try:
        judge.alone  # noqa: B018
    except training.TooFewGrades:
        return labelled
    return read


def _predict(batch: Batch, judge: "CalibratedJudge", rows: Rows) -> Iterator[Step]:
    done = Suggestion.objects.filter(batch=batch).count()
    for part in records.split(rows, SLICE):
        predictions = judge.predict([pair for _, pair in part])
        Suggestion.objects.bulk_create(
            _suggestion(batch, pair_id, prediction) for (pair_id, _), prediction in zip(part, predictions, strict=True)
        )
        done += len(part)
        yield Step(done, batch.pairs)


def _suggestion(batch: Batch, pair_id: int, prediction: "Prediction") -> Suggestion:
    probabilities, for_scoring = (
        [round(p, DECIMALS) for p in each] for each in (prediction.probabilities, prediction.for_scoring)
    )
    return Suggestion(
        rater=batch.rater,
        pair_id=pair_id,
        batch=batch,
        state=Suggestion.State.DONE,
        grade=prediction.grade,
        probabilities=probabilities,
        for_scoring=None if for_scoring == probabilities else for_scoring,
        reason=prediction.reason,
        blind_reason=prediction.blind_reason,
        created_at=timezone.now(),
    )


@transaction.atomic
def _finish(batch: Batch) -> None:
    """Assessors see the newest version of Lacuna's own judge where they saw an earlier one and the collection says so;
    else the researcher chooses what they see."""
    collection = Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    Batch.objects.filter(pk=batch.pk).update(finished_at=timezone.now())
    shown = collection.suggesting_rater
    if collection.suggests_newest and shown and _is_outdated(shown, batch):
        Collection.objects.filter(pk=collection.pk).update(suggesting_rater=batch.rater)


def _is_outdated(shown: Rater, batch: Batch) -> bool:
    """Whether what assessors see is of an own judge, asked for before this batch, which may have been taken up late."""
    return shown.judge in raters.OWN_JUDGES and not shown.batches.filter(pk__gt=batch.pk).exists()
