"""A study whose worker is killed without a word."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests import served

pytestmark = served.OWN_INSTALLATION
FILL = """
import django
django.setup()
from tests.integration.evaluation import study_site
study_site.request(study_site.make("lab"), fractions=[tenth / 10 for tenth in range(1, 10)], trials=500)
"""


@pytest.fixture
def data_dir(tmp_path):
    """With a study that waits: some ninety parts."""
    folder = tmp_path / "killed"
    folder.mkdir()
    served.migrate(folder)
    env = served.environment(folder, PYTHONPATH=str(served.ROOT))
    subprocess.run([sys.executable, "-c", FILL], env=env, cwd=served.ROOT, check=True, timeout=120)
    return folder


def rows(data_dir, statement):
    with closing(sqlite3.connect(data_dir / "db.sqlite3", timeout=20)) as database:
        found = database.execute(statement).fetchall()
        database.commit()
        return found


def parts(data_dir):
    return dict(rows(data_dir, "SELECT name, computed_at FROM evaluation_studypart"))


def work_to_the_end(data_dir):
    ended = served.manage("work", "--once", env=served.environment(data_dir))
    assert ended.returncode == 0, ended.stderr


def result(data_dir):
    [(found, attempts)] = rows(
        data_dir,
        "SELECT s.result, w.attempts FROM evaluation_study s JOIN annotate_work w ON w.id = s.work_id "
        "WHERE w.state = 'DONE'",
    )
    return found, attempts


def test_kill_9_loses_one_part_at_most_and_the_end_is_the_same(data_dir, tmp_path):
    shutil.copytree(data_dir, tmp_path / "whole")
    command = [sys.executable, str(served.ROOT / "manage.py"), "work", "--queue", "findings"]
    with subprocess.Popen(command, env=served.environment(data_dir)) as worker:
        served.wait_for(lambda: len(parts(data_dir)) >= 3)
        os.kill(worker.pid, signal.SIGKILL)
    kept = parts(data_dir)
    assert rows(data_dir, "SELECT count(*) FROM evaluation_study WHERE result IS NULL") == [(1,)]
    rows(data_dir, "UPDATE annotate_work SET lease_until = '2026-01-01' WHERE state = 'RUNNING'")
    work_to_the_end(data_dir)
    work_to_the_end(tmp_path / "whole")
    assert len(kept) >= 3
    assert result(data_dir) == (result(tmp_path / "whole")[0], 2)
