"""How much of systems' gains, and of what is judged in their rankings, rests on grades that are a model's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.agreement.value import Value, undefined
from evaluation.engine import pair_index, scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.inputs.completed import Completed
from evaluation.measures import gains, grade_matrix, uncertain, unjudged
from evaluation.measures.grade_matrix import Floats, GradeMatrix
from evaluation.measures.measure import UNJUDGED_PARAMETER, Measure
from evaluation.measures.uncertain import Chances

NO_GAIN = "it gains nothing"
_CELLS_AT_ONCE = 1 << 19


@dataclass(frozen=True)
class Shares:
    """Of one system: `gains` of its gains, `judged` of the judged passages down to the rank where Judged@k stands."""

    gains: Value
    judged: Value


def shares(pairs: PairIndex, completed: Completed, measure: Measure, highest: int) -> list[Shares]:
    """What a model's grades give of each system, in the order of the runs; 0 to 1.

    Gains are those within the measure's cut-off (all ranks without one), not discounted: by `gain`, or 0 and 1 where
    it has `rel`; linear where it has neither; expected ones of chances. Undefined where nothing is gained, or judged.
    """
    top = 2 * highest + 1
    coded, rows = uncertain.code(*_coded(completed, pairs.topics, highest), highest=top)
    vector = pair_index.grades(pairs, dict(zip(pairs.topics, coded, strict=True)), highest=len(rows))
    worth = _worth(measure, highest)
    return [
        found
        for part in pair_index.parts(pairs, _CELLS_AT_ONCE)
        for found in _of_part(replace(pair_index.matrix(part, vector, highest=top), chances=rows), measure, worth)
    ]


def _of_part(codes: GradeMatrix, measure: Measure, worth: Floats) -> list[Shares]:
    is_condensed = measure.parameters.get(UNJUDGED_PARAMETER) == "condensed"
    scored = unjudged.condensed(codes) if is_condensed else codes
    gained, by_models = _gained(scored, measure.cutoff, worth)
    cutoff = scoring.judged_cutoff(measure)
    seen = grade_matrix.cut(codes.grades, cutoff)
    judged, of_models = (
        np.count_nonzero(seen >= lowest, axis=(-2, -1)).tolist() for lowest in (0, codes.highest // 2 + 1)
    )
    nothing_judged = f"nothing in its first {cutoff} ranks is judged"
    return [
        Shares(_share(part, whole, NO_GAIN), _share(few, many, nothing_judged))
        for part, whole, few, many in zip(by_models, gained, of_models, judged, strict=True)
    ]


def _gained(codes: GradeMatrix, cutoff: int | None, worth: Floats) -> tuple[list[float], list[float]]:
    """What each run gains in all, and from grades of models: its codes, counted, times what each is worth."""
    assert codes.chances is not None
    states = -grade_matrix.EMPTY  # below 0: a hole, junk, the end
    cells = grade_matrix.cut(codes.grades, cutoff).reshape(len(codes.grades), -1)
    counts = np.array(
        [np.bincount(each, minlength=states + len(codes.chances)) for each in cells.astype(np.intp) + states]
    )
    of_models = np.concatenate([np.zeros_like(worth), worth])
    worths = codes.chances @ np.stack([np.concatenate([worth, worth]), of_models], axis=-1)
    gained, by_models = (counts[:, states:] @ worths).T.tolist()
    return gained, by_models


def _share(part: float, whole: float, reason: str) -> Value:
    return Value(part / whole) if whole else undefined(reason)


def _coded(completed: Completed, topics: Sequence[str], highest: int) -> tuple[list[dict[str, int]], list[Chances]]:
    """Grades and chances by topic, in which a model's stand above all others: its grade g is highest + 1 + g."""
    below = [0.0] * (highest + 1)
    grades = [
        {
            passage_id: grade + highest + 1 if grade >= 0 and (query_id, passage_id) in completed.from_models else grade
            for passage_id, grade in completed.qrels.get(query_id, {}).items()
        }
        for query_id in topics
    ]
    chances = [
        {passage_id: [*below, *given] for passage_id, given in completed.chances.get(query_id, {}).items()}
        for query_id in topics
    ]
    return grades, list(chances)


def _worth(measure: Measure, highest: int) -> Floats:
    known = measure.definition.parameters
    is_binary = "rel" in measure.parameters or ("rel" in known and "gain" not in known)
    gain = str(measure.parameters.get("gain", "linear"))
    return gains.table(gain, highest, measure.threshold if is_binary else None)
