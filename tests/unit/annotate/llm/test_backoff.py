import random

from hypothesis import given
from hypothesis import strategies as st

from annotate.llm import concurrent_requests

AFTER = st.none() | st.floats(0, 600)


@given(st.integers(1, 60), AFTER, st.integers(0, 100))
def test_a_pause_is_never_shorter_than_the_service_asks_nor_much_longer(attempt, after, seed):
    pause = concurrent_requests.backoff_seconds(attempt, after, random.Random(seed))
    assert (after or 0) <= pause <= (after or 0) + concurrent_requests.LONGEST_SECONDS


def test_pauses_grow_and_differ():
    chance = random.Random(1)
    means = [
        sum(concurrent_requests.backoff_seconds(attempt, None, chance) for _ in range(500)) / 500
        for attempt in (1, 3, 5)
    ]
    assert 2 * means[0] < means[1] < means[2] / 2
    assert len({concurrent_requests.backoff_seconds(1, None, chance) for _ in range(10)}) == 10


def test_looks_grow_apart_up_to_five_minutes():
    waits = [concurrent_requests.poll_seconds(looks) for looks in range(12)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (2.0, 300.0)
