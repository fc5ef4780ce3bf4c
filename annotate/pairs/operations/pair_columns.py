"""Writing columns of many pairs: one prepared statement, run for each row.

`bulk_update` would build a CASE with a branch for each row, which takes a second for some hundreds on SQLite.
"""

from collections.abc import Iterable, Sequence

from django.db import connection

from annotate.models import Pair


def store(pairs: Iterable[Pair], columns: Sequence[str]) -> None:
    """Write these columns of locked pairs as they are in memory; call in a transaction."""
    write(columns, [(*(getattr(pair, name) for name in columns), pair.pk) for pair in pairs])


def write(columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
    """`rows`: values of the columns and then the row id, in the order in which pairs are locked."""
    if not rows:
        return
    assignments = ", ".join(f"{name} = %s" for name in columns)
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE annotate_pair SET {assignments} WHERE id = %s", rows)
