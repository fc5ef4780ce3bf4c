import pytest

from annotate.formats import runs
from annotate.formats.faults import FileRefused


def test_each_run_has_the_group_of_its_line(tmp_path):
    path = tmp_path / "groups.txt"
    path.write_text("bm25 baseline\nbm25+rm3\tbaseline\n\ndense  lab-1\n")
    assert runs.read_groups(path) == {"bm25": "baseline", "bm25+rm3": "baseline", "dense": "lab-1"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file has no lines"),
        ("a b c\n", "line 1: expected 2 columns"),
        ("a b\na c\n", "line 2: run 'a' has a group already"),
    ],
)
def test_what_says_no_group_is_refused(tmp_path, text, sentence):
    path = tmp_path / "groups.txt"
    path.write_text(text)
    with pytest.raises(FileRefused, match=sentence):
        runs.read_groups(path)
