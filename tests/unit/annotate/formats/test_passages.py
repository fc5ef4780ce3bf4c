import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import texts
from annotate.formats.faults import FileRefused
from annotate.formats.records import Passage
from tests import hostile

some_passages = st.lists(
    st.builds(Passage, hostile.ids, hostile.texts, hostile.texts),
    min_size=1,
    unique_by=lambda passage: passage.passage_id,
)


@given(some_passages)
def test_what_is_written_reads_back_equal(tmp_path_factory, some_passages):
    path = tmp_path_factory.getbasetemp() / "round.jsonl"
    with path.open("wb") as stream:
        texts.write_passages(some_passages, stream)
    assert list(texts.read_passages(path)) == some_passages


def test_a_tab_stands_between_id_and_text_which_may_have_more(write_file):
    path = write_file(b"0-0\t <b>A</b> &\t\rB\t\n0-1\t\n", "corpus.tsv")
    assert list(texts.read_passages(path)) == [Passage("0-0", " <b>A</b> &\t\rB\t"), Passage("0-1", "")]


@pytest.mark.parametrize("id_key", ["docid", "id", "_id", "passage_id"])
@pytest.mark.parametrize("text_key", ["text", "contents", "segment"])
def test_json_has_its_keys_in_several_words(write_file, id_key, text_key):
    line = json.dumps({id_key: "D1.2/a:b", text_key: "a\n\n\tb\r\u2028", "title": "T", "url": None})
    path = write_file(gzip.compress(line.encode()), "x.gz")
    assert list(texts.read_passages(path)) == [Passage("D1.2/a:b", "a\n\n\tb\r\u2028", "T")]


def test_all_faults_of_a_file_are_told_at_once(write_file):
    content = [
        '{"docid": "1", "text": "a"}',
        '{"docid": 2, "text": "a"}',
        '{"docid": "3"}',
        '{"docid": "4", "text": "\\u0000"}',
        '{"docid": "1", "text": "a"}',
        "5\tb",
    ]
    with pytest.raises(FileRefused) as caught:
        list(texts.read_passages(write_file("\n".join(content).encode(), "x"), name="p"))
    assert [str(fault) for fault in caught.value.faults] == [
        "p, line 2: docid is the number 2: an id is text in quotes, since a number loses leading zeros",
        "p, line 3: lacks text or contents or segment",
        "p, line 4: text has a NUL in it",
        "p, line 5: id '1' is on line 1 already",
        "p, line 6: not JSON: Extra data (column 3)",
    ]


def test_a_file_without_passages_is_refused(write_file):
    with pytest.raises(FileRefused, match="the file has no lines"):
        list(texts.read_passages(write_file(b"", "x")))
