import pickle
from functools import cache

import numpy as np
import pytest

from annotate.formats.records import GradeScale
from annotate.judges import calibrated, training
from annotate.judges.text_features import TopicText
from benchmarks import learned_judge
from tests import shared_data
from tests.unit.annotate.judges.small_collection import SUBJECTS, small


@pytest.fixture(scope="module")
def given() -> dict:
    return small()


@pytest.fixture(scope="module")
def judge(given) -> calibrated.CalibratedJudge:
    return calibrated.fit_text_judge(**given)


def test_it_learns_what_separates_the_grades(given, judge):
    pairs = list(given["grades"])
    suggested = [prediction.grade for prediction in judge.predict(pairs)]
    assert np.mean(np.array(suggested) == list(given["grades"].values())) > 0.7


def test_the_reason_names_words_and_a_neighbour_in_one_line(judge):
    reason = judge.predict([("cats", "cats-03")])[0].reason
    assert reason.startswith("covers 2 of 4 query words (and, meow; not what, do); ")
    assert "this topic is graded" in reason and "nearest judged passages cats-" in reason
    assert "cats-03" not in reason and "\n" not in reason


def test_slicing_and_order_change_nothing(given, judge):
    pairs = list(given["grades"])
    whole = judge.predict(pairs)
    assert [judge.predict([pair])[0] for pair in pairs] == whole
    assert judge.predict(pairs[::-1]) == whole[::-1]
    assert judge.predict([pairs[0], pairs[0]]) == [whole[0], whole[0]]
    assert judge.predict([]) == []


def test_same_input_and_seed_give_the_same_bytes_whatever_the_order(given, judge):
    turned = {name: dict(reversed(value.items())) for name, value in given.items() if name != "scale"}
    pairs = list(given["grades"])
    again = calibrated.fit_text_judge(**turned, scale=given["scale"])
    assert pickle.dumps(again.predict(pairs)) == pickle.dumps(judge.predict(pairs))


def test_a_pickled_judge_predicts_the_same(given, judge):
    pairs = list(given["grades"])[:5]
    assert pickle.loads(pickle.dumps(judge)).predict(pairs) == judge.predict(pairs)


def test_a_pairs_own_grade_does_not_speak_for_it(given):
    """Only this one grade differs, so a judge that looked at it would follow it."""
    pair = ("cats", "cats-05")
    low, high = (
        calibrated.fit_text_judge(**{**given, "grades": {**given["grades"], pair: grade}}).predict([pair])[0]
        for grade in (0, 3)
    )
    assert np.abs(np.subtract(low.probabilities, high.probabilities)).max() < 0.15


@pytest.mark.parametrize("bounds", [(0, 1), (0, 2), (1, 5), (0, 10)])
def test_other_scales_work(bounds):
    scale = GradeScale(*bounds)
    given = small(scale)
    for prediction in calibrated.fit_text_judge(**given).predict(list(given["grades"])[:20]):
        assert prediction.grade in scale
        assert len(prediction.probabilities) == len(scale.grades)
        assert sum(prediction.probabilities) == pytest.approx(1, abs=1e-9)


def grades_of_a_new_topic(given: dict, topics: dict[str, TopicText], grade: int) -> list[calibrated.Prediction]:
    """What is suggested for passages that have `grade` in a topic without judged pairs."""
    kept = {pair: known for pair, known in given["grades"].items() if pair[0] != "bread"}
    holes = [pair for pair, known in given["grades"].items() if pair[0] == "bread" and known == grade]
    return calibrated.fit_text_judge(**{**given, "topics": topics, "grades": kept}).predict(holes)


def mean_grade(predictions: list[calibrated.Prediction]) -> float:
    return float(np.mean([prediction.grade for prediction in predictions]))


def test_a_topic_without_judged_pairs_is_predicted_from_its_words(given):
    low, high = (grades_of_a_new_topic(given, given["topics"], grade) for grade in (0, 3))
    assert "fewer than 5 judged passages" in low[0].reason
    assert mean_grade(high) > mean_grade(low) + 1


def test_backstories_are_read(given):
    """The query says nothing here; only the backstory can tell what is relevant in a topic without judged pairs."""
    silent = {subject: TopicText("q") for subject in SUBJECTS}
    told = {subject: TopicText("q", f"I wonder whether {text}") for subject, text in SUBJECTS.items()}
    gaps = [
        mean_grade(grades_of_a_new_topic(given, topics, 3)) - mean_grade(grades_of_a_new_topic(given, topics, 0))
        for topics in (silent, told)
    ]
    assert gaps[1] > gaps[0] + 0.5


ODD = {
    "empty": "",
    "blank": " \n ",
    "one": "cats",
    "dots": "...",
    "han": "猫は喉を鳴らす",
    "arabic": "القطط تموء",
    "emoji": "🐈🐈🐈",
    "nul": "a\x00b",
    "surrogate": "\ud800",
    "long": "cats purr " * 20_000,
}


def test_odd_texts_have_predictions_too(given):
    judge = calibrated.fit_text_judge(**{**given, "passages": {**given["passages"], **ODD}})
    for prediction in judge.predict([("cats", passage_id) for passage_id in ODD]):
        assert np.isfinite(prediction.probabilities).all()
        assert sum(prediction.probabilities) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("text", ["", "same words in every passage"])
def test_texts_that_say_nothing_give_the_shares_of_the_grades(given, text):
    passages = dict.fromkeys(given["passages"], text)
    prediction = calibrated.fit_text_judge(**{**given, "passages": passages}).predict([("cats", "cats-00")])[0]
    assert prediction.probabilities == pytest.approx(np.array([8, 8, 7, 7]) / 30, abs=0.05)


def test_topics_with_one_judged_pair_each_are_enough_to_learn_from_words(given):
    topics = {f"{number}": TopicText(f"query cats {number}") for number in range(12)}
    grades = {(query_id, f"cats-{number:02}"): number % 2 for number, query_id in enumerate(topics)}
    judge = calibrated.fit_text_judge(topics=topics, passages=given["passages"], grades=grades, scale=GradeScale())
    assert judge.predict([("0", "cats-29")])[0].grade in (0, 1)


def test_a_pair_without_text_is_refused_by_name(judge):
    with pytest.raises(training.UnknownPair, match="passage nowhere of topic cats"):
        judge.predict([("cats", "nowhere")])


@cache
def fill_dl19(seed):
    return learned_judge.fill(learned_judge.dl19(shared_data.path()), fraction=0.5, seed=seed)


@pytest.mark.xdist_group("learned on dl19")
@pytest.mark.parametrize("seeds", [(1, 2), pytest.param((1, 2, 3, 4, 5), marks=pytest.mark.slow)], ids=len)
def test_holes_of_dl19_are_filled_as_well_as_promised(seeds):
    outcomes = np.array([fill_dl19(seed) for seed in seeds])
    alpha, kappa, ece, _ = outcomes.mean(axis=0)
    assert alpha >= 0.78
    assert kappa >= 0.67
    assert ece <= 0.03
