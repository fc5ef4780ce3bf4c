"""From what was written down to a trained judge, and what that says of itself. Imported only where a judge is trained:
scikit-learn costs a second."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from annotate.grades.ratings import PairId
from annotate.judges import calibrated, calibration, text_features
from annotate.judges.calibrated import CalibratedJudge
from annotate.judges.text_features import TextIndex
from annotate.models import Collection, Pair, Rater
from annotate.own_judges import queries
from annotate.own_judges.operations import training
from annotate.own_judges.queries import Material

# The ranks where scores are made.
TOP = 10
# Of comparisons that are kept, 12 bytes each; what is beyond is compared for training and again for prediction.
MOST_CELLS = 4_000_000


def train_version(version: Rater, asked: Iterable[PairId]) -> CalibratedJudge:
    """The judge of a version; `asked` are the pairs that it will be asked about. The same material, the same judge, but
    for topics and passages that were withdrawn since. Raises ValueError where it cannot be trained, in a sentence."""
    return train_judge(version.collection, version.parameters["learned_from"], asked)


def train_judge(
    collection: Collection, learned_from: str, asked: Iterable[PairId], more: Mapping[str, str] = MappingProxyType({})
) -> CalibratedJudge:
    """The same for what was written down under this digest; `more` are passages by their ids that it reads besides."""
    material = training.read_material(collection, learned_from)
    grades = queries.select_readable(collection, material.grades)
    return calibrated.fit_judge(
        _compared(_index(material, more), {*asked, *grades}),
        grades,
        scale=collection.scale,
        models=list(material.labels.values()),
        may_carry_over=material.may_carry_over,
        seed=material.seed,
    )


def measure_calibration(collection: Collection, judge: CalibratedJudge) -> dict[str, object] | None:
    """Of what it says of the judged pairs, each without its grade; None where it has no probabilities of its own."""
    known = judge.hindsight()
    if not known:
        return None
    top = Pair.objects.filter(collection=collection, is_pooled=True, best_rank__lte=TOP)
    in_top = set(top.values_list("topic__query_id", "passage_id"))
    scale = collection.scale
    report = calibration.report_reliability(
        np.array(list(known.values())),
        np.array([judge.training_set.grades[pair] for pair in known]),
        of_grades=scale.grades,
        relevant_from=scale.relevant_from,
        is_top=np.array([pair in in_top for pair in known]),
    )
    parts = report._asdict().items()
    reliabilities = {name: part._asdict() | {"bins": [one._asdict() for one in part.bins]} for name, part in parts}
    return {"relevant_from": scale.relevant_from, **reliabilities}


def _index(material: Material, more: Mapping[str, str]) -> TextIndex:
    return text_features.build_index(
        topics={query_id: text_features.TopicText(*texts) for query_id, texts in material.topics.items()},
        passages={**queries.read_passage_texts(material), **more},
        seed=material.seed,
    )


def _compared(index: TextIndex, pairs: set[PairId]) -> TextIndex:
    """With the comparisons among these passages of a topic, for as many topics as memory allows. Where that is all of
    them, without the n-grams, which are a third of the memory and of which nobody asks again."""
    by_topic: dict[str, list[str]] = {}
    for query_id, passage_id in sorted(pairs):
        if query_id in index.queries and passage_id in index.rows:
            by_topic.setdefault(query_id, []).append(passage_id)
    left, kept = MOST_CELLS, {}
    for query_id, passage_ids in by_topic.items():
        left -= len(passage_ids) ** 2
        if left < 0:
            break
        kept[query_id] = passage_ids
    compared = text_features.keep_comparisons(index, kept)
    return compared._replace(grams=index.grams[:0]) if kept.keys() == by_topic.keys() else compared
