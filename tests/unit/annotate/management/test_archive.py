import json
import stat
from zipfile import ZipFile

import pytest

from annotate.formats.whole_files import Damaged
from annotate.management import backups


def _write(path, entries: dict[str, bytes]) -> None:
    with backups.open_new(path) as made:
        digests = {name: backups.add_entry(made, name, [content]) for name, content in entries.items()}
        backups.add_manifest(made, {"migrations": [], "rows": {}, "sha256": digests})


def _rewrite(path, change) -> None:
    """The archive again, sound as a zip, after `change` of its entries."""
    with ZipFile(path) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    change(entries)
    with ZipFile(path, "w") as new:
        for name, content in entries.items():
            new.writestr(name, content)


def _leave_out(entries, name) -> None:
    manifest = json.loads(entries["manifest.json"])
    del manifest[name]
    entries["manifest.json"] = json.dumps(manifest).encode()


def test_what_was_added_is_read_back(tmp_path):
    _write(tmp_path / "b.zip", {"rows/a": b"one\ntwo\n", "files/b": b"\x00" * 3_000_000})
    with backups.open_checked(tmp_path / "b.zip") as (opened, manifest):
        assert sorted(manifest["sha256"]) == ["files/b", "rows/a"]
        assert b"".join(backups.entry_chunks(opened, "files/b")) == b"\x00" * 3_000_000
        assert opened.read("rows/a") == b"one\ntwo\n"


def test_only_its_owner_may_read_it(tmp_path):
    _write(tmp_path / "b.zip", {})
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600


def test_a_failure_on_the_way_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), backups.open_new(tmp_path / "b.zip") as made:
        backups.add_entry(made, "a", [b"half"])
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_it_replaces_nothing(tmp_path):
    (tmp_path / "b.zip").write_text("an earlier backup")
    with pytest.raises(FileExistsError, match="exists already"), backups.open_new(tmp_path / "b.zip"):
        pass
    assert (tmp_path / "b.zip").read_text() == "an earlier backup"


def test_cut_and_changed_bytes_are_found(tmp_path):
    _write(tmp_path / "b.zip", {"rows/a": bytes(range(256))})
    whole = (tmp_path / "b.zip").read_bytes()
    middle = whole.index(bytes(range(100, 110)))
    for wrong in (b"", whole[:100], whole[:-1], whole[:middle] + b"!" + whole[middle + 1 :]):
        (tmp_path / "wrong.zip").write_bytes(wrong)
        with pytest.raises(Damaged), backups.open_checked(tmp_path / "wrong.zip"):
            pass


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda entries: entries.update({"rows/a": b"two"}), "rows/a does not have the SHA-256"),
        (lambda entries: entries.pop("rows/a"), "entries are not those of its manifest"),
        (lambda entries: entries.update({"files/more": b""}), "entries are not those of its manifest"),
        (lambda entries: entries.pop("manifest.json"), "no manifest.json"),
        (lambda entries: entries.update({"manifest.json": b"{"}), "is damaged"),
        (lambda entries: entries.update({"manifest.json": b"[]"}), "is damaged"),
        (lambda entries: entries.update({"manifest.json": json.dumps({"format": "x"}).encode()}), "its format is 'x'"),
        (lambda entries: _leave_out(entries, "migrations"), "manifest lacks migrations"),
        (lambda entries: _leave_out(entries, "rows"), "manifest lacks rows"),
        (lambda entries: _leave_out(entries, "sha256"), "manifest lacks sha256"),
    ],
)
def test_an_archive_that_its_manifest_does_not_tell_is_refused(tmp_path, change, sentence):
    _write(tmp_path / "b.zip", {"rows/a": b"one"})
    _rewrite(tmp_path / "b.zip", change)
    with pytest.raises(Damaged, match=sentence), backups.open_checked(tmp_path / "b.zip"):
        pass
