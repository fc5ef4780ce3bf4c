"""The index of a collection's runs, from which a leaderboard is scored; made in the background if large."""

import hashlib
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock

from annotate.grades import rankings
from annotate.models import Collection, Run, User, Work
from annotate.work import kept_files, queue
from annotate.work.queue import CannotGoOn, Step, WorkRequest
from evaluation.engine import run_index, scoring
from evaluation.engine.run_index import RunIndex
from evaluation.measures import registry
from evaluation.measures.registry import Measure

FOLDER = "indexes"
# So many ranks are read from the stored runs in about a fifth of a second.
AT_ONCE = 250_000
# Of indexes that a process keeps in memory: some five of 100 runs of 50 topics to rank 100, or one of all ranks.
KEPT_BYTES = 256 * 2**20
_DEPTHS = (10, 100)
_ALL_RANKS = 2**31 - 1
_log = logging.getLogger(__name__)


def load_index(collection: Collection, runs: Sequence[Run], measures: Iterable[Measure]) -> RunIndex:
    """The index of the runs, in their order, at least as deep as the measures look.

    It is read where it was made from the same files, and else made and kept for the next time: a copy that nobody
    misses, which is why it is in no backup. Runs that come, go or are restored from elsewhere change its key.
    """
    depth, key = _depth(measures), index_key(runs)
    path = _path(collection, depth)
    try:
        return _load(path, key)
    except LookupError:
        made = run_index.build((rankings.load_top(run, depth or _ALL_RANKS) for run in runs), depth)
        _save(made, path, key)
        return made


def is_slow_to_build(collection: Collection, runs: Sequence[Run], measures: Iterable[Measure]) -> bool:
    """Whether the index that `load_index` takes is not there, and so large that nobody should wait for it."""
    depth = _depth(measures)
    ranks = sum(run.ranks if depth is None else min(run.ranks, run.topics * depth) for run in runs)
    return ranks > AT_ONCE and not _is_kept(_path(collection, depth), index_key(runs))


def index_key(runs: Iterable[Run]) -> str:
    """A digest of what the index of these runs is made from."""
    return hashlib.sha256(json.dumps([(run.tag, run.digest) for run in runs]).encode()).hexdigest()


def _depth(measures: Iterable[Measure]) -> int | None:
    wanted = scoring.needed_depth(measures)
    return next((depth for depth in _DEPTHS if wanted is not None and wanted <= depth), None)


def _path(collection: Collection, depth: int | None) -> Path:
    return kept_files.path(f"{FOLDER}/{collection.pk}-{depth or 'all'}.index")


def _is_kept(path: Path, key: str) -> bool:
    """Whether it is there whole: a page that is to show something of it reads it all the same."""
    try:
        return _is_whole(path, key, path.stat().st_mtime_ns)
    except (LookupError, OSError):
        return False


@lru_cache(maxsize=64)
def _is_whole(path: Path, key: str, written_at: int) -> bool:
    """Raises LookupError where it is not, which is not remembered."""
    return _loaded.load(path, key, written_at) is not None


def _load(path: Path, key: str) -> RunIndex:
    """Raises LookupError where there is none, which is not remembered."""
    try:
        return _loaded.load(path, key, path.stat().st_mtime_ns)
    except OSError:
        raise LookupError(path) from None


class Loaded:
    """The indexes that were used last, as far as they fit into so many bytes; a larger one is read again each time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._indexes: OrderedDict[tuple[Path, str, int], RunIndex] = OrderedDict()
        self._lock = Lock()

    @property
    def size(self) -> int:
        return sum(index.size for index in self._indexes.values())

    def load(self, path: Path, key: str, written_at: int) -> RunIndex:
        """Raises LookupError where no whole index is there under this key."""
        name = (path, key, written_at)
        with self._lock:
            if name in self._indexes:
                self._indexes.move_to_end(name)
                return self._indexes[name]
        found = run_index.load(path, key)
        if found is None:
            raise LookupError(path)
        if found.size <= self._most:
            self._keep_index(name, found)
        return found

    def clear(self) -> None:
        with self._lock:
            self._indexes.clear()

    def _keep_index(self, name: tuple[Path, str, int], index: RunIndex) -> None:
        with self._lock:
            self._indexes[name] = index
            while self.size > self._most:
                self._indexes.popitem(last=False)


_loaded = Loaded(KEPT_BYTES)


def forget() -> None:
    """As a new process, which has read no index."""
    _loaded.clear()
    _is_whole.cache_clear()


def _save(made: RunIndex, path: Path, key: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        run_index.save(made, path, key)
    except OSError as reason:
        _log.warning("The index of runs was not kept: %s", reason)


KIND = "index"  # as evaluation.apps registers it


def ask_index(*, collection: Collection, measure: Measure, address: str, by: User | None, now: datetime) -> Work | None:
    """None where the measure can be computed at once. Where the runs have to be indexed first, the work that does so,
    queued once; or that failed or was stopped on the same runs. `address` is the page that waits for it.
    """
    runs = rankings.published_runs(collection)
    if not is_slow_to_build(collection, runs, [measure]):
        return None
    request = WorkRequest(
        collection=collection,
        kind=KIND,
        queue=queue.FINDINGS,
        subject=f"index of {len(runs)} runs",
        arguments={"key": index_key(runs), "measure": str(measure), "result": address},
        same_by=("key", "measure"),
        final_by=("key", "measure"),
    )
    return queue.ask_once(request, by=by, now=now)


def run_indexing(work: Work) -> Iterator[Step]:
    """Make the index of the runs of this moment, and keep it."""
    assert work.collection is not None
    yield Step(0, 1)
    runs, measures = rankings.published_runs(work.collection), [registry.parse(work.arguments["measure"])]
    load_index(work.collection, runs, measures)
    if is_slow_to_build(work.collection, runs, measures):
        raise CannotGoOn("The index of runs could not be written into the data folder.")
    yield Step(1, 1)
