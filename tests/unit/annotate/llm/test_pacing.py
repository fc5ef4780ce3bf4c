import random

from hypothesis import given
from hypothesis import strategies as st

from annotate.llm import pacing

AFTER = st.none() | st.floats(0, 600)


@given(st.integers(1, 60), AFTER, st.integers(0, 100))
def test_a_pause_is_never_shorter_than_the_service_asks_nor_much_longer(attempt, after, seed):
    pause = pacing.pause(attempt, after, random.Random(seed))
    assert (after or 0) <= pause <= (after or 0) + pacing.LONGEST_SECONDS


def test_pauses_grow_and_differ():
    chance = random.Random(1)
    means = [sum(pacing.pause(attempt, None, chance) for _ in range(500)) / 500 for attempt in (1, 3, 5)]
    assert 2 * means[0] < means[1] < means[2] / 2
    assert len({pacing.pause(1, None, chance) for _ in range(10)}) == 10


def test_looks_grow_apart_up_to_five_minutes():
    waits = [pacing.look_again(looks) for looks in range(12)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (2.0, 300.0)
