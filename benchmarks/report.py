"""The page of benchmarks: a section for each, written anew by the command that measures it."""

import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from threadpoolctl import threadpool_info

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
_TITLE = "# Benchmarks\n\nMeasured on one machine in one run each; ratios say more than seconds.\n"

T = TypeVar("T")


class Row(NamedTuple):
    """One thing measured, in the words of the table."""

    work: str
    measured: str
    bar: str
    is_met: bool


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [f"| {row.work} | {row.measured} | {row.bar} | {'yes' if row.is_met else '**no**'} |" for row in rows]
    return "\n".join(["| work | measured | bar | met |", "|---|---|---|---|", *lines, ""])


def machine(packages: Sequence[str]) -> str:
    """A sentence on where and when it was measured, and with what."""
    kernels = sorted({f"{pool['internal_api']} {pool.get('architecture', '')}".strip() for pool in threadpool_info()})
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    algebra = f"; linear algebra kernels: {', '.join(kernels)}" if kernels else ""
    return (
        f"{date.today().isoformat()}: {os.cpu_count()} cores of {_processor()}, Python {platform.python_version()}, "
        f"{versions}{algebra}.\n"
    )


def write_section(heading: str, text: str, page: Path = PAGE) -> None:
    """Puts a section on the page, in place of the one with the same heading."""
    old = page.read_text() if page.exists() else _TITLE
    head, *sections = old.split("\n## ")
    kept = {section.split("\n", 1)[0]: section for section in sections}
    kept[heading] = f"{heading}\n\n{text}"
    page.write_text("\n## ".join([head, *kept.values()]))


def least(times: int, work: Callable[[], T], clock: Callable[[], float] = time.perf_counter) -> tuple[float, T]:
    """The least time that the work took, in the unit of the clock, and what it gave."""
    taken = []
    for _ in range(times):
        start = clock()
        result = work()
        taken.append(clock() - start)
    return min(taken), result


def alternately(times: int, *ways: Callable[[], object]) -> list[tuple[float, Any]]:
    """The least time of each way to do a thing, and what it gave. They take turns, so that other load is shared."""
    rounds = [[least(1, way) for way in ways] for _ in range(times)]
    return [min(of_way, key=itemgetter(0)) for of_way in zip(*rounds, strict=True)]


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
