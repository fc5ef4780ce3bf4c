"""Recorded samples beside the state of today: which one is meant, and what changed since it was drawn."""

from dataclasses import asdict, dataclass
from typing import Any

from annotate.draws.queries import pair_draws, pair_frames
from annotate.formats import named_pairs
from annotate.grades import grade_digests, rankings, ratings
from annotate.models import Collection, Judgment, PairDraw, Rater, Run
from annotate.rules import drawing, grades, pooling
from evaluation.studies.kinds.mixed.design import inputs

_KINDS = {
    PairDraw.Kind.SAMPLE: inputs.SAMPLE,
    PairDraw.Kind.LIST: inputs.LIST,
    PairDraw.Kind.INFLUENCE: inputs.INFLUENCE,
}
Frame = dict[str, list[str]]


@dataclass(frozen=True)
class Today:
    """`runs` are those of the design, as far as they are still what they were; `since` counts pooled runs that came
    after it. `frame`: the open pairs by topic, None where they cannot be told any more. `changed` as in `Inputs`."""

    runs: list[Run]
    since: int
    reference: Rater | None
    model: Rater | None
    frame: Frame | None
    changed: tuple[str, ...]


def chosen(collection: Collection, draw: int | None) -> PairDraw | None:
    """The draw of this number, of whatever kind; without one the sample in force, else the last sample, else what is
    in force. None where there is none of them."""
    draws = pair_draws.draws(collection)
    if draw is not None:
        return draws.filter(pk=draw).first()
    in_force = draws.filter(pk=collection.pair_draw_id).first()
    if in_force and in_force.kind == PairDraw.Kind.SAMPLE:
        return in_force
    return draws.filter(kind=PairDraw.Kind.SAMPLE).first() or in_force


def order_of(draw: PairDraw | None) -> str:
    """How the judged pairs were chosen."""
    return _KINDS.get(PairDraw.Kind(draw.kind), inputs.POOL) if draw else inputs.POOL


def today(draw: PairDraw) -> Today:
    collection, design = draw.collection, draw.design
    recorded = {(run["run_tag"], run["digest"]) for run in design["runs"]}
    published = rankings.published_runs(collection)
    runs = [run for run in published if (run.tag, run.digest) in recorded]
    reference, model = (_rater(collection, design[name]) for name in ("reference", "model"))
    changed = {
        "runs": len(runs) < len(recorded),
        "model": _changed(design["model"], grade_digests.of_model(model) if model else None),
        "reference": _changed(design["reference"], grade_digests.of_reference(reference) if reference else None),
    }
    frame = None if changed["runs"] or changed["reference"] else _frame(draw, runs, reference)
    names = [name for name, is_changed in changed.items() if is_changed]
    if frame is None and not names:
        names = ["frame"]
    since = sum(run.is_pooled for run in published if (run.tag, run.digest) not in recorded)
    return Today(runs, since, reference, model, frame, tuple(names))


def earlier(draw: PairDraw) -> int:
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


def _sampled(draw: PairDraw) -> set[ratings.Pair]:
    return {(stratum["query_id"], name) for stratum in draw.design["topics"] for name in stratum["passage_ids"]}


def _rater(collection: Collection, recorded: dict[str, Any] | None) -> Rater | None:
    return Rater.objects.filter(collection=collection, name=recorded["rater"]).first() if recorded else None


def _changed(recorded: dict[str, Any] | None, now: grade_digests.GradeDigest | None) -> bool:
    return recorded != (asdict(now) if now else None)


def _frame(draw: PairDraw, runs: list[Run], reference: Rater | None) -> Frame | None:
    """The frame again, known by its digest: all that the reference left open, or of that what can be judged today."""
    given = ratings.reference_grades(reference) if reference else {}
    closed = {pair for pair, grade in given.items() if grades.closes_hole(grade)}
    topics = [stratum["query_id"] for stratum in draw.design["topics"]]
    found = [_frame_of_today(draw)]
    if draw.design["unit"] == inputs.PAIR:
        tops = [_top(run, draw.design["depth"], set(topics)) for run in runs]
        found.append(_by_topic(topics, set(pooling.pool(tops, draw.design["depth"])) - closed))
    return next(
        (frame for frame in found if frame is not None and _digest(frame) == draw.design["frame"]["digest"]), None
    )


def _frame_of_today(draw: PairDraw) -> Frame | None:
    collection, design = draw.collection, draw.design
    try:
        if design["unit"] == inputs.PAIR:
            return pair_frames.of_top(collection, design["depth"]).topics
        return pair_frames.of_pool(collection).topics
    except drawing.CannotDraw:
        return None


def _top(run: Run, depth: int, known: set[str]) -> dict[str, list[str]]:
    top = rankings.top(run, depth)
    return {query_id: top.ranking(query_id, depth) for query_id in top.query_ids if query_id in known}


def _by_topic(topics: list[str], pairs: set[ratings.Pair]) -> Frame:
    frame: Frame = {query_id: [] for query_id in topics}
    for query_id, name in sorted(pairs):
        frame[query_id].append(name)
    return frame


def _digest(frame: Frame) -> str:
    return named_pairs.digest((query_id, name) for query_id, names in frame.items() for name in names)
