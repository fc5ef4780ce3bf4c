"""Many requests in flight at once, each repeated while that is worth it; the caller stores what came back.

The calls run in a thread of their own, so that storing answers does not hold up the others. A call is outstanding from
`submit` until its result has been taken by `drain`: whoever stores the results before asking more loses, when killed,
at most as many paid answers as may be outstanding.
"""

import asyncio
import queue
import random
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from annotate.llm.capabilities import Capabilities, adapt_to_refusal
from annotate.llm.messages import Reply, Request
from annotate.llm.providers import Client, Closed, Fault, Passing, Unsupported

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 60.0
QUICK_ATTEMPTS = 4  # before whoever asked is told, and can wait for longer
MOST_ATTEMPTS = 8


def backoff_seconds(attempt: int, after: float | None, jitter: random.Random) -> float:
    """Seconds to wait after failed attempt number `attempt` (from 1).

    The full jitter of Brooker 2015 (AWS Architecture Blog): uniform between 0 and the exponential bound; on top of
    what the service asks for, so that those who were turned away together do not come back together.

    >>> backoff_seconds(1, 2.0, random.Random(1)) >= 2.0
    True
    """
    bound = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** (attempt - 1))
    return (after or 0.0) + jitter.uniform(0, bound)


def poll_seconds(looks: int) -> float:
    """Seconds until the next look at a submitted batch after `looks` of them: growing from 2 s to 5 min.

    >>> [poll_seconds(looks) for looks in (0, 4, 40)]
    [2.0, 32.0, 300.0]
    """
    return min(300.0, 2.0 * 2.0 ** min(looks, 20))


T = TypeVar("T")


def run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns or raises; it runs in a loop of its own in a thread of its own.

    Whoever asks may stand in a running loop already, in which asyncio.run refuses to begin another.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="waiting") as thread:
        return thread.submit(asyncio.run, coroutine).result()


@dataclass(frozen=True)
class Result:
    """What became of the request that was asked under `name`, after so many attempts, put as a model of these
    capabilities takes it.

    `earlier`: the faults of the attempts before the last. `is_adapted`: a parameter was refused before the model saw
    the request, and the next one is put otherwise.
    """

    name: int
    outcome: Reply | Fault
    attempts: int
    capabilities: Capabilities
    earlier: list[Fault] = field(default_factory=list)
    is_adapted: bool = False


class ConcurrentRequests:
    """`per_minute`: calls that may start in a minute, 0 for no limit. Use it as a context: leaving it drops what is
    under way.

    `capabilities` are what is known of the model, from the service's own list where `model` names one to look up, and
    without what the service has refused since.

    Only what costs nothing is asked again here: a call that may be billed, or that would be put otherwise and so could
    cost more, goes back to whoever keeps the budget.
    """

    def __init__(
        self,
        open_client: Callable[[], Client],
        capabilities: Capabilities = Capabilities(),  # noqa: B008 - frozen
        *,
        model: str = "",
        per_minute: int = 0,
        most_attempts: int = QUICK_ATTEMPTS,
        seed: int = 0,
    ) -> None:
        self._open_client = open_client
        self._model = model
        self.capabilities = capabilities
        self.limit_pace(per_minute)
        self._most_attempts = most_attempts
        self._random = random.Random(seed)
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._not_before = 0.0
        self.outstanding = 0

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model calls", daemon=True)
        self._thread.start()
        # In the loop's own thread: clients bind to it.
        try:
            self._client: Client = self._in_loop(self._opened()).result()
        except BaseException:
            self._end_loop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in_loop(self._wound_up()).result()
        self._end_loop()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def limit_pace(self, per_minute: int) -> None:
        """Calls that may start in a minute from now on, 0 for no limit."""
        self._gap = 60.0 / per_minute if per_minute else 0.0

    def submit(self, name: int, request: Request, capabilities: Capabilities | None = None) -> None:
        """Start a call, put for these capabilities (those known by now, where none are told); its result comes out of
        `drain`."""
        self.outstanding += 1
        self._in_loop(self._until_answered(name, request, capabilities or self.capabilities))

    def drain(self, wait_seconds: float) -> list[Result]:
        """The results that are there, after waiting for the first one at most so long."""
        results: list[Result] = []
        try:
            results.append(self._results.get(timeout=wait_seconds))
            while True:
                results.append(self._results.get_nowait())
        except queue.Empty:
            self.outstanding -= len(results)
            return results

    def _in_loop(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    async def _opened(self) -> Client:
        client = self._open_client()
        if self._model:
            self.capabilities = await client.list_capabilities(self._model, self.capabilities)
        return client

    async def _wound_up(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._client.close()

    async def _until_answered(self, name: int, request: Request, used: Capabilities) -> None:
        earlier: list[Fault] = []
        while True:
            outcome = await self._attempt(request, used)
            attempts = len(earlier) + 1
            if isinstance(outcome, Unsupported) and self._adapt(used, outcome):
                self._results.put(Result(name, outcome, attempts - 1, used, earlier, is_adapted=True))
                return
            if not isinstance(outcome, Passing) or outcome.may_be_billed or attempts >= self._most_attempts:
                self._results.put(Result(name, outcome, attempts, used, earlier))
                return
            earlier.append(outcome)
            wait = backoff_seconds(attempts, outcome.after, self._random)
            if outcome.after:
                # The service has had enough of all of us, not of this call alone.
                self._not_before = max(self._not_before, time.monotonic() + outcome.after)
            await asyncio.sleep(wait)

    def _adapt(self, used: Capabilities, refusal: Unsupported) -> bool:
        """Whether the next attempt is put otherwise: without the parameter that was refused, for all calls from now on.

        Calls that were under way meanwhile are refused alike, and change nothing more.
        """
        if self.capabilities is used:
            adapted = adapt_to_refusal(used, refusal.parameter, str(refusal))
            if adapted is None or adapted == used:
                return False
            self.capabilities = adapted
        return True

    async def _attempt(self, request: Request, capabilities: Capabilities) -> Reply | Fault:
        await self._turn()
        try:
            return await self._client.answer(request, capabilities)
        except Fault as fault:
            return fault
        except asyncio.CancelledError:
            raise
        except Exception as error:  # a fault in our own code must end the batch, not hang it
            ended = Closed("unexpected fault", f"{type(error).__name__} in the client of the service")
            ended.may_be_billed = True
            return ended

    async def _turn(self) -> None:
        """Wait while the service wants no calls, and for our place in the line where calls are spaced."""
        now = time.monotonic()
        start = max(now, self._not_before)
        if self._gap:
            self._not_before = start + self._gap
        if start > now:
            await asyncio.sleep(start - now)
