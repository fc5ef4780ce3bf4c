"""Limits hold for all that ask one endpoint, in this process and in others."""

import asyncio
import subprocess
import sys
import time

import pytest

from annotate.llm.shared_limits import SharedLimits
from tests import loops

HOLD = """
import asyncio, sys
from pathlib import Path
from annotate.llm.shared_limits import SharedLimits

async def hold():
    async with SharedLimits(Path(sys.argv[1]), 1, 0).place():
        print("held", flush=True)
        await asyncio.sleep(60)

asyncio.run(hold())
"""


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_are_under_way_than_allowed_over_two_batches(tmp_path, concurrency):
    under_way, most = 0, 0

    async def call(limits):
        nonlocal under_way, most
        async with limits.place():
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.005)
            under_way -= 1

    async def run():
        batches = [SharedLimits(tmp_path, concurrency, 0) for _ in range(2)]
        await asyncio.gather(*(call(batches[number % 2]) for number in range(12)))
        for limits in batches:
            limits.close()

    loops.run(run())
    assert most == concurrency


def test_a_place_of_a_killed_process_is_free_again(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"

        async def take(seconds):
            limits = SharedLimits(tmp_path, 1, 0)
            try:
                async with asyncio.timeout(seconds), limits.place():
                    return True
            except TimeoutError:
                return False
            finally:
                limits.close()

        assert not loops.run(take(0.2))
        other.kill()
        other.wait()
        assert loops.run(take(5))


def test_starts_are_spaced_over_two_batches(tmp_path):
    async def run():
        async def start(limits):
            async with limits.place():
                return time.monotonic()

        batches = [SharedLimits(tmp_path, 0, 1200) for _ in range(2)]
        starts = sorted(await asyncio.gather(*(start(batches[number % 2]) for number in range(6))))
        for limits in batches:
            limits.close()
        return starts

    starts = loops.run(run())
    assert starts[-1] - starts[0] >= 5 * 0.05 - 0.01


@pytest.mark.parametrize("written", [b"", b"\0" * 32, b"9999999999999.000000000000000000"])
def test_a_damaged_note_of_the_next_start_holds_nobody_up(tmp_path, written):
    (tmp_path / "pace").write_bytes(written)

    async def run():
        limits = SharedLimits(tmp_path, 0, 60)
        async with limits.place():
            pass
        limits.close()

    began = time.monotonic()
    loops.run(run())
    assert time.monotonic() - began < 1
