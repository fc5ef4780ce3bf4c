import numpy as np
import pytest

from evaluation.engine import circularity
from evaluation.statistics.bootstrap import Resampling

HOW = Resampling(resamples=200)


@pytest.mark.parametrize(
    ("families", "judge", "is_same"),
    [
        ("GPT", "gpt-4o-2024-08-06", True),
        ("gpt-4", "gpt-4o", True),
        ("BERT, Llama", "Meta-Llama-3-8B", True),
        ("Llama-2", "Llama-3-8B", False),
        ("BERT", "gpt-4o", False),
        ("lama", "Llama-3", False),
        ("", "gpt-4o", False),
        ("GPT", "", False),
        ("--", "gpt-4o", False),
        ("Qwen", "DeepSeek, Qwen", True),
    ],
)
def test_a_family_is_the_judges_where_its_words_stand_in_what_is_known_of_the_judge(families, judge, is_same):
    assert circularity.is_same(families, judge) is is_same


def test_the_shift_is_the_mean_change_of_the_family_less_that_of_the_others():
    changes = np.array([[0.2, 0.4], [0.4, 0.6], [0.1, 0.1]])
    found = circularity.shift(changes, ["a", "b", "c"], ["a", "b"], HOW)
    assert (found.own.value, found.others.value, found.difference.value) == (0.4, 0.1, 0.3)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.2, 0.4))


@pytest.mark.parametrize(
    ("own", "topics", "reason"),
    [
        ([], 2, "no system is of the judge's family"),
        (["a", "b"], 2, "all systems are of the judge's family"),
        (["a"], 0, "there is no topic"),
    ],
)
def test_without_both_kinds_of_systems_nothing_is_defined_and_the_reason_is_said(own, topics, reason):
    found = circularity.shift(np.ones((2, topics)), ["a", "b"], own, HOW)
    assert (found.own.reason, found.difference.reason, found.interval.reason) == (reason, reason, reason)


def test_of_one_topic_there_is_a_difference_and_no_interval():
    found = circularity.shift(np.array([[0.5], [0.0]]), ["a", "b"], ["a"], HOW)
    assert (found.difference.value, found.interval.low) == (0.5, None)
