"""When to stop: how sure the ranking of systems is already, by what a judge says of the pairs that are still open."""

from typing import NotRequired, Self, TypedDict

import numpy as np
from django.db.models import Exists, OuterRef, Q

from annotate.grades import holes, model_raters, rankings, ratings
from annotate.models import Collection, Pair, Rater, Suggestion
from annotate.rules import completion
from evaluation.engine import ranking_shift
from evaluation.findings import run_indexes
from evaluation.inputs import facts
from evaluation.inputs.choices import Question

DRAWS = 200
SEED = 1


class StableSystem(TypedDict):
    """`kept`: the share of draws in which it stays before the next system; None for the last, and for one that is level
    with the next today."""

    run_tag: str
    mean_drawn: float
    kept: float | None


class Stability(TypedDict):
    """`systems` in their order of today, when open pairs count as not relevant. Means are over the topics with a grade
    or an open pair. `reason` where there is no such order."""

    measure: str
    model: str
    draws: int
    seed: int
    topics: int
    open: int
    unanswered: int
    systems: list[StableSystem]
    tau_b: NotRequired[float | None]
    reason: NotRequired[str]


class StabilityQuestion(Question[Stability]):
    kind = "stability"
    page = "ranking_stability"

    @classmethod
    def by_model(cls, name: str) -> Self:
        return cls((("model", name),), f"stability of the ranking by {name}", (name,))

    def compute(self, collection: Collection) -> Stability:
        return compute_stability(collection, dict(self.arguments)["model"])


def list_judges(collection: Collection) -> list[Rater]:
    """The models that say how likely grades are, the one that knows most of this collection first: calibrated, learned,
    then the newest."""
    tells = Q(probabilities__isnull=False) | Q(votes__isnull=False)
    answers = Suggestion.objects.visible().filter(tells, rater=OuterRef("pk"), state=Suggestion.State.DONE)
    telling = set(Rater.objects.filter(Exists(answers), collection=collection).values_list("pk", flat=True))
    found = [rater for rater in model_raters.without_earlier(collection) if rater.pk in telling]
    order = {"calibrated": 0, "learned": 1}
    return sorted(found, key=lambda rater: (order.get(rater.judge, 2), -rater.pk))


def compute_stability(collection: Collection, name: str) -> Stability:
    known = facts.complete_qrels(collection, completion.Rule(consensus_rule=collection.consensus))
    model = Rater.objects.filter(collection=collection, name=name, kind=Rater.Kind.MODEL).first()
    open_pairs = _open(collection)
    probabilities = _probabilities(model, open_pairs) if model else {}
    topics = known.topics.union(query_id for query_id, _ in probabilities)
    runs = rankings.published_runs(collection)
    answer = Stability(
        measure=str(ranking_shift.MEASURE),
        model=name,
        draws=DRAWS,
        seed=SEED,
        topics=len(topics),
        open=len(open_pairs),
        unanswered=len(open_pairs) - len(probabilities),
        systems=[],
    )
    if reason := _why_none(len(runs), len(known.topics), len(probabilities)):
        return {**answer, "reason": reason}
    found = ranking_shift.draw_stability(
        run_indexes.load_index(collection, runs, [ranking_shift.MEASURE]),
        known.qrels,
        probabilities,
        topics=sorted(topics),
        draws=DRAWS,
        seed=SEED,
        highest=collection.highest_grade,
    )
    taus = found.taus[~np.isnan(found.taus)]
    rows = zip(found.run_tags, found.means_drawn, (*found.kept, None), strict=True)
    return {
        **answer,
        "tau_b": float(taus.mean()) if taus.size else None,
        "systems": [{"run_tag": tag, "mean_drawn": drawn, "kept": kept} for tag, drawn, kept in rows],
    }


def _open(collection: Collection) -> set[ratings.PairId]:
    rows = Pair.objects.filter(holes.HOLE, collection=collection, is_withdrawn=False)
    return set(rows.values_list("topic__query_id", "passage_id"))


def _probabilities(model: Rater, open_pairs: set[ratings.PairId]) -> dict[ratings.PairId, list[float]]:
    """Of the open pairs; a grade without probabilities counts as certain. A scale from 1 has no chance of 0."""
    scale = model.collection.scale
    found = {}
    for pair, label in ratings.model_labels(model).items():
        if pair in open_pairs:
            probabilities = [float(label == grade) for grade in scale.grades] if isinstance(label, int) else label
            found[pair] = [*[0.0] * scale.low, *probabilities]
    return found


def _why_none(runs: int, topics: int, probabilities: int) -> str:
    if runs < 2:
        return "A ranking needs two runs."
    if not topics:
        return "There are no grades to rank systems by yet."
    return "" if probabilities else "Of the pairs that are open this judge says nothing."
