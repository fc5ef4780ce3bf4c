import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


def test_a_data_folder_that_is_made_is_its_owners_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("LACUNA_DATA_DIR", str(tmp_path / "new"))
    made = env.folder("LACUNA_DATA_DIR", tmp_path / "default")
    assert made == tmp_path / "new"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_data_folder_that_is_there_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.delenv("LACUNA_DATA_DIR", raising=False)
    (tmp_path / "there").mkdir(mode=0o750)
    assert stat.S_IMODE(env.folder("LACUNA_DATA_DIR", tmp_path / "there").stat().st_mode) == 0o750


@pytest.mark.parametrize("mode", [0o755, 0o705, 0o701, 0o777])
def test_a_data_folder_that_is_open_to_all_is_refused_with_the_command_that_closes_it(tmp_path, monkeypatch, mode):
    monkeypatch.delenv("LACUNA_DATA_DIR", raising=False)
    there = tmp_path / "a folder"
    there.mkdir()
    (there / "letters").write_text("of somebody else")
    there.chmod(mode)
    with pytest.raises(ImproperlyConfigured, match="chmod 700 '.*a folder'"):
        env.folder("LACUNA_DATA_DIR", there)
    assert stat.S_IMODE(there.stat().st_mode) == mode
    there.chmod(0o700)
    assert env.folder("LACUNA_DATA_DIR", there) == there


@pytest.mark.parametrize("content", ["", "db.sqlite3", "secret_key", "imports"])
def test_an_empty_folder_and_one_of_an_earlier_version_are_closed(tmp_path, monkeypatch, content):
    monkeypatch.delenv("LACUNA_DATA_DIR", raising=False)
    there = tmp_path / "open"
    there.mkdir()
    there.chmod(0o755)
    if content:
        (there / content).write_bytes(b"")
    assert env.folder("LACUNA_DATA_DIR", there) == there
    assert stat.S_IMODE(there.stat().st_mode) == 0o700


def test_a_key_is_made_once_and_its_owner_alone_reads_it(tmp_path, monkeypatch):
    for name in ("SECRET_KEY", "SECRET_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    kept = tmp_path / "secret_key"
    key = env.secret("SECRET_KEY", generated=kept)
    assert len(key) >= 50
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert env.secret("SECRET_KEY", generated=kept) == key


def test_a_data_folder_that_cannot_be_made_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("LACUNA_DATA_DIR", raising=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="LACUNA_DATA_DIR is .*file/below, which cannot be made"):
        env.folder("LACUNA_DATA_DIR", tmp_path / "file" / "below")


def test_a_key_of_0_bytes_as_a_loss_of_power_leaves_it_is_made_anew(tmp_path, monkeypatch):
    for name in ("SECRET_KEY", "SECRET_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "secret_key").write_text("")
    key = env.secret("SECRET_KEY", generated=tmp_path / "secret_key")
    assert len(key) >= 50
    assert env.secret("SECRET_KEY", generated=tmp_path / "secret_key") == key


def test_all_who_start_at_once_take_the_same_key(tmp_path, monkeypatch):
    for name in ("SECRET_KEY", "SECRET_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    with ThreadPoolExecutor(8) as starting:
        keys = starting.map(lambda _: env.secret("SECRET_KEY", generated=tmp_path / "new" / "secret_key"), range(8))
    assert len(set(keys)) == 1
