"""The index of a collection's runs, kept as a file below the data folder: from it a leaderboard is scored."""

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from annotate.grades import rankings
from annotate.models import Collection, Run
from annotate.work import kept_files
from evaluation.engine import run_index, scoring
from evaluation.engine.run_index import RunIndex
from evaluation.measures.measure import Measure

FOLDER = "indexes"
# So many ranks are read from the stored runs in about a fifth of a second.
AT_ONCE = 250_000
_DEPTHS = (10, 100)
_ALL_RANKS = 2**31 - 1
_log = logging.getLogger(__name__)


def of(collection: Collection, runs: Sequence[Run], measures: Iterable[Measure]) -> RunIndex:
    """The index of the runs, in their order, at least as deep as the measures look.

    It is read where it was made from the same files, and else made and kept for the next time: a copy that nobody
    misses, which is why it is in no backup. Runs that come, go or are restored from elsewhere change its key.
    """
    depth, key = _depth(measures), key_of(runs)
    path = _path(collection, depth)
    try:
        return _load(path, key)
    except LookupError:
        made = run_index.build((rankings.top(run, depth or _ALL_RANKS) for run in runs), depth)
        _keep(made, path, key)
        return made


def is_long_in_making(collection: Collection, runs: Sequence[Run], measures: Iterable[Measure]) -> bool:
    """Whether the index that `of` takes is not there, and so large that nobody should wait for it."""
    depth = _depth(measures)
    ranks = sum(run.ranks if depth is None else min(run.ranks, run.topics * depth) for run in runs)
    return ranks > AT_ONCE and not run_index.is_kept(_path(collection, depth), key_of(runs))


def key_of(runs: Iterable[Run]) -> str:
    """A digest of what the index of these runs is made from."""
    return hashlib.sha256(json.dumps([(run.tag, run.digest) for run in runs]).encode()).hexdigest()


def _depth(measures: Iterable[Measure]) -> int | None:
    wanted = scoring.needed_depth(measures)
    return next((depth for depth in _DEPTHS if wanted is not None and wanted <= depth), None)


def _path(collection: Collection, depth: int | None) -> Path:
    return kept_files.path(f"{FOLDER}/{collection.pk}-{depth or 'all'}.index")


@lru_cache(maxsize=2)
def _load(path: Path, key: str) -> RunIndex:
    """Raises LookupError where there is none, which is not remembered."""
    found = run_index.load(path, key)
    if found is None:
        raise LookupError(path)
    return found


def _keep(made: RunIndex, path: Path, key: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        run_index.save(made, path, key)
    except OSError as reason:
        _log.warning("The index of runs was not kept: %s", reason)
