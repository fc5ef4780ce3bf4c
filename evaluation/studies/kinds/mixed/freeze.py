"""People's and a model's labels together: a recorded sample, people's grades of it, the model's grades as frozen."""

from collections.abc import Collection as Pairs
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import F

from annotate.draws import queries as draws_queries
from annotate.grades import rankings, ratings
from annotate.models import Claim, Collection, Judgment, Pair, PairDraw, Rater, Run, Topic
from annotate.rules import completion, drawing
from evaluation.engine import run_index
from evaluation.measures import gains
from evaluation.measures.definition import CannotMeasure
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.mixed import inputs
from evaluation.studies.kinds.mixed.inputs import TOPIC, Frame, Inputs, Stratum
from evaluation.studies.kinds.mixed.plan import CROSS_FITTED, Plan
from evaluation.studies.kinds.registry import CannotStudy

_KINDS = {
    PairDraw.Kind.SAMPLE: inputs.SAMPLE,
    PairDraw.Kind.LIST: inputs.LIST,
    PairDraw.Kind.INFLUENCE: inputs.INFLUENCE,
}


@dataclass(frozen=True)
class Today:
    """`runs` are those of the design, as far as they are still what they were; `since` counts pooled runs that came
    after it. `frame`: the open pairs by topic, None where they are not known any more. `changed` as in `Inputs`."""

    runs: list[Run]
    since: int
    reference: Rater | None
    model: Rater | None
    frame: Frame | None
    changed: tuple[str, ...]


def choose_draw(collection: Collection, draw: int | None) -> PairDraw | None:
    """The draw of this number, of whatever kind; without one the sample in force, else the last sample, else what is
    in force. None where there is none of them."""
    draws = draws_queries.list_draws(collection)
    if draw is not None:
        return draws.filter(pk=draw).first()
    in_force = collection.pair_draw
    if in_force and in_force.kind == PairDraw.Kind.SAMPLE:
        return in_force
    return draws.filter(kind=PairDraw.Kind.SAMPLE).first() or in_force


def draw_order(draw: PairDraw | None) -> str:
    return _KINDS.get(PairDraw.Kind(draw.kind), inputs.POOL) if draw else inputs.POOL


def compare_with_today(draw: PairDraw) -> Today:
    collection, design = draw.collection, draw.design
    recorded = {(run["run_tag"], run["digest"]) for run in design["runs"]}
    published = rankings.published_runs(collection)
    runs = [run for run in published if (run.tag, run.digest) in recorded]
    reference, model = (_rater(collection, design[name]) for name in ("reference", "model"))
    changed = {
        "runs": len(runs) < len(recorded),
        "model": _changed(design["model"], ratings.digest_model(model) if model else None),
        "reference": _changed(design["reference"], ratings.digest_reference(reference) if reference else None),
    }
    frame = None if changed["runs"] or changed["reference"] else _frame(draw, runs, reference)
    names = [name for name, is_changed in changed.items() if is_changed]
    if frame is None and not names:
        names = ["frame"]
    since = sum(run.is_pooled for run in published if (run.tag, run.digest) not in recorded)
    return Today(runs, since, reference, model, frame, tuple(names))


def count_earlier_samples(draw: PairDraw) -> int:
    """How many samples were drawn before it and judged."""
    samples = PairDraw.objects.filter(collection=draw.collection, kind=draw.kind, pk__lt=draw.pk)
    return samples.filter(pk__in=Judgment.objects.filter(pair_draw__in=samples).values("pair_draw")).count()


def is_cut_short(draw: PairDraw) -> bool:
    """Whether a larger sample with the same seed, of which this is a part, was being judged when it was drawn."""
    mine = _sampled(draw)
    earlier = PairDraw.objects.filter(
        collection=draw.collection, kind=draw.kind, seed=draw.seed, pk__lt=draw.pk, size__gt=draw.size
    )
    return any(
        mine < _sampled(other) and Judgment.objects.filter(pair_draw=other, created_at__lt=draw.created_at).exists()
        for other in earlier
    )


def _sampled(draw: PairDraw) -> set[ratings.PairId]:
    return {(stratum["query_id"], name) for stratum in draw.design["topics"] for name in stratum["passage_ids"]}


def _rater(collection: Collection, recorded: dict[str, Any] | None) -> Rater | None:
    return Rater.objects.filter(collection=collection, name=recorded["rater"]).first() if recorded else None


def _changed(recorded: dict[str, Any] | None, now: ratings.GradeDigest | None) -> bool:
    return recorded != (asdict(now) if now else None)


def _frame(draw: PairDraw, runs: list[Run], reference: Rater | None) -> Frame | None:
    """The frame again, known by its digest: all that the reference left open, or of that what can be judged today."""
    given = ratings.reference_grades(reference) if reference else {}
    closed = {pair for pair, grade in given.items() if completion.closes_hole(grade)}
    topics = [stratum["query_id"] for stratum in draw.design["topics"]]
    result = [_frame_of_today(draw)]
    if draw.design["unit"] == inputs.PAIR:
        tops = [_top(run, draw.design["depth"], set(topics)) for run in runs]
        result.append(_by_topic(topics, set(drawing.pool_runs(tops, draw.design["depth"])) - closed))
    recorded = draw.design["frame"]["digest"]
    return next((frame for frame in result if frame is not None and inputs.digest_frame(frame) == recorded), None)


def _frame_of_today(draw: PairDraw) -> Frame | None:
    collection, design = draw.collection, draw.design
    try:
        if design["unit"] == inputs.PAIR:
            return draws_queries.frame_of_top(collection, design["depth"]).topics
        return draws_queries.frame_of_pool(collection).topics
    except drawing.CannotDraw:
        return None


def _top(run: Run, depth: int, known: set[str]) -> dict[str, list[str]]:
    top = rankings.load_top(run, depth)
    return {query_id: top.ranking(query_id, depth) for query_id in top.query_ids if query_id in known}


def _by_topic(topics: list[str], pairs: set[ratings.PairId]) -> Frame:
    frame: Frame = {query_id: [] for query_id in topics}
    for query_id, name in sorted(pairs):
        frame[query_id].append(name)
    return frame


Named = ratings.PairId


@dataclass(frozen=True)
class Sampled:
    """Of the sampled pairs, `grades` that were given without a suggestion in view, and why the others have none."""

    grades: dict[Named, int]
    unanswered: dict[Named, str]


def list_sampled_grades(draw: PairDraw, pairs: Pairs[Named]) -> Sampled:
    """An adjudicator's decision stands before the consensus, as everywhere; one that saw a suggestion counts as none.

    A pair that waits for more judgments is open: what its first ones say is not yet what people say.
    """
    collection, asked = draw.collection, set(pairs)
    decided = ratings.decisions(collection, blind=True)
    given = {**ratings.consensus_grades(collection, blind=True), **decided}
    waiting = _waiting(draw)
    grades = {
        pair: grade for pair, grade in given.items() if grade is not None and pair in asked and pair not in waiting
    }
    why = _reasons(collection) | {pair: inputs.CANNOT for pair, grade in decided.items() if grade is None}
    why |= dict.fromkeys(waiting, inputs.OPEN)
    return Sampled(grades, {pair: why.get(pair, inputs.OPEN) for pair in sorted(asked - grades.keys())})


def _waiting(draw: PairDraw) -> set[Named]:
    if draw.collection.pair_draw_id != draw.pk:
        return set()
    rows = Pair.objects.filter(collection=draw.collection, is_drawn=True, counted__gt=0, counted__lt=F("target"))
    undecided = rows.exclude(adjudications__is_current=True)
    return set(undecided.values_list("topic__query_id", "passage_id"))


def _reasons(collection: Collection) -> dict[Named, str]:
    """Why pairs may have no grade that counts, whether or not they have one; what weighs most comes last."""
    skipped = Claim.objects.filter(collection=collection, state=Claim.State.SKIPPED).values_list(*ratings.NAMES)
    rows = ratings.current_judgments(collection)
    graded, cannot = (rows.filter(outcome=each) for each in (Judgment.Outcome.GRADED, Judgment.Outcome.CANNOT))
    blind = {pair for given in ratings.assessor_grades(collection, blind=True).values() for pair in given}
    judged = set(graded.values_list(*ratings.NAMES))
    return {
        **dict.fromkeys(skipped, inputs.SKIPPED),
        **dict.fromkeys(judged - blind, inputs.IN_VIEW),
        **dict.fromkeys(cannot.values_list(*ratings.NAMES), inputs.CANNOT),
        **dict.fromkeys(blind, inputs.UNSETTLED),
    }


NDCG_DEPTH = 10


def freeze(*, collection: Collection, plan: Plan) -> dict[str, Any]:
    """The inputs of this moment. Where judged pairs are no sample there is little to freeze, and the study says so.

    Raises CannotStudy without runs, for a draw that the collection does not have, and a gain unfit for its scale.
    """
    _check_gain(collection, plan.gain)
    draw = choose_draw(collection, plan.draw)
    if draw is None and plan.draw is not None:
        raise CannotStudy(f"The collection has no draw number {plan.draw}.")
    order = draw_order(draw)
    if draw is None or draw.kind != PairDraw.Kind.SAMPLE:
        return {"order": order, "scale": frozen.name_scale(collection), **_runs(rankings.published_runs(collection))}
    today = compare_with_today(draw)
    return {
        "order": order,
        "draw": {"number": draw.pk, "seed": draw.seed, "drawn_at": draw.created_at.isoformat()},
        **{name: draw.design[name] for name in ("unit", "depth", "reference", "model", "frame")},
        "scale": frozen.name_scale(collection),
        "left_out": sum(draw.design["left_out"].values()),
        "changed": list(today.changed),
        "runs_since": today.since,
        "earlier_samples": count_earlier_samples(draw),
        "is_cut_short": is_cut_short(draw),
        "consensus": collection.consensus,
        **_runs(today.runs),
        "grades": frozen.freeze_json(_grades(draw, today)),
        "texts": frozen.freeze_json(_texts(draw)) if plan.method == CROSS_FITTED else None,
    }


def thaw(manifest: Mapping[str, Any]) -> Inputs:
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
        **{name: manifest[name] for name in ("left_out", "runs_since", "earlier_samples", "is_cut_short")},
    )


def _check_gain(collection: Collection, gain: str) -> None:
    with frozen.refusing(CannotMeasure):
        worth = gains.gain_table(gain, collection.highest_grade)
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
    sampled = list_sampled_grades(draw, [(query_id, name) for query_id, _, names, _ in strata for name in names])
    topics = {stratum[0] for stratum in strata}
    return {
        "strata": strata,
        "known": _rater_lines(today.reference, topics),
        "model": _rater_lines(today.model, topics),
        "people": frozen.lines_of_pairs(sampled.grades),
        "unanswered": frozen.lines_of_pairs(sampled.unanswered),
    }


def _rater_lines(rater: Rater | None, topics: set[str]) -> frozen.Lines:
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
