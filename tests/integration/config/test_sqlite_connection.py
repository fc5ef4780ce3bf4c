"""What a connection to SQLite promises: an acknowledged save outlives the loss of power, and writers wait."""

import pytest
from django.db import connection

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(connection.vendor != "sqlite", reason="settings of SQLite")]
FULL = 2


@pytest.mark.parametrize(
    ("name", "value"), [("journal_mode", "wal"), ("synchronous", FULL), ("busy_timeout", 20_000), ("foreign_keys", 1)]
)
def test_a_live_connection_has_the_settings_of_a_durable_database(name, value):
    with connection.cursor() as cursor:
        assert cursor.execute(f"PRAGMA {name}").fetchone() == (value,)
