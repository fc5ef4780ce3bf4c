"""From code that waits to code that is awaited."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def result(coroutine: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns or raises; it runs in a loop of its own in a thread of its own.

    Whoever asks may stand in a running loop already, in which asyncio.run refuses to begin another.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="waiting") as thread:
        return thread.submit(asyncio.run, coroutine).result()
