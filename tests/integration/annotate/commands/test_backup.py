import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from annotate.exports import queries as exports_queries
from annotate.management import backups as management_backups
from annotate.models import Judgment, Pair, Topic, User
from tests import factories, installations

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "first"


@pytest.fixture
def backup(tmp_path) -> Path:
    """A backup of a full installation, which stays as it is."""
    installations.fill()
    call_command("backup", str(tmp_path / "b.zip"))
    return tmp_path / "b.zip"


def _in_thread(act: Callable[[], object]) -> threading.Thread:
    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def _rows(path: Path, label: str) -> list[dict]:
    with ZipFile(path) as opened:
        return [json.loads(line) for line in opened.read(f"rows/{label}.jsonl").splitlines()]


def _change(path: Path, name: str, change: Callable[[bytes], bytes], renamed: str = "") -> None:
    """Change an entry and the manifest with it, as only somebody who means it does."""
    with ZipFile(path) as old:
        entries = {entry: old.read(entry) for entry in old.namelist()}
    manifest = json.loads(entries["manifest.json"])
    content = change(entries.pop(name))
    del manifest["sha256"][name]
    entries[renamed or name] = content
    manifest["sha256"][renamed or name] = sha256(content).hexdigest()
    entries["manifest.json"] = json.dumps(manifest).encode()
    with ZipFile(path, "w") as new:
        for entry, content in entries.items():
            new.writestr(entry, content)


def _check_nothing_is_there(data_dir: Path) -> None:
    assert {
        model._meta.label_lower: model._base_manager.count() for model in management_backups.list_models()
    } == dict.fromkeys((model._meta.label_lower for model in management_backups.list_models()), 0)
    assert [path for path in data_dir.rglob("*") if path.is_file()] == []


def test_all_rows_and_kept_files_come_back_as_they_were(backup, settings, tmp_path, capsys):
    before = installations.everything()
    assert all(before[label] for label in ("annotate.judgment", "annotate.export", "knox.authtoken"))
    assert {path.split("/")[0] for path in before if "/" in path} == {"imports", "runs", "exports"}
    installations.empty(settings, tmp_path / "second")
    call_command("restore", str(backup))
    assert installations.everything() == before
    assert "files are back" in capsys.readouterr().out


def test_a_restored_installation_goes_on_where_the_other_stopped(backup, settings, tmp_path):
    highest = User.objects.latest("pk").pk
    installations.empty(settings, tmp_path / "second")
    call_command("restore", str(backup))
    assert factories.make_user("newcomer").pk > highest
    assert User.objects.get(username="newcomer").check_password(factories.PASSWORD)
    assert all(user.check_password(factories.PASSWORD) for user in User.objects.all())


def test_a_backup_holds_no_session_and_no_sign_of_life(backup):
    with ZipFile(backup) as opened:
        names = [name for name in opened.namelist() if name.startswith("rows/")]
    assert "rows/annotate.user.jsonl" in names
    assert not [name for name in names if "session" in name or "worker" in name]


def test_a_snapshot_stands_still_and_stops_nobody_who_judges():
    assessor = installations.fill()
    with exports_queries.snapshot():
        before = list(management_backups.row_lines(Judgment))
        judging = _in_thread(lambda: factories.judge(assessor, 1))
        judging.join(10)
        assert not judging.is_alive()
        assert list(management_backups.row_lines(Judgment)) == before
    assert Judgment.objects.count() == len(before) + 1


def test_a_backup_while_people_judge_is_of_one_moment(tmp_path):
    collection = factories.make_holes(factories.make_collection(), topics=5, passages=8)
    assessor = factories.make_assessor(collection)
    judging = _in_thread(lambda: [factories.judge(assessor, number % 4) for number in range(40)])
    backups = []
    while judging.is_alive() and len(backups) < 20:
        backups.append(tmp_path / f"{len(backups)}.zip")
        call_command("backup", str(backups[-1]))
    judging.join()
    assert Judgment.objects.count() == 40
    for path in backups:
        judged = Counter(row["pair_id"] for row in _rows(path, "annotate.judgment"))
        assert judged == {row["id"]: row["counted"] for row in _rows(path, "annotate.pair") if row["counted"]}
    assert any(0 < len(_rows(path, "annotate.judgment")) < 40 for path in backups)


def test_a_backup_inside_of_a_transaction_is_refused(tmp_path):
    with pytest.raises(transaction.TransactionManagementError), transaction.atomic(), exports_queries.snapshot():
        pass


def test_a_backup_replaces_no_file(backup):
    before = backup.read_bytes()
    with pytest.raises(CommandError, match="No backup was written: .* exists already") as refused:
        call_command("backup", str(backup))
    assert refused.value.returncode == 1
    assert backup.read_bytes() == before


def test_a_backup_into_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(CommandError, match="No backup was written: .*No such file") as refused:
        call_command("backup", str(tmp_path / "missing" / "b.zip"))
    assert refused.value.returncode == 2


def test_a_file_that_is_no_backup_is_bad_input(tmp_path):
    (tmp_path / "notazip").write_text("words")
    for name in ("notazip", "missing"):
        with pytest.raises(CommandError, match="Nothing was restored") as refused:
            call_command("restore", str(tmp_path / name))
        assert refused.value.returncode == 2


def test_backup_and_restore_answer_in_json_too(settings, tmp_path, capsys):
    factories.make_user()
    path = str(tmp_path / "b.zip")
    call_command("backup", path, "--json")
    made = json.loads(capsys.readouterr().out)
    assert (made["file"], made["rows"], made["files"]) == (path, 1, 0)
    installations.empty(settings, tmp_path / "second")
    call_command("restore", path, "--json")
    assert json.loads(capsys.readouterr().out) == made


def test_restore_refuses_an_installation_that_holds_something(backup):
    before = installations.everything()
    with pytest.raises(CommandError, match=r"Nothing was restored: This installation is not empty \(.*topic: 2,"):
        call_command("restore", str(backup))
    assert installations.everything() == before


def test_a_damaged_archive_restores_nothing(backup, settings, tmp_path):
    installations.empty(settings, tmp_path / "second")
    with ZipFile(backup) as opened:
        largest = max(opened.infolist(), key=lambda entry: entry.compress_size)
    whole = bytearray(backup.read_bytes())
    whole[largest.header_offset + largest.compress_size // 2] ^= 0xFF
    backup.write_bytes(whole)
    with pytest.raises(CommandError, match="Nothing was restored: .*damaged"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


def _of_no_topic(content):
    """Whatever numbers the database gave: PostgreSQL counts on from test to test."""
    changed = re.sub(rb'"topic_id": \d+', b'"topic_id": 999999999', content)
    assert changed != content
    return changed


def test_a_row_that_the_database_refuses_takes_all_others_with_it(backup, settings, tmp_path):
    installations.empty(settings, tmp_path / "second")
    _change(backup, "rows/annotate.pair.jsonl", _of_no_topic)
    with pytest.raises(CommandError, match="Nothing was restored"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


def test_a_failed_restore_leaves_the_kept_files_that_were_there(backup, settings, tmp_path):
    """As with a new database beside the data folder of another one."""
    kept = {path: path.read_bytes() for path in (tmp_path / "first").rglob("*") if path.is_file()}
    assert kept
    call_command("flush", "--no-input", verbosity=0)
    _change(backup, "rows/annotate.pair.jsonl", _of_no_topic)
    with pytest.raises(CommandError, match="Nothing was restored"):
        call_command("restore", str(backup))
    assert {path: path.read_bytes() for path in (tmp_path / "first").rglob("*") if path.is_file()} == kept


def test_a_restore_beside_the_same_kept_files_keeps_them(backup, tmp_path):
    before = installations.everything()
    call_command("flush", "--no-input", verbosity=0)
    call_command("restore", str(backup))
    assert installations.everything() == before


def test_a_kept_file_with_other_bytes_refuses_the_restore(backup, tmp_path):
    call_command("flush", "--no-input", verbosity=0)
    other = next((tmp_path / "first" / "runs").iterdir())
    other.write_bytes(b"of another installation")
    with pytest.raises(CommandError, match=f"another runs/{other.name} than the archive"):
        call_command("restore", str(backup))
    assert other.read_bytes() == b"of another installation"
    assert not User.objects.exists()


def test_rows_that_lack_a_column_or_a_table_are_named(backup, settings, tmp_path):
    installations.empty(settings, tmp_path / "second")
    _change(backup, "rows/annotate.pair.jsonl", lambda content: content.replace(b'"topic_id"', b'"topic"'))
    with pytest.raises(CommandError, match=r"row of annotate\.pair cannot be read: KeyError\('topic_id'\)"):
        call_command("restore", str(backup))
    _change(backup, "rows/annotate.pair.jsonl", lambda content: content, renamed="rows/other.jsonl")
    with pytest.raises(CommandError, match=r"no rows of annotate\.pair"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


def test_an_archive_with_fewer_rows_than_it_tells_is_refused(backup, settings, tmp_path):
    installations.empty(settings, tmp_path / "second")
    _change(backup, "rows/knox.authtoken.jsonl", lambda content: b"")
    with pytest.raises(CommandError, match="knox.authtoken has not the number of rows"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


@pytest.mark.parametrize("path", ["../secret_key", "secret_key", "imports/../secret_key", "imports\\..\\x"])
def test_an_archive_that_writes_outside_of_the_kept_folders_is_refused(backup, settings, tmp_path, path):
    with ZipFile(backup) as opened:
        kept = next(name for name in opened.namelist() if name.startswith("files/imports/"))
    installations.empty(settings, tmp_path / "second")
    _change(backup, kept, lambda content: content, renamed=f"files/{path}")
    with pytest.raises(CommandError, match="outside of the folders that Lacuna keeps"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


@pytest.mark.parametrize("path", ["../secret_key", "/etc/passwd", "imports/../secret_key"])
@pytest.mark.parametrize("label", ["importedfile", "export"])
def test_a_row_that_names_a_file_outside_of_the_kept_folders_is_refused(backup, settings, tmp_path, label, path):
    installations.empty(settings, tmp_path / "second")

    def point_elsewhere(content: bytes) -> bytes:
        rows = [json.loads(line) | {"path": path} for line in content.splitlines()]
        return b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    _change(backup, f"rows/annotate.{label}.jsonl", point_elsewhere)
    with pytest.raises(CommandError, match="A row names a file outside of the folders that Lacuna keeps"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


@pytest.mark.parametrize("manifest", [b"[" * 200_000, b'{"a":' * 200_000, b"[]", b"{}", b"3"])
def test_a_manifest_that_is_none_or_nested_without_end_is_refused(backup, settings, tmp_path, manifest):
    installations.empty(settings, tmp_path / "second")
    with ZipFile(backup) as old:
        entries = {entry: old.read(entry) for entry in old.namelist()}
    with ZipFile(backup, "w") as new:
        for entry, content in (entries | {"manifest.json": manifest}).items():
            new.writestr(entry, content)
    with pytest.raises(CommandError, match="its manifest is"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


def test_a_row_that_is_nested_without_end_is_refused(backup, settings, tmp_path):
    installations.empty(settings, tmp_path / "second")
    _change(backup, "rows/annotate.topic.jsonl", lambda content: b"[" * 200_000)
    with pytest.raises(CommandError, match="A row of annotate.topic is nested too deeply"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


def test_a_backup_of_another_version_is_refused(backup, settings, tmp_path):
    installations.empty(settings, tmp_path / "second")
    with ZipFile(backup) as old:
        entries = {entry: old.read(entry) for entry in old.namelist()}
    entries["manifest.json"] = entries["manifest.json"].replace(b"annotate.0001_initial", b"annotate.0000_older")
    with ZipFile(backup, "w") as new:
        for entry, content in entries.items():
            new.writestr(entry, content)
    with pytest.raises(CommandError, match="lacking: annotate.0000_older; more: annotate.0001_initial"):
        call_command("restore", str(backup))
    _check_nothing_is_there(tmp_path / "second")


def test_every_folder_of_kept_files_is_in_the_backup(backup):
    """Each row that names a kept file finds it in the archive."""
    with ZipFile(backup) as opened:
        files = [name.removeprefix("files/") for name in opened.namelist()]
    for label in ("importedfile", "run", "export"):
        for row in _rows(backup, f"annotate.{label}"):
            assert any(name == row["path"] or name.startswith(f"{row['path']}/") for name in files)


def test_pairs_keep_the_topics_that_they_had(backup, settings, tmp_path):
    before = set(Pair.objects.values_list("topic__query_id", "passage_id"))
    installations.empty(settings, tmp_path / "second")
    call_command("restore", str(backup))
    assert set(Pair.objects.values_list("topic__query_id", "passage_id")) == before
    assert Topic.objects.count() == 2
