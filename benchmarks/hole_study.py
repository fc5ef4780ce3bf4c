"""How long all of `manage.py hole_study` takes: `python -m benchmarks.hole_study` writes it to docs/benchmarks.md."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from annotate.formats import qrels
from benchmarks import generated, report
from benchmarks.report import Row

_ROOT = Path(__file__).resolve().parents[1]
_QRELS = _ROOT.parent / "shared" / "data" / "dl20" / "qrels.txt"
_LABELS = ("none", "constant:1", "constant:2", "random", "prior")
_LISTS = (*_LABELS, "condensed", "bpref")
_TIMES = 5


def main() -> None:
    grades = qrels.collect_qrels(qrels.read_qrels(_QRELS))
    with tempfile.TemporaryDirectory() as folder:
        paths = generated.write_runs(Path(folder), grades)
        rows = [
            _row(paths, "five fillers of labels", _LABELS, 3.0),
            _row(paths, "condensed lists and bpref too", _LISTS),
        ]
    text = f"{_what_runs()}\n{report.table(rows)}\n{report.machine(('numpy', 'scipy', 'Django'))}"
    report.write_section("Hole study", text)
    print(text)


def _what_runs() -> str:
    return (
        "`manage.py hole_study` from its start to its end on 60 generated systems (`benchmarks/generated.py`), "
        "the 54 topics and the qrels of DL20, 1,000 ranks a topic; 9 fractions x 20 trials, holes from the relevant "
        "grades; constant 3, always drawn, comes on top. The least of several. Written by "
        "`python -m benchmarks.hole_study`.\n"
    )


def _row(paths: Sequence[Path], work: str, fillers: Sequence[str], bar: float | None = None) -> Row:
    taken, processor = _least(lambda: _command(paths, fillers))
    measured = f"{taken:.1f} s, {processor:.1f} s of processors"
    return Row(work, measured, f"at most {bar:.0f} s" if bar else "", bar is None or taken <= bar)


def _least(work: Callable[[], object]) -> tuple[float, float]:
    """The least time of the clock and of processors, in seconds."""
    taken, processors = [], []
    for _ in range(_TIMES):
        before, start = _of_processors(), time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
        processors.append(_of_processors() - before)
    return min(taken), min(processors)


def _of_processors() -> float:
    """What the commands that have ended took of all processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _command(paths: Sequence[Path], fillers: Sequence[str]) -> None:
    runs = [argument for path in paths for argument in ("--run", str(path))]
    fills = [argument for text in fillers for argument in ("--fill", text)]
    command = [sys.executable, "manage.py", "hole_study", "--qrels", str(_QRELS), *runs, *fills, "--trials", "20"]
    subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
