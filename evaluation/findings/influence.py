"""Which holes can move the ranking of systems most: computed in the background, perhaps the order of judging."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypedDict

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.draws.operations import draws
from annotate.formats.records import Qrels
from annotate.grades import holes, rankings, ratings
from annotate.models import Adjudication, Collection, Judgment, Pair, Rater, Run, User, Work
from annotate.rules import completion, drawing
from annotate.rules.permissions import NotAllowed, check_weighting
from annotate.work import queue
from annotate.work.queue import CannotGoOn, Step, WorkRequest
from evaluation.engine import influence, pair_index
from evaluation.engine.influence import Influence, TooFewSystems
from evaluation.engine.pair_index import PairIndex, Pairs
from evaluation.findings import run_indexes
from evaluation.inputs import choices
from evaluation.inputs.choices import Question
from evaluation.inputs.facts import Completed, complete_qrels
from evaluation.measures import registry
from evaluation.models import Finding


class NoSuchModel(ValueError):
    """The collection has no model of that name."""


def order_values(found: Influence, model: Rater | None) -> dict[ratings.PairId, float]:
    """With a model the expected figures of the holes that it says something of; a grade without probabilities counts
    as certain."""
    if model is None:
        return dict(zip(found.holes, found.of_grade.tolist(), strict=True))
    scale = model.collection.scale
    below = [0.0] * scale.low
    probabilities = {pair: [*below, *given] for pair, given in ratings.model_probabilities(model).items()}
    for pair, grade in ratings.model_grades(model).items():
        probabilities.setdefault(pair, [float(grade == each) for each in range(scale.high + 1)])
    return influence.weighted(found, probabilities)


def find_model(collection: Collection, name: str) -> Rater | None:
    """The model rater of a name, None for no name. Raises NoSuchModel."""
    if not name:
        return None
    rater = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL, name=name).first()
    if rater is None:
        raise NoSuchModel(f"The collection has no model rater named {name!r}.")
    return rater


MOST_LISTED = 100


class HoleRank(TypedDict):
    rank: int
    systems: list[str]


class InfluentialHole(TypedDict):
    """`value` is by what holes are ordered: `influence`, or what a model expects of it."""

    query_id: str
    passage_id: str
    value: float
    influence: float
    through_ideal: float
    has_text: bool
    ranks: list[HoleRank]


class InfluenceJson(TypedDict):
    """`moving` of the `holes` move anything, `ignored` lie in topics without anything relevant, of `unanswered` the
    model that weights says nothing; `top` are the first of those that move anything."""

    measure: str
    rule: str
    consensus: str
    weights: str
    systems: int
    topics: int
    holes: int
    moving: int
    ignored: int
    unanswered: int
    top: list[InfluentialHole]


class InfluenceDesign(TypedDict):
    """What an order by influence was computed from."""

    measure: str
    rule: str
    consensus: str
    topics: int
    weights: dict[str, object] | None
    runs: list[dict[str, str]]
    facts: str


@dataclass(frozen=True, eq=False)
class ComputedInfluence:
    """`keys` are the places of the holes in the order, from 0."""

    keys: dict[ratings.PairId, int]
    value: InfluenceJson
    design: InfluenceDesign


def compute_influence(collection: Collection, weights: str = "") -> ComputedInfluence:
    """The influence of all holes that people may be asked about; `weights` names the model whose probabilities weight
    it, or is empty. Raises TooFewSystems, and NoSuchModel.
    """
    model = find_model(collection, weights)
    facts = choices.digest(collection, (weights,) if weights else ())
    known = complete_qrels(collection, completion.Rule(consensus_rule=collection.consensus))
    texts = _open_holes(collection, known.qrels)
    runs = rankings.published_runs(collection)
    index = _pair_index(collection, runs, known, texts)
    found = influence.compute_influence(
        index, known.qrels, pair_index.group_by_topic(texts), highest=collection.highest_grade
    )
    values = order_values(found, model)
    keys = drawing.order_by_value(values)
    ignored = set(found.topics_without_ideal).union(query_id for query_id, _ in texts.keys() - set(found.holes))
    value: InfluenceJson = {
        "measure": influence.MEASURE,
        "rule": str(completion.Rule()),
        "consensus": collection.consensus,
        "weights": weights,
        "systems": len(runs),
        "topics": len(index.topics),
        "holes": len(texts),
        "moving": sum(value > 0 for value in values.values()),
        "ignored": sum(query_id in ignored for query_id, _ in texts),
        "unanswered": len(found.holes) - len(values),
        "top": _most_influential(index, found, [(hole, values[hole]) for hole in list(keys)[:MOST_LISTED]], texts),
    }
    return ComputedInfluence(keys, value, _design(value, runs, model, facts))


def _open_holes(collection: Collection, graded: Qrels) -> dict[ratings.PairId, bool]:
    """The holes, and whether each has a text. Without withdrawn pairs, and near-duplicates that follow another."""
    rows = Pair.objects.filter(holes.HOLE, collection=collection, is_withdrawn=False)
    if collection.propagates_duplicates:
        rows = rows.filter(duplicate_of=None)
    named = rows.values_list("topic__query_id", "passage_id", "passage_text")
    return {
        (query_id, passage_id): text is not None
        for query_id, passage_id, text in named
        if passage_id not in graded.get(query_id, {})
    }


def _pair_index(
    collection: Collection, runs: Sequence[Run], known: Completed, named: Iterable[ratings.PairId]
) -> PairIndex:
    """Of what is graded and what is a hole, on the topics over which the leaderboard takes its means."""
    ranked = run_indexes.load_index(collection, runs, [registry.parse(influence.MEASURE)])
    pairs: list[Pairs] = [known.qrels, pair_index.group_by_topic(named)]
    return pair_index.build(ranked, pairs, topics=known.topics, depth=influence.CUTOFF)


def _most_influential(
    index: PairIndex, found: Influence, first: Sequence[tuple[ratings.PairId, float]], texts: dict[ratings.PairId, bool]
) -> list[InfluentialHole]:
    """Those of the first holes that move anything, with both figures and where they stand in the systems."""
    places = {hole: place for place, hole in enumerate(found.holes)}
    return [
        {
            "query_id": hole[0],
            "passage_id": hole[1],
            "value": value,
            "influence": float(found.of_grade[places[hole]]),
            "through_ideal": float(found.through_ideal[places[hole]]),
            "has_text": texts[hole],
            "ranks": [{"rank": rank, "systems": tags} for rank, tags in influence.ranks(index, hole).items()],
        }
        for hole, value in first
        if value > 0
    ]


def _design(value: InfluenceJson, runs: Sequence[Run], model: Rater | None, facts: str) -> InfluenceDesign:
    return {
        "measure": value["measure"],
        "rule": value["rule"],
        "consensus": value["consensus"],
        "topics": value["topics"],
        "weights": asdict(ratings.digest_model(model)) if model else None,
        "runs": [{"run_tag": run.tag, "digest": run.digest} for run in runs],
        "facts": facts,
    }


class InfluenceQuestion(Question[InfluenceJson]):
    """It is computed when somebody wants it, not when somebody looks at it."""

    kind = "influence"
    page = "influence"


QUESTION = InfluenceQuestion((), "influence of holes")


@dataclass(frozen=True)
class KnownInfluence:
    """`judgments` and `decisions` were stored since; `is_stale` also where
    imports, draws of holes or settings changed grades or runs."""

    value: InfluenceJson
    computed_at: datetime
    judgments: int
    decisions: int
    is_stale: bool


def find_influence(collection: Collection) -> KnownInfluence | None:
    """None where nothing was ever computed."""
    found = Finding.objects.filter(collection=collection, kind=QUESTION.kind, key=QUESTION.key).first()
    if found is None:
        return None
    weights = found.value["weights"]
    since = {"created_at__gt": found.computed_at}
    judgments = Judgment.objects.filter(assessor__collection=collection, round=1, **since)
    return KnownInfluence(
        value=found.value,
        computed_at=found.computed_at,
        judgments=judgments.count(),
        decisions=Adjudication.objects.filter(pair__collection=collection, **since).count(),
        is_stale=found.facts != choices.digest(collection, (weights,) if weights else ()),
    )


KIND = "influence"  # as evaluation.apps registers it


class CannotWeight(Exception):
    """Why a model does not weight influence; the message is what people read."""


@transaction.atomic
def request_influence(
    *, collection: Collection, weights: str = "", orders: bool = False, by: User | None, now: datetime
) -> Work:
    """Queue the computation, and with `orders` that holes are judged in its order; once, if it waits already.

    `weights`: the name of the model whose probabilities weight it. Raises CannotWeight.
    """
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if weights:
        _check_weights(locked, weights)
    request = WorkRequest(
        collection=collection,
        kind=KIND,
        # An order is written where pools are built: the two never write at once.
        queue=queue.FACTS if orders else queue.FINDINGS,
        subject="order by influence" if orders else "influence of holes",
        arguments={"weights": weights, "orders": orders, "result": reverse("influence", args=[collection.slug])},
        same_by=("weights", "orders"),
        joins_running=False,
    )
    return queue.ask_once(request, by=by, now=now)


def run_influence(work: Work) -> Iterator[Step]:
    """Compute from the facts of this moment, keep what is found, and write the order."""
    collection, weights = work.collection, work.arguments["weights"]
    assert collection is not None
    yield Step(0, note="computing the influence of holes")
    now = timezone.now()
    try:
        found = compute_influence(collection, weights)
    except (TooFewSystems, NoSuchModel) as reason:
        raise CannotGoOn(str(reason)) from None
    _keep_finding(collection, found, now)
    if work.arguments["orders"]:
        yield from _write_order(work, collection, found, now)


def _write_order(work: Work, collection: Collection, found: ComputedInfluence, now: datetime) -> Iterator[Step]:
    try:
        yield from draws.set_order_keys(
            collection=collection,
            keys=found.keys,
            design=dict(found.design),
            is_weighted=bool(work.arguments["weights"]),
            by=work.created_by,
            now=now,
        )
    except NotAllowed as reason:
        raise CannotGoOn(str(reason)) from None


def _keep_finding(collection: Collection, found: ComputedInfluence, now: datetime) -> None:
    """In the place of what was found before. It is of the moment before the facts were read: what came since is new."""
    Finding.objects.update_or_create(
        collection=collection,
        kind=QUESTION.kind,
        key=QUESTION.key,
        defaults={
            "question": {"weights": found.value["weights"]},
            "facts": found.design["facts"],
            "value": found.value,
            "computed_at": now,
        },
    )


def _check_weights(collection: Collection, name: str) -> None:
    try:
        check_weighting(collection.arm_shares)
        find_model(collection, name)
    except (NotAllowed, NoSuchModel) as reason:
        raise CannotWeight(str(reason)) from None
