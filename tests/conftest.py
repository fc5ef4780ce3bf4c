"""For all tests: databases that are migrated already, a renderer of charts that stays, no pauses.

Hypothesis has no time limit a case: the machine is shared, its pauses are not the code's.
"""

import hypothesis
import pytest
from django.conf import settings

from annotate.work import engine, queue
from tests import migrated, renderer

hypothesis.settings.register_profile("lacuna", deadline=None)
hypothesis.settings.load_profile("lacuna")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What commits meets the locks of others: PostgreSQL's are not SQLite's. Others say so by the mark themselves."""
    for item in items:
        database = item.get_closest_marker("django_db")
        if database and database.kwargs.get("transaction") and not item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.postgresql)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite's file is put there beforehand, in a folder that goes with the session."""
    return settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_keepdb: bool, django_db_blocker
) -> None:
    """Each process of pytest-xdist has a database of its own, a copy of the one that was migrated once."""
    database = settings.DATABASES["default"]
    with django_db_blocker.unblock():
        if django_db_keepdb:
            migrated.copy(database["TEST"]["NAME"])
        else:
            database["TEST"]["TEMPLATE"] = migrated.template()


@pytest.fixture(scope="session", autouse=True)
def _no_pauses():
    """Long work pauses for the sake of people who judge meanwhile; most tests have none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queue, "PAUSE_SECONDS", 0)
        yield


@pytest.fixture(autouse=True)
def _no_beats_in_a_transaction(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that renews the lease of long work would wait for the transaction of the test, and the test for it."""
    database = request.node.get_closest_marker("django_db")
    commits = database is not None and database.kwargs.get("transaction")
    if not commits and not {"transactional_db", "live_server"} & set(request.fixturenames):
        monkeypatch.setattr(engine, "BEAT_SECONDS", 600)


@pytest.fixture(scope="session", autouse=True)
def _one_renderer():
    with renderer.staying():
        yield
