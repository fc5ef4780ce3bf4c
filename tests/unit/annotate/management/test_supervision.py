import time

import pytest

from annotate.management import supervision
from annotate.management.supervision import KeptProcess, program

# Newer Pythons warn where a process with threads is copied: that of the tests may have some, the supervisor has none.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

STUBBORN = program(["/bin/sh", "-c", "trap '' TERM; echo > ready; while :; do sleep 0.1; done"])


def _tend_until_told(process: KeptProcess, now: float, told: list[str], count: int) -> None:
    """The moment stays the same for the process, while its command really ends."""
    deadline = time.monotonic() + 10
    while len(told) < count:
        assert time.monotonic() < deadline
        process.tend(now)
        time.sleep(0.01)


def test_the_pause_before_a_new_start_doubles_while_the_process_keeps_dying_young():
    told: list[str] = []
    process = KeptProcess("worker", program(["/bin/false"]), told.append)
    for lives in range(7):
        now = lives * supervision.LONGEST_PAUSE
        process.tend(now)
        _tend_until_told(process, now, told, lives + 1)
    assert told[0] == "The worker ended (exit code 1); it starts again in 1 s."
    assert [sentence.split()[-2] for sentence in told] == ["1", "2", "4", "8", "16", "30", "30"]


def test_the_pause_is_short_again_after_a_steady_life():
    told: list[str] = []
    process = KeptProcess("worker", program(["/bin/false"]), told.append)
    process.tend(0.0)
    _tend_until_told(process, 0.1, told, 1)
    process.tend(2.0)
    _tend_until_told(process, 2.0 + supervision.STEADY_SECONDS, told, 2)
    assert told[1].endswith("in 1 s.")


def test_a_dead_process_is_not_started_before_its_pause_is_over(tmp_path):
    told: list[str] = []
    process = KeptProcess("worker", program(["/bin/sh", "-c", f"echo started >> {tmp_path}/log"]), told.append)
    process.tend(0.0)
    _tend_until_told(process, 0.0, told, 1)
    process.tend(0.9)
    assert (tmp_path / "log").read_text() == "started\n"
    process.tend(1.0)
    process.wait_until(time.monotonic() + 10)
    assert (tmp_path / "log").read_text() == "started\n" * 2


def test_a_process_that_does_not_end_when_asked_is_killed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    process = KeptProcess("worker", STUBBORN, told.append)
    process.tend(0.0)
    while not (tmp_path / "ready").exists():
        time.sleep(0.01)
    process.ask_to_end()
    process.wait_until(time.monotonic() + 0.3)
    assert told == ["The worker did not end by itself and is killed."]


def test_all_processes_are_ended_when_the_loop_ends(tmp_path):
    script = f"trap 'echo ended >> {tmp_path}/log; exit 0' TERM; echo > {tmp_path}/$0; while :; do sleep 0.05; done"
    processes = [KeptProcess(name, program(["/bin/sh", "-c", script, name]), print) for name in ("one", "two")]
    supervision.keep_running(processes, until=lambda: (tmp_path / "one").exists() and (tmp_path / "two").exists())
    assert (tmp_path / "log").read_text() == "ended\n" * 2
