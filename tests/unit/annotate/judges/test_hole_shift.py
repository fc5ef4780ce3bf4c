import numpy as np
import pytest

from annotate.formats.records import GradeScale
from annotate.judges import model_labels


def said(grades: np.ndarray, topics: int = 5) -> model_labels.ModelLabels:
    return model_labels.build_labels(
        [{(f"t{number % topics}", f"{number:05}"): int(grade) for number, grade in enumerate(grades)}], GradeScale()
    )


def random_grades(seed: int, count: int = 300) -> np.ndarray:
    return np.random.default_rng(seed).choice(4, count, p=[0.5, 0.2, 0.2, 0.1])


def judged(known: model_labels.ModelLabels, is_judged: np.ndarray) -> set[tuple[str, str]]:
    return {pair for pair in known.rows if is_judged[int(pair[1])]}


def test_holes_drawn_by_chance_are_seldom_taken_for_others():
    p_values = []
    for seed in range(400):
        known = said(random_grades(seed))
        is_judged = np.random.default_rng([seed, 1]).random(300) < 0.7
        p_values.append(model_labels.find_shift(known, judged(known, is_judged)).p_value)
    assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.08)
    assert np.mean(np.array(p_values) < model_labels.LEVEL) < 0.03


def test_holes_from_relevant_passages_are_noticed():
    grades = random_grades(1)
    is_judged = (grades < 2) | (np.random.default_rng(2).random(300) < 0.6)
    known = said(grades)
    found = model_labels.find_shift(known, judged(known, is_judged))
    assert found.is_certain
    assert found.hole_mean > 2 > 1 > found.judged_mean
    assert "which chance does not explain (p < 0.01)" in str(found)


def test_distributions_that_differ_with_the_same_mean_are_noticed():
    grades = np.tile([0, 2, 1, 1], 75)
    is_judged = grades != 1
    is_judged[::7] = True
    known = said(grades)
    assert model_labels.find_shift(known, judged(known, is_judged)).is_certain


def test_topics_that_differ_are_no_difference_of_their_holes():
    """Easy topics have more holes and higher grades: within each topic holes are like the rest."""
    rng = np.random.default_rng(3)
    is_easy = np.arange(600) % 2 == 1
    grades = np.where(is_easy, rng.integers(2, 4, 600), rng.integers(0, 2, 600))
    is_judged = rng.random(600) < np.where(is_easy, 0.2, 0.8)
    known = said(grades, topics=2)
    found = model_labels.find_shift(known, judged(known, is_judged))
    assert not found.is_certain
    assert found.hole_mean > found.judged_mean + 1


def test_nothing_is_said_where_no_topic_has_both():
    known = said(np.array([0, 1, 2, 3]), topics=2)
    assert model_labels.find_shift(known, {pair for pair in known.rows if pair[0] == "t0"}) is None
    assert model_labels.find_shift(known, set(known.rows)) is None


def test_a_model_that_gives_one_grade_sees_no_difference():
    known = said(np.full(20, 2))
    assert model_labels.find_shift(known, judged(known, np.arange(20) < 10)).p_value == 1
