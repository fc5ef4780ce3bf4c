"""How much of a system's gains rests on grades that are a model's."""

import math
from collections.abc import Iterable, Mapping

from annotate.trec.runs import Run
from evaluation.agreement.value import Value, undefined
from evaluation.measures import gains
from evaluation.measures.measure import Measure
from evaluation.queries.completed import Completed

NO_GAIN = "it gains nothing"


def share(run: Run, completed: Completed, measure: Measure, topics: Iterable[str], highest: int) -> Value:
    """The share of the gains within the measure's cut-off (all ranks without one) that a model's grades give; 0 to 1.

    Gains are those of the measure: by `gain`, or 0 and 1 where it has `rel`; linear where it has neither. They are not
    discounted. Undefined where nothing is gained.
    """
    worth = _worth(measure, highest)
    everything: list[float] = []
    of_models: list[float] = []
    for query_id in topics:
        given = completed.qrels.get(query_id, {})
        for passage_id in given.keys() & set(_scored(run, query_id, given, measure)):
            gain = worth[given[passage_id]] if given[passage_id] >= 0 else 0.0
            everything.append(gain)
            if (query_id, passage_id) in completed.from_models:
                of_models.append(gain)
    total = math.fsum(everything)
    return Value(math.fsum(of_models) / total) if total else undefined(NO_GAIN)


def _scored(run: Run, query_id: str, given: Mapping[str, int], measure: Measure) -> list[str]:
    """The passages that the measure looks at: of a condensed list the first judged ones."""
    if measure.parameters.get("unjudged") != "condensed":
        return run.ranking(query_id, measure.cutoff)
    judged = [passage_id for passage_id in run.ranking(query_id) if given.get(passage_id, -1) >= 0]
    return judged[: measure.cutoff]


def _worth(measure: Measure, highest: int) -> list[float]:
    known = measure.definition.parameters
    is_binary = "rel" in measure.parameters or ("rel" in known and "gain" not in known)
    gain = str(measure.parameters.get("gain", "linear"))
    return [float(worth) for worth in gains.table(gain, highest, measure.threshold if is_binary else None)]
