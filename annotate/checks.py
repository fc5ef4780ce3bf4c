"""System checks: wrong combinations of settings are explained, with a hint, before anything is served."""

import sqlite3
from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register


@register(Tags.database)
def check_sqlite_is_recent(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """Claims are one UPDATE ... RETURNING."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") and sqlite3.sqlite_version_info < (3, 35):
        return [
            Error(
                f"SQLite {sqlite3.sqlite_version} is too old.",
                hint="Use a Python built with SQLite 3.35 or newer, or set DATABASE_URL to a PostgreSQL.",
                id="annotate.E001",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def check_celery_has_postgresql(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """Workers on other machines cannot reach a SQLite file."""
    if settings.CELERY_BROKER_URL and settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return [
            Warning(
                "CELERY_BROKER_URL is set, but the database is a SQLite file.",
                hint="Workers on other machines need DATABASE_URL; on one machine `manage.py work` is enough.",
                id="annotate.W001",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def check_https_origins(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """Behind a proxy that ends TLS every POST fails where the origin is not trusted."""
    if settings.HTTPS and getattr(settings, "SECURE_PROXY_SSL_HEADER", None) and not settings.CSRF_TRUSTED_ORIGINS:
        return [
            Warning(
                "Lacuna is behind a proxy, but CSRF_TRUSTED_ORIGINS is empty.",
                hint="Set CSRF_TRUSTED_ORIGINS=https://the.address.people.see",
                id="annotate.W002",
            )
        ]
    return []
