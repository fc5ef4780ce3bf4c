"""An installation of an earlier commit, made by that commit's own code, in the hands of the present code."""

import hashlib
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from tests import served

pytestmark = served.OWN_INSTALLATION
EARLIER = "86049ae"  # the last one before the code was sorted into rooms
RULE = ("--rule", "reference,adjudicated,people,model:learned-1")
# The same program for both: what it calls is public and stays.
JUDGE = """
from django.contrib.auth import get_user_model
from django.test import Client
from knox.models import AuthToken

person = get_user_model().objects.get(username="{person}")
token = AuthToken.objects.create(user=person)[1]
api = Client(SERVER_NAME="localhost", headers={{"authorization": f"Token {{token}}"}})
for grade in {grades}:
    claim = api.post("/api/v1/collections/python-docs/next/").json()["claim"]
    said = {{"claim": claim, "grade": grade, "comment": "\u00fcber", "visible_ms": 1200, "wall_ms": 3400}}
    stored = api.post("/api/v1/collections/python-docs/judgments/", said, "application/json")
    assert stored.status_code == 201, stored.content
    if reveal := stored.json()["reveal"]:
        assert api.post(reveal["decide"], {{"grade": grade}}, "application/json").status_code == 200
"""
LOOK = """
from django.contrib.auth import get_user_model
from django.test import Client

visitor = Client(SERVER_NAME="localhost")
visitor.force_login(get_user_model().objects.get(username="researcher"))
for page in ("", "imports/", "pool/", "suggestions/", "people/", "exports/", "agreement/", "leaderboard/", "studies/"):
    assert visitor.get(f"/c/python-docs/{page}").status_code == 200, page
frozen = visitor.get("/c/python-docs/exports/1/qrels.txt")
print(b"".join(frozen).decode(), end="")
"""


def manage(code: Path, data: Path, *arguments: str) -> str:
    """What a command of that code says about the installation in that folder."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=code,
        env=served.environment(data),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    return done.stdout


def judge(code: Path, data: Path, person: str, *grades: int) -> None:
    manage(code, data, "shell", "--no-imports", "-c", JUDGE.format(person=person, grades=grades))


def export(code: Path, data: Path, folder: Path) -> dict[str, bytes]:
    """Completed qrels, their provenance and the manifest."""
    manage(code, data, "export_qrels", "--collection", "python-docs", *RULE, "--out", str(folder))
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def list_differing(present: dict[str, bytes], earlier: dict[str, bytes]) -> list[str]:
    """The files that are not the same byte for byte, by name: pytest would compare megabytes for an hour. The earlier
    code wrote UTC as +00:00, which is Z by now, so the digest of the provenance is another too."""
    provenance = earlier["provenance.jsonl"].replace(b'+00:00"', b'Z"')
    old, new = (hashlib.sha256(content).hexdigest().encode() for content in (earlier["provenance.jsonl"], provenance))
    assert old in earlier["manifest.json"]
    manifest = earlier["manifest.json"].replace(old, new).replace(b'+00:00"', b'Z"')
    expected = {**earlier, "provenance.jsonl": provenance, "manifest.json": manifest}
    return sorted(name for name in expected.keys() | present.keys() if present.get(name) != expected.get(name))


def rows(data: Path) -> dict[str, list[dict[str, object]]]:
    """Every row of every table but the names of the migrations."""
    with closing(sqlite3.connect(data / "db.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: [dict(row) for row in database.execute(f'SELECT * FROM "{table}" ORDER BY rowid')]
            for table in tables
            if table not in ("django_migrations", "django_content_type", "auth_permission", "sqlite_sequence")
        }


def without_new_columns(found: dict[str, list[dict]], stored: dict[str, list[dict]]) -> dict[str, list[dict]]:
    """The rows as far as the earlier code knew them: later migrations add columns, and change no value."""
    return {
        table: [{name: row[name] for name in stored[table][0]} for row in found[table]]
        if stored[table]
        else found[table]
        for table in stored
    }


@pytest.fixture(scope="module")
def earlier_code(tmp_path_factory) -> Path:
    archive = subprocess.run(["git", "archive", EARLIER], cwd=served.ROOT, capture_output=True)
    if archive.returncode:
        pytest.skip(f"the history of this clone does not reach to commit {EARLIER}")
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def data(earlier_code, tmp_path_factory) -> Path:
    """The sample, in which two people judged, by the earlier code alone."""
    folder = tmp_path_factory.mktemp("installation")
    (folder / "static").mkdir()
    manage(earlier_code, folder, "migrate", "-v0")
    manage(earlier_code, folder, "load_sample")
    judge(earlier_code, folder, "assessor-1", 0, 1, 2)
    judge(earlier_code, folder, "assessor-2", 3)
    return folder


def test_it_migrates_without_a_change_opens_judges_and_exports_the_same_bytes(earlier_code, data, tmp_path):
    before = export(earlier_code, data, tmp_path / "before")
    stored = rows(data)

    assert manage(served.ROOT, data, "migrate", "-v0") == ""
    manage(served.ROOT, data, "collectstatic", "--no-input", "-v0")
    manage(served.ROOT, data, "check")
    assert without_new_columns(rows(data), stored) == stored
    assert manage(served.ROOT, data, "shell", "--no-imports", "-c", LOOK).encode() == before["qrels.txt"]
    assert list_differing(export(served.ROOT, data, tmp_path / "after"), before) == []

    judge(served.ROOT, data, "assessor-1", 1, 3)
    judged = export(served.ROOT, data, tmp_path / "judged")
    assert judged["qrels.txt"] != before["qrels.txt"]
    back = tmp_path / "back"
    shutil.copytree(data, back)
    assert list_differing(judged, export(earlier_code, back, tmp_path / "judged-before")) == []
