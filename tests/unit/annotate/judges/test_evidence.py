import numpy as np
import pytest

from annotate.formats.records import GradeScale
from annotate.judges import evidence, model_labels, text_features
from annotate.judges.text_features import TopicText

PASSAGES = {"a": "gold fish grow", "b": "fish of the sea", "c": "carrots", "d": ""}
INDEX = text_features.build_index(topics={"q": TopicText("gold fish")}, passages=PASSAGES, seed=0)
IDS = list(PASSAGES)
ROWS = INDEX.rows_of(IDS)
TEXTS = text_features.compare_texts(INDEX, "q", ROWS, ROWS)
SAID = model_labels.build_labels(
    [{("q", "a"): 3, ("q", "b"): 1, ("q", "c"): 0, ("q", "d"): 0}, dict.fromkeys((("q", one) for one in IDS), 2)],
    GradeScale(),
)


def designed(ground: evidence.Evidence) -> tuple[evidence.Evidence, np.ndarray]:
    features = ground.features("q", IDS, TEXTS)
    learned = ground.learned_from(features)
    return learned, learned.design(features, learned.scaled_by(features))


@pytest.mark.parametrize(
    "ground", [evidence.text_evidence(INDEX), evidence.model_evidence(INDEX, SAID)], ids=["text", "models"]
)
def test_kernels_of_pairs_with_themselves_are_the_diagonal_of_those_with_each_other(ground):
    learned, design = designed(ground)
    between = learned.kernels(TEXTS, design, design)
    assert learned.own_kernels(design)[:, :3] == pytest.approx(
        np.diagonal(between, axis1=1, axis2=2)[:, :3], abs=1e-5
    )  # the last passage has no text, and is like nothing


def test_models_say_how_likely_at_least_each_grade_is_on_average():
    learned, design = designed(evidence.model_evidence(INDEX, SAID))
    assert learned.exceedances(design).tolist() == [[1, 1, 0.5], [1, 0.5, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]]
    assert learned.centre == 1.5


def test_text_says_nothing_as_a_model():
    learned, design = designed(evidence.text_evidence(INDEX))
    assert learned.exceedances(design).shape == (4, 0)


def test_models_grades_come_after_all_that_text_tells():
    _, alone = designed(evidence.text_evidence(INDEX))
    _, beside = designed(evidence.model_evidence(INDEX, SAID))
    assert beside[:, : alone.shape[1]].tolist() == alone.tolist()
    assert beside[0, alone.shape[1] :].tolist() == [1, 1, 1, 1, 1, 0]


def test_in_a_topic_without_judged_pairs_centrality_is_at_the_mean():
    learned, design = designed(evidence.model_evidence(INDEX, SAID))
    alone = learned.design_alone(learned.features("q", IDS, TEXTS))
    assert alone.shape == design.shape
    assert not alone[:, 14:16].any()
