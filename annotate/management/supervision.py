"""Keeping processes alive: started together, started again when one dies, ended together (docs/adr/0001)."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

SHORTEST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_SECONDS = 60.0
GRACE_SECONDS = 20.0
_LOOK_SECONDS = 0.2
_PR_SET_PDEATHSIG = 1

Say = Callable[[str], None]


class KeptProcess:
    """A command that is to run all the time. The pause before a new start doubles while it keeps dying young."""

    def __init__(self, name: str, command: Sequence[str], say: Say, pass_fds: Sequence[int] = ()) -> None:
        self.name = name
        self._command = command
        self._say = say
        self._pass_fds = pass_fds
        self._pause = SHORTEST_PAUSE
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._start_again: float | None = None

    def tend(self, now: float) -> None:
        """Start the process where none runs; one that died only when its pause is over. `now` is monotonic seconds."""
        if self._process is None:
            self._start(now)
        elif self._start_again is not None:
            if now >= self._start_again:
                self._start(now)
        elif self._process.poll() is not None:
            self._plan_new_start(now)

    def _start(self, now: float) -> None:
        # A session of its own: Ctrl-C reaches the supervisor alone, which then ends everything in order.
        self._process = subprocess.Popen(
            self._command, pass_fds=self._pass_fds, start_new_session=True, preexec_fn=_ending_with(os.getpid())
        )
        self._started, self._start_again = now, None

    def _plan_new_start(self, now: float) -> None:
        assert self._process is not None
        if now - self._started >= STEADY_SECONDS:
            self._pause = SHORTEST_PAUSE
        self._say(
            f"The {self.name} ended ({_in_words(self._process.returncode)}); it starts again in {self._pause:.0f} s."
        )
        self._start_again = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def ask_to_end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait_until(self, moment: float) -> None:
        """Wait for the end; what still runs at `moment` (monotonic seconds) is killed with all that it started."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, moment - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._say(f"The {self.name} did not end by itself and is killed.")
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


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


def _ending_with(parent: int) -> Callable[[], None] | None:
    """What the child does before its program starts: Linux is to end it when the supervisor itself is killed."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is None:
        return None

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it was killed before the line above
            os._exit(1)

    return tie


def _in_words(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"


_REQUESTS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


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
