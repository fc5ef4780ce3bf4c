"""Keeping processes alive: started together, started again when one dies, ended together (docs/adr/0001)."""

import ctypes
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

SHORTEST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_SECONDS = 60.0
GRACE_SECONDS = 20.0
_LOOK_SECONDS = 0.2
_END_SECONDS = 0.02
_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
_REQUESTS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# The child begins as a copy of the supervisor: what that has loaded is loaded once, in memory that all share.
_forking = multiprocessing.get_context("fork")
_prctl = getattr(ctypes.CDLL(None), "prctl", None)  # Linux has it

Say = Callable[[str], None]
Run = Callable[[], object]


class KeptProcess:
    """What is to run all the time, in a process of its own. The pause before a new start doubles while it keeps dying
    young."""

    def __init__(self, name: str, run: Run, say: Say) -> None:
        self.name = name
        self._run = run
        self._say = say
        self._pause = SHORTEST_PAUSE
        self._process: multiprocessing.process.BaseProcess | None = None
        self._started = 0.0
        self._start_again: float | None = None

    def tend(self, now: float) -> None:
        """Start the process where none runs; one that died only when its pause is over. `now` is monotonic seconds."""
        if self._process is None:
            self._start(now)
        elif self._start_again is not None:
            if now >= self._start_again:
                self._start(now)
        elif not self._process.is_alive():
            self._plan_new_start(now)

    def _start(self, now: float) -> None:
        self._process = _forking.Process(target=_live, args=(self.name, self._run, os.getpid()))
        # A request to end that comes before the child can hear it waits for it.
        signal.pthread_sigmask(signal.SIG_BLOCK, _REQUESTS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _REQUESTS)
        self._started, self._start_again = now, None

    def _plan_new_start(self, now: float) -> None:
        assert self._process is not None and self._process.exitcode is not None
        if now - self._started >= STEADY_SECONDS:
            self._pause = SHORTEST_PAUSE
        self._say(
            f"The {self.name} ended ({_in_words(self._process.exitcode)}); it starts again in {self._pause:.0f} s."
        )
        self._start_again = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def ask_to_end(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.terminate()

    def wait_until(self, moment: float) -> None:
        """Wait for the end; what still runs at `moment` (monotonic seconds) is killed with all that it started."""
        if self._process is None or self._process.pid is None:
            return
        while self._process.is_alive() and time.monotonic() < moment:
            time.sleep(_END_SECONDS)  # not join(): where the child became another program it waits without end
        if self._process.is_alive():
            self._say(f"The {self.name} did not end by itself and is killed.")
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.join()


def keep_running(processes: Sequence[KeptProcess], *, until: Callable[[], bool]) -> None:
    """Keep all of them alive until `until()`; then, or when anything fails here, end all of them."""
    try:
        while not until():
            for process in processes:
                process.tend(time.monotonic())
            time.sleep(_LOOK_SECONDS)
    finally:
        for process in processes:
            process.ask_to_end()
        moment = time.monotonic() + GRACE_SECONDS
        for process in processes:
            process.wait_until(moment)


def program(command: Sequence[str]) -> Run:
    """Runs a program in the place of the child."""
    return partial(os.execv, command[0], list(command))


def _live(name: str, run: Run, parent: int) -> None:
    """In the child. A session of its own: Ctrl-C reaches the supervisor alone, which then ends everything in order."""
    os.setsid()
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)  # Linux is to end it when the supervisor itself is killed
        _prctl(_PR_SET_NAME, name.encode())
        if os.getppid() != parent:  # it was killed before the lines above
            return
    for number in _REQUESTS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _REQUESTS)
    run()


def _in_words(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"


@contextmanager
def watch_end_signals() -> Iterator[Callable[[], bool]]:
    """Inside, the three signals only set what the yielded function tells; main thread only."""
    heard: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: heard.append(number)) for number in _REQUESTS}
    try:
        yield lambda: bool(heard)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
