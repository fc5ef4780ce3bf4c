"""People's and a model's labels together: a recorded sample, people's grades of it, the model's grades as frozen."""

from collections.abc import Mapping
from typing import Any

from annotate.grades import rankings, ratings
from annotate.models import Collection, Pair, PairDraw, Rater, Run, Topic
from evaluation.engine import run_index
from evaluation.measures import gains
from evaluation.measures.definition import CannotMeasure
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.mixed import plan as mixed_plan
from evaluation.studies.kinds.mixed import samples
from evaluation.studies.kinds.mixed.inputs import TOPIC, Inputs, Stratum
from evaluation.studies.kinds.mixed.plan import Plan
from evaluation.studies.kinds.mixed.samples import Today
from evaluation.studies.kinds.registry import CannotStudy

NDCG_DEPTH = 10


def freeze(*, collection: Collection, plan: Plan) -> dict[str, Any]:
    """The inputs of this moment. Where judged pairs are no sample there is little to freeze, and the study says so.

    Raises CannotStudy without runs, for a draw that the collection does not have, and a gain unfit for its scale.
    """
    _check_gain(collection, plan.gain)
    draw = samples.choose_draw(collection, plan.draw)
    if draw is None and plan.draw is not None:
        raise CannotStudy(f"The collection has no draw number {plan.draw}.")
    order = samples.draw_order(draw)
    if draw is None or draw.kind != PairDraw.Kind.SAMPLE:
        return {"order": order, "scale": frozen.name_scale(collection), **_runs(rankings.published_runs(collection))}
    today = samples.compare_with_today(draw)
    return {
        "order": order,
        "draw": {"number": draw.pk, "seed": draw.seed, "drawn_at": draw.created_at.isoformat()},
        "unit": draw.design["unit"],
        "depth": draw.design["depth"],
        "scale": frozen.name_scale(collection),
        "left_out": sum(draw.design["left_out"].values()),
        "changed": list(today.changed),
        "runs_since": today.since,
        "earlier_samples": samples.count_earlier_samples(draw),
        "is_cut_short": samples.is_cut_short(draw),
        "consensus": collection.consensus,
        "reference": draw.design["reference"],
        "model": draw.design["model"],
        "frame": draw.design["frame"],
        **_runs(today.runs),
        "grades": frozen.freeze_json(_grades(draw, today)),
        "texts": frozen.freeze_json(_texts(draw)) if plan.method == mixed_plan.CROSS_FITTED else None,
    }


def thaw(manifest: Mapping[str, Any]) -> Inputs:
    """The inputs that were frozen. Raises FileNotFoundError and FileRefused where a file of them is gone or damaged."""
    unit = manifest.get("unit", "pair")
    depth = max(manifest.get("depth", NDCG_DEPTH), NDCG_DEPTH if unit == TOPIC else 1)
    runs = frozen.load_runs(manifest["runs"], depth)
    always: dict[str, Any] = {
        "rankings": run_index.build(runs, depth),
        "order": manifest["order"],
        "lowest": manifest["scale"][0],
        "highest": manifest["scale"][1],
    }
    if "grades" not in manifest:
        return Inputs(**always)
    kept = frozen.thaw_json(manifest["grades"])
    texts = frozen.thaw_json(manifest["texts"]) if manifest["texts"] else {"queries": {}, "texts": {}}
    return Inputs(
        **always,
        **texts,
        unit=unit,
        depth=manifest["depth"],
        seed=manifest["draw"]["seed"],
        strata=tuple(
            Stratum(query_id, tuple(names), tuple(sampled), is_sampled)
            for query_id, names, sampled, is_sampled in kept["strata"]
        ),
        known=frozen.lines_by_topic(kept["known"]),
        model=frozen.lines_by_topic(kept["model"]) if manifest["model"] else None,
        model_name=manifest["model"]["rater"] if manifest["model"] else "",
        people=frozen.lines_by_pair(kept["people"]),
        unanswered=frozen.lines_by_pair(kept["unanswered"]),
        changed=tuple(manifest["changed"]),
        left_out=manifest["left_out"],
        runs_since=manifest["runs_since"],
        earlier_samples=manifest["earlier_samples"],
        is_cut_short=manifest["is_cut_short"],
    )


def _check_gain(collection: Collection, gain: str) -> None:
    try:
        worth = gains.gain_table(gain, collection.highest_grade)
    except CannotMeasure as reason:
        raise CannotStudy(str(reason)) from None
    if not worth[-1]:
        raise CannotStudy(f"Under the gain {gain} no grade is worth anything.")


def _runs(runs: list[Run]) -> dict[str, Any]:
    if not runs:
        raise CannotStudy("There are no runs to tell anything of: import them, or restore those of the sample.")
    return {"runs": frozen.name_runs(runs)}


def _grades(draw: PairDraw, today: Today) -> dict[str, Any]:
    """Without a frame that is known, topics have their sampled pairs alone: no interval rests on them."""
    strata = [
        [
            stratum["query_id"],
            (today.frame or {}).get(stratum["query_id"], stratum["passage_ids"]),
            stratum["passage_ids"],
            stratum["is_sampled"],
        ]
        for stratum in draw.design["topics"]
    ]
    sampled = samples.list_sampled_grades(
        draw, [(query_id, name) for query_id, _, names, _ in strata for name in names]
    )
    topics = {stratum[0] for stratum in strata}
    return {
        "strata": strata,
        "known": _of_rater(today.reference, topics),
        "model": _of_rater(today.model, topics),
        "people": frozen.lines_of_pairs(sampled.grades),
        "unanswered": frozen.lines_of_pairs(sampled.unanswered),
    }


def _of_rater(rater: Rater | None, topics: set[str]) -> frozen.Lines:
    given = ratings.rater_grades(rater) if rater else {}
    return frozen.lines_of_pairs({pair: grade for pair, grade in given.items() if pair[0] in topics})


def _texts(draw: PairDraw) -> dict[str, dict[str, str]]:
    """Of the collection's topics, and of its pairs."""
    pairs = Pair.objects.filter(collection=draw.collection, passage_text__isnull=False)
    topics = Topic.objects.published().filter(collection=draw.collection)
    return {
        "queries": dict(topics.values_list("query_id", "text")),
        "texts": dict(pairs.values_list("passage_id", "passage_text__text")),
    }
