"""Inputs of studies as files: the same value is one file, and a damaged one is no input."""

import pytest

from annotate.work import kept_files
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.registry import CannotStudy


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def test_a_value_comes_back_and_the_same_one_is_kept_once():
    digest = frozen.freeze_json({"b": [1, "ä"], "a": None})
    assert frozen.freeze_json({"a": None, "b": [1, "ä"]}) == digest
    assert frozen.thaw_json(digest) == {"a": None, "b": [1, "ä"]}
    assert [path.name for path in kept_files.folder("studies").iterdir()] == [f"{digest}.json"]


def test_a_damaged_file_is_refused_and_a_lost_one_missed():
    digest = frozen.freeze_json([1])
    path = kept_files.path(f"studies/{digest}.json")
    path.write_text("[2]")
    with pytest.raises(CannotStudy, match="damaged"):
        frozen.thaw_json(digest)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        frozen.thaw_json(digest)
