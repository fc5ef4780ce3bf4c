"""The study of people's and a model's labels together: its parts, and what they come to."""

from collections.abc import Mapping

from evaluation.studies.kinds.mixed.design import constructions, folds, interval, pair_results, refusals, topic_results
from evaluation.studies.kinds.mixed.design import inputs as known
from evaluation.studies.kinds.mixed.design import plan as plans
from evaluation.studies.kinds.mixed.design.inputs import Inputs
from evaluation.studies.kinds.mixed.design.plan import Plan
from evaluation.studies.kinds.mixed.design.refusals import Refusal

Found = Mapping[str, Mapping[str, object]]
_ESTIMATE = "estimate"
# Without these it is not even known which pairs could be sampled.
_FRAME = {"runs", "reference", "frame"}
_TOO_LITTLE = "Have more pairs judged, or use the method frozen."
_PAIRS_ONLY = Refusal(
    "topics",
    "A judge taught in folds is there for samples of pairs only.",
    "Use the method frozen for whole topics.",
)


def parts(plan: Plan, inputs: Inputs) -> list[str]:
    """A fold each where a judge is taught; else one."""
    return folds.names(plan) if _is_taught(plan) and not _refused(plan, inputs.cut(plan.rounds)) else [_ESTIMATE]


def run_part(plan: Plan, inputs: Inputs, name: str) -> dict[str, object]:
    asked = inputs.cut(plan.rounds)
    return _estimated(plan, asked, None) if name == _ESTIMATE else folds.teach(plan, asked, name)


def gather(plan: Plan, inputs: Inputs, found: Found) -> dict[str, object]:
    """The result. `refused` says why there are no intervals: then systems have what the model alone says."""
    return dict(found[_ESTIMATE]) if _ESTIMATE in found else _estimated(plan, inputs.cut(plan.rounds), found)


def _estimated(plan: Plan, inputs: Inputs, taught: Found | None) -> dict[str, object]:
    refused = _refused(plan, inputs)
    estimated: dict[str, object] = {"systems": [], "pairs": []}
    if inputs.strata and not _FRAME.intersection(inputs.changed):
        find = _of_topics if inputs.unit == known.TOPIC else _of_pairs
        estimated |= find(plan, inputs, taught, refused)
    return _told(plan, inputs) | {"refused": [each.to_json() for each in refused]} | estimated


def _of_topics(plan: Plan, inputs: Inputs, _: Found | None, refused: list[Refusal]) -> dict[str, object]:
    find = topic_results.model_alone if refused else topic_results.results
    return find(inputs, plan.gain)


def _of_pairs(plan: Plan, inputs: Inputs, taught: Found | None, refused: list[Refusal]) -> dict[str, object]:
    """A judge that cannot learn in some fold is one more refusal."""
    on = pair_results.ground(inputs, plan.gain)
    folded = None
    if taught and not refused:
        try:
            folded = folds.gather(plan, inputs, taught, on.ordered)
        except ValueError as reason:
            refused.append(Refusal("judge", str(reason), _TOO_LITTLE))
    return pair_results.model_alone(on) if refused else pair_results.results(on, folded)


def _refused(plan: Plan, inputs: Inputs) -> list[Refusal]:
    found = refusals.of(inputs, plan)
    return [*found, _PAIRS_ONLY] if _is_taught(plan) and inputs.unit == known.TOPIC else found


def _told(plan: Plan, inputs: Inputs) -> dict[str, object]:
    """What all numbers are of."""
    unanswered = inputs.unanswered_by_reason()
    return {
        "unit": inputs.unit,
        "measure": measure_name(inputs.unit, inputs.depth),
        "gain": plan.gain,
        "method": plan.method,
        "is_approximate": _is_taught(plan),
        "level": interval.LEVEL,
        "model": inputs.model_name or None,
        "seed": inputs.seed,
        "rounds": plan.rounds if inputs.unit == known.PAIR else None,
        "topics": len(inputs.strata),
        "topics_sampled": sum(stratum.is_sampled for stratum in inputs.strata),
        "frame": len(inputs.frame),
        "sample": len(inputs.sampled),
        "answered": len(inputs.sampled) - unanswered.total(),
        "unanswered": dict(sorted(unanswered.items())),
        "is_bounded": plan.unanswered == plans.BOUNDS and bool(unanswered),
        "left_out": inputs.left_out,
        "runs_since": inputs.runs_since,
        "earlier_samples": inputs.earlier_samples,
        "without_model_grade": _without_model(inputs),
    }


def measure_name(unit: str, depth: int) -> str:
    """What the numbers are, in words: DCG over a constant is not nDCG."""
    return "nDCG@10" if unit == known.TOPIC else f"DCG@{depth} over its greatest value"


def _without_model(inputs: Inputs) -> int | None:
    """Pairs of the frame that the model gives no grade: they enter with no gain."""
    if inputs.model is None:
        return None
    return sum(name not in inputs.model.get(query_id, {}) for query_id, name in inputs.frame)


def _is_taught(plan: Plan) -> bool:
    return plan.method == constructions.CROSS_FITTED
