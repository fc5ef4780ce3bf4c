"""SQLite lets writers wait by sleeping and trying again: who comes late may win, who is unlucky starves.

With ten people who save at once some waited ten seconds while others passed. Here a writer waits for BEGIN IMMEDIATE
in a queue that the operating system keeps (a file lock beside the database), so that the first comes first. The lock is
held only while the transaction begins, and ends with its process.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        with _turn(Path(self.settings_dict["NAME"])):
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # private: its stubs leave it out


@contextmanager
def _turn(database: Path) -> Iterator[None]:
    # Opened anew each time: threads that share an open file would share its lock.
    with database.with_name(f"{database.name}-queue").open("wb") as queue:
        fcntl.flock(queue, fcntl.LOCK_EX)
        yield
