"""How many more judgments halve an interval."""

import numpy as np
import pytest

from evaluation.studies.kinds.mixed import designs
from tests.unit.evaluation.studies.kinds.mixed import made


def variance(frame, sample):
    return (100 * (1 / sample - 1 / frame)).sum()


def test_so_many_more_pairs_quarter_the_variance_and_one_round_fewer_do_not():
    frame, sample = np.array([50, 80, 30]), np.array([5, 8, 3])
    more = designs.more_pairs_to_halve(np.full(3, 100.0), frame, sample).number
    times = (more + sample.sum()) / sample.sum()
    grown = np.ceil(sample * times)
    assert variance(frame, grown) <= variance(frame, sample) / 4
    assert variance(frame, sample * (times - 0.15)) > variance(frame, sample) / 4


def test_with_all_judged_there_is_nothing_to_halve():
    found = designs.more_pairs_to_halve(np.array([1.0]), np.array([5]), np.array([5]))
    assert (found.value, found.reason) == (None, "the interval has no width")
    assert designs.more_topics_to_halve(1.0, 40, 40).value is None


def test_topics_quarter_the_variance_over_these_topics():
    more = designs.more_topics_to_halve(0.04, 40, 8).number
    assert 1 / (8 + more) - 1 / 40 <= (1 / 8 - 1 / 40) / 4 < 1 / (8 + more - 1) - 1 / 40


def test_judging_so_many_more_does_about_halve_the_intervals():
    before = made.result(made.sampled(share=0.2))
    share = (before["sample"] + before["more_to_halve"]) / before["frame"]
    after = made.result(made.sampled(share=share))

    def width(found):
        return np.mean([each["high"] - each["low"] for each in found["systems"]])

    assert width(after) / width(before) == pytest.approx(0.5, abs=0.1)
