"""Which version of the tables an installation has, told by the migrations that ran."""

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())
