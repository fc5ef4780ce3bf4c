"""SQLite lets writers wait by sleeping and trying again: who comes late may win, who is unlucky starves.

With ten people who save at once some waited ten seconds while others passed. Here a writer waits for BEGIN IMMEDIATE
in a queue that the operating system keeps (a file lock beside the database), so that the first comes first. The lock is
held only while the transaction begins, and ends with its process.
"""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.db import OperationalError
from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        longest = float(self.settings_dict["OPTIONS"].get("timeout", 5))  # 5 is what SQLite's driver takes
        with _turn(Path(self.settings_dict["NAME"]), longest):
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # private: its stubs leave it out


@contextmanager
def _turn(database: Path, longest: float) -> Iterator[None]:
    """Raises OperationalError for who has waited `longest` seconds and is not the first yet."""
    # Opened anew each time: threads that share an open file would share its lock.
    queue = database.with_name(f"{database.name}-queue").open("wb")
    try:
        fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _wait(queue, longest)
    with queue:
        yield


def _wait(queue: BinaryIO, longest: float) -> None:
    """Wait in a thread, since a file lock knows no limit of time; who gave up leaves the queue when its turn comes."""
    is_over, has_turn, has_given_up = threading.Lock(), threading.Event(), threading.Event()

    def wait() -> None:
        fcntl.flock(queue, fcntl.LOCK_EX)
        with is_over:
            if has_given_up.is_set():
                queue.close()
            has_turn.set()

    threading.Thread(target=wait, name="waits to write", daemon=True).start()
    if has_turn.wait(longest):
        return
    with is_over:
        if not has_turn.is_set():
            has_given_up.set()
            raise OperationalError(f"Others have been writing for {longest:g} seconds. Nothing was stored: try again.")
