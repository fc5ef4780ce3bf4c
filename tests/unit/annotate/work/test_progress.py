from datetime import UTC, datetime, timedelta

import pytest

from annotate.models import Work
from annotate.work import progress as work_progress

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def running(seconds: float, done: int, total: int | None) -> Work:
    return Work(state="RUNNING", started_at=NOW - timedelta(seconds=seconds), done=done, total=total)


@pytest.mark.parametrize(
    ("work", "rate", "words"),
    [
        (running(10, 100, 200), 10, "less than a minute left"),
        (running(10, 10, 610), 1, "about 10 min left"),
        (running(10, 10, 7210), 1, "about 2 h left"),
        (running(10, 250, 200), 25, "less than a minute left"),
        (running(10, 100, None), 10, ""),
        (running(10, 0, 200), None, ""),
        (running(0.5, 100, 200), None, ""),
        (Work(state="DONE", started_at=NOW, done=5, total=5), None, ""),
        (Work(state="QUEUED", total=5), None, ""),
    ],
)
def test_rate_and_time_left_are_told_where_they_can_be(work, rate, words):
    progress = work_progress.measure_progress(work, NOW)

    assert progress.rate == rate
    assert progress.time_left == words
