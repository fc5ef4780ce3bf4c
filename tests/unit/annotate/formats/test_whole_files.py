"""Files are written whole, with name and bytes on the disk, and damage is noticed when they are read."""

import hashlib
import os
import stat

import pytest

from annotate.formats import whole_files
from annotate.formats.whole_files import Damaged
from tests import damages

CONTENT = b"q1 0 d1 3\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
DAMAGES = {**damages.DAMAGES, "longer": lambda whole: whole + b"\0", "another file": lambda whole: b"something else"}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_it_replaces_what_was_there_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "new" / "deep" / "f"
    assert whole_files.write(path, [b"old"]) == hashlib.sha256(b"old").hexdigest()
    assert whole_files.write(path, [CONTENT[:4], CONTENT[4:]]) == DIGEST
    assert (path.read_bytes(), names(path.parent)) == (CONTENT, ["f"])


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    def broken():
        yield b"half"
        raise OSError("disk full")

    path = tmp_path / "f"
    whole_files.write(path, [b"old"])
    for write in (lambda: whole_files.write(path, broken()), lambda: whole_files.write_by_digest(tmp_path, broken())):
        with pytest.raises(OSError, match="disk full"):
            write()
    assert (path.read_bytes(), names(tmp_path)) == (b"old", ["f"])


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="tells what a descriptor is by /proc")
def test_file_then_name_are_synced_with_each_folder_that_was_made(tmp_path, monkeypatch):
    done = []

    def sync(descriptor):
        done.append(os.path.relpath(os.readlink(f"/proc/self/fd/{descriptor}"), tmp_path))

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", lambda part, path: done.append("the name"))
    whole_files.write(tmp_path / "a" / "b" / "f", [CONTENT])
    made, part = done[:2], done[2]
    assert made == [".", "a"]
    assert part.startswith("a/b/.")
    assert done[3:] == ["the name", "a/b"]


def test_only_its_owner_reads_it_unless_it_is_public(tmp_path):
    before = os.umask(0o022)
    try:
        whole_files.write(tmp_path / "private", [CONTENT])
        whole_files.write(tmp_path / "public", [CONTENT], mode=whole_files.PUBLIC)
    finally:
        os.umask(before)
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("private", "public")}
    assert modes == {"private": 0o600, "public": 0o644}


def test_a_file_is_named_by_its_digest(tmp_path):
    assert whole_files.write_by_digest(tmp_path, [CONTENT], suffix=".json") == DIGEST
    assert names(tmp_path) == [f"{DIGEST}.json"]
    assert whole_files.read_checked(tmp_path / f"{DIGEST}.json", DIGEST) == CONTENT


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_noticed(tmp_path, damage):
    path, sealed = tmp_path / "f", tmp_path / "sealed"
    whole_files.write(path, [CONTENT])
    whole_files.write_sealed(sealed, CONTENT)
    assert whole_files.is_whole(path, DIGEST)
    assert whole_files.read_sealed(sealed) == CONTENT
    for each in (path, sealed):
        each.write_bytes(damage(each.read_bytes()))
    assert not whole_files.is_whole(path, DIGEST)
    with pytest.raises(Damaged, match="f is damaged"):
        whole_files.read_checked(path, DIGEST)
    with pytest.raises(Damaged, match="sealed is damaged"):
        whole_files.read_sealed(sealed)


def test_what_is_not_there_is_not_whole(tmp_path):
    assert not whole_files.is_whole(tmp_path / "f", DIGEST)
    for read in (whole_files.read_sealed, lambda path: whole_files.read_checked(path, DIGEST)):
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "f")


def test_an_empty_file_is_one_too(tmp_path):
    whole_files.write_sealed(tmp_path / "f", b"")
    assert whole_files.read_sealed(tmp_path / "f") == b""
