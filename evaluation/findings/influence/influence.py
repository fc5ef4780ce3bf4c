"""Which holes of a collection can move its ranking of systems most, with today's completed qrels."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from annotate.formats.records import Qrels
from annotate.grades import grade_digests, holes, rankings, ratings
from annotate.models import Collection, Pair, Rater, Run
from annotate.rules import completion, ordering
from evaluation.engine import influence, pair_index
from evaluation.engine.influence import Influence
from evaluation.engine.pair_index import PairIndex
from evaluation.findings.influence import weights as influence_weights
from evaluation.inputs import completed, questions, run_indexes
from evaluation.inputs.completed import Completed
from evaluation.measures import registry

MOST_TOLD = 100
Told = dict[str, object]


@dataclass(frozen=True, eq=False)
class Computed:
    """`keys` are the places of the holes in the order, from 0; `told` is what a page says, as JSON; `design` says what
    it was computed from."""

    keys: dict[ratings.Pair, int]
    told: Told
    design: Told


def compute(collection: Collection, weights: str = "") -> Computed:
    """The influence of all holes that people may be asked about; `weights` names the model whose probabilities weight
    it, or is empty. Raises TooFewSystems, and NoSuchModel.
    """
    model = influence_weights.model(collection, weights)
    facts = questions.digest(collection, (weights,) if weights else ())
    known = completed.complete(collection, completion.Rule(consensus_rule=collection.consensus))
    texts = _holes(collection, known.qrels)
    runs = rankings.published_runs(collection)
    index = _index(collection, runs, known, texts)
    found = influence.of_holes(index, known.qrels, _by_topic(texts), highest=collection.highest_grade)
    values = influence_weights.values(found, model)
    keys = ordering.by_value(values)
    ignored = set(found.topics_without_ideal).union(query_id for query_id, _ in texts.keys() - set(found.holes))
    told = {
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
        "top": _top(index, found, [(hole, values[hole]) for hole in list(keys)[:MOST_TOLD]], texts),
    }
    return Computed(keys, told, _design(told, runs, model, facts))


def _holes(collection: Collection, graded: Qrels) -> dict[ratings.Pair, bool]:
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


def _by_topic(named: Iterable[ratings.Pair]) -> dict[str, dict[str, None]]:
    by_topic: dict[str, dict[str, None]] = {}
    for query_id, passage_id in named:
        by_topic.setdefault(query_id, {})[passage_id] = None
    return by_topic


def _index(collection: Collection, runs: Sequence[Run], known: Completed, named: Iterable[ratings.Pair]) -> PairIndex:
    """Of what is graded and what is a hole, on the topics over which the leaderboard takes its means."""
    ranked = run_indexes.of(collection, runs, [registry.parse(influence.MEASURE)])
    pairs = [known.qrels, _by_topic(named)]
    return pair_index.build(ranked, pairs, topics=known.topics, depth=influence.CUTOFF)


def _top(
    index: PairIndex,
    found: Influence,
    first: Sequence[tuple[ratings.Pair, float]],
    texts: dict[ratings.Pair, bool],
) -> list[Told]:
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


def _design(told: Told, runs: Sequence[Run], model: Rater | None, facts: str) -> Told:
    return {
        **{name: told[name] for name in ("measure", "rule", "consensus", "topics")},
        "weights": asdict(grade_digests.of_model(model)) if model else None,
        "runs": [{"run_tag": run.tag, "digest": run.digest} for run in runs],
        "facts": facts,
    }
