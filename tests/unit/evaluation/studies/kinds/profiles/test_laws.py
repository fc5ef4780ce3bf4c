import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.formats.records import Variant
from evaluation.studies.kinds.profiles import parts
from evaluation.studies.kinds.profiles.plan import Inputs, Plan
from tests.unit.evaluation.studies.kinds.profiles import small

TOPICS, PROFILES, SYSTEMS = ("q1", "q2", "q3"), ("child", "expert", "voice"), ("r", "s", "t")
LISTED = [Variant(f"{topic}-{profile}", topic, profile, 1) for topic in TOPICS for profile in PROFILES]


def computed(seed, grades, resamples=5):
    """Systems that rank at random, by a seed."""
    random = np.random.default_rng(seed)
    runs = [
        small.ranked(tag, {each.variant_id: random.permutation(list("abcdef")).tolist() for each in LISTED})
        for tag in SYSTEMS
    ]
    inputs = Inputs(runs=runs, variants=LISTED, before=grades)
    return parts.run_part(Plan(resamples=resamples), inputs, "before")


GRADES = st.fixed_dictionaries(
    {topic: st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3)) for topic in TOPICS}
)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 99), GRADES)
def test_classes_add_up_to_1_and_effects_to_all_of_the_variance(seed, grades):
    found = computed(seed, grades)
    for each in [*found["pairs"]["shares"], *found["pairs"]["by_method"]]:
        assert sum(each[name] for name in ("AA", "AD", "MA", "MD", "PA", "PD")) == pytest.approx(1.0)
    three = found["variance"]["three_way"]
    cells = [cell["mean"] for cell in found["means"]["cells"]]
    between = len(TOPICS) * len(cells) * np.var(cells)
    squares = {effect["name"]: effect["sum_of_squares"] for effect in three["effects"]}
    assert squares["system"] + squares["profile"] + squares["system:profile"] == pytest.approx(between, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 99), GRADES)
def test_a_mean_lies_between_0_and_1_and_what_is_missing_is_what_has_no_grade(seed, grades):
    found = computed(seed, grades)
    graded = np.mean([sum(grade >= 0 for grade in grades[topic].values()) / 6 for topic in TOPICS])
    for cell in found["means"]["cells"]:
        assert 0.0 <= cell["low"] <= cell["high"] <= 1.0 and 0.0 <= cell["mean"] <= 1.0
        assert cell["missing"] == pytest.approx(1 - graded)
