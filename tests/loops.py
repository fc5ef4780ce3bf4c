"""Running what is asynchronous in a test: Playwright leaves a loop running in the thread of the tests after it."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """What it comes to, in a thread and a loop of its own."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
