"""Reading the facts of one moment while others write."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

_BEGIN = {
    # Deferred: it reads what was committed at its first SELECT and never takes the lock that judging writes with.
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


@contextmanager
def snapshot() -> Iterator[None]:
    """What is read inside is of one moment, however long it takes and whoever writes meanwhile.

    Raises TransactionManagementError inside of a transaction, which has a moment of its own or none.
    """
    connection.validate_no_atomic_block()
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
