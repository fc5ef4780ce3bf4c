"""The larger size really running: PostgreSQL, Redis and a Celery worker (`make test-larger` starts them)."""

import os

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from annotate.imports.operations import uploads
from annotate.models import Batch, ImportedFile, Judgment, User, Work, Worker
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.grades import Grades, GradesPlan
from tests import factories, installations, served
from tests.model_service.script import Script
from tests.model_service.server import KEY, serving

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(
        connection.vendor != "postgresql" or not settings.CELERY_BROKER_URL,
        reason="the larger size: run by make test-larger",
    ),
]


@pytest.fixture(autouse=True)
def _data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "first"


def _test_database() -> str:
    """The URL of the database that the tests write to, which is not the one of the environment."""
    server, _ = os.environ["DATABASE_URL"].rsplit("/", maxsplit=1)
    return f"{server}/{connection.settings_dict['NAME']}"


def _receive_topics(name: str) -> ImportedFile:
    return uploads.receive(
        collection=factories.make_collection(),
        kind="TOPICS",
        name=name,
        chunks=[b"q1\twhat is a hole\nq2\twhat is a gap\n"],
        options={},
        by=None,
        now=factories.NOW,
    )


def _is_published(imported: ImportedFile) -> bool:
    imported.refresh_from_db()
    return imported.state == ImportedFile.State.PUBLISHED


def test_serve_starts_celery_which_runs_what_waited_and_what_it_is_rung_for(settings, tmp_path):
    waited = _receive_topics("waited.tsv")
    env = served.environment(
        settings.DATA_DIR, DATABASE_URL=_test_database(), CELERY_BROKER_URL=settings.CELERY_BROKER_URL
    )
    with served.running(env) as (process, address):
        served.wait_for(lambda: served.answers(address))
        served.wait_for(lambda: _is_published(waited))
        assert any("celery" in command for command in served.children(process.pid).values())
        rung = _receive_topics("rung.tsv")
        served.wait_for(lambda: _is_published(rung))
        assert Worker.objects.exists()
        children = served.children(process.pid)
    assert process.returncode == 0
    assert not any(served.is_alive(child) for child in children)


def test_batches_that_take_long_keep_no_import_waiting(settings, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with serving(Script(seconds=60)) as service:
        asked = [_ask() for _ in range(3)]
        env = served.environment(
            settings.DATA_DIR,
            DATABASE_URL=_test_database(),
            CELERY_BROKER_URL=settings.CELERY_BROKER_URL,
            ANTHROPIC_API_KEY=KEY,
            ANTHROPIC_BASE_URL=service.address,
        )
        with served.running(env):
            served.wait_for(lambda: Work.objects.filter(kind=Grades.work_kind, state=Work.State.RUNNING).count() >= 2)
            imported = _receive_topics("meanwhile.tsv")
            served.wait_for(lambda: _is_published(imported))
            assert Work.objects.filter(kind=Grades.work_kind, state=Work.State.RUNNING).count() >= 2
        assert not any(batch.work.state == Work.State.DONE for batch in asked)


def _ask() -> Batch:
    """Queue a batch in a collection of its own."""
    collection = factories.make_holes(factories.make_collection())
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    plan = GradesPlan(service="anthropic", model="claude-haiku-4-5", prompt=prompt, concurrency=1)
    return batches.start(collection=collection, plan=plan, by=None, now=factories.NOW)


def test_a_backup_goes_from_postgresql_to_sqlite_and_back(settings, tmp_path):
    installations.fill()
    before = installations.everything()
    call_command("backup", str(tmp_path / "postgresql.zip"))

    sqlite = served.environment(tmp_path / "sqlite")
    for command in (
        ["migrate", "-v0"],
        ["restore", str(tmp_path / "postgresql.zip")],
        ["backup", str(tmp_path / "sqlite.zip")],
    ):
        done = served.manage(*command, env=sqlite)
        assert done.returncode == 0, done.stderr

    installations.empty(settings, tmp_path / "second")
    call_command("restore", str(tmp_path / "sqlite.zip"))
    assert installations.everything() == before
    highest = max(User.objects.values_list("pk", flat=True))
    assert factories.make_user("newcomer").pk > highest
    assessor = factories.make_assessor(factories.make_holes(factories.make_collection()))
    factories.judge(assessor, 3)
    assert Judgment.objects.filter(assessor=assessor, grade=3).exists()
