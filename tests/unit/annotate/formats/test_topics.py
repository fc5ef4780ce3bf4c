import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import texts
from annotate.formats.faults import FileRefused
from annotate.formats.records import Topic
from tests import hostile

some_topics = st.lists(
    st.builds(Topic, hostile.ids, hostile.texts.filter(str.strip), hostile.texts, hostile.texts, hostile.texts),
    min_size=1,
    unique_by=lambda topic: topic.query_id,
)


def faults_of(path):
    with pytest.raises(FileRefused) as caught:
        list(texts.read_topics(path, name="x.topics"))
    return [str(fault) for fault in caught.value.faults]


@given(some_topics)
def test_what_is_written_reads_back_equal(tmp_path_factory, some_topics):
    path = tmp_path_factory.getbasetemp() / "round.jsonl"
    with path.open("wb") as stream:
        texts.write_topics(some_topics, stream)
    assert list(texts.read_topics(path)) == some_topics


def test_a_tab_stands_between_id_and_text(write_file):
    path = write_file("\ufeff007\tna\u00efve \u6771\u4eac\r\n\nA1\t a\rb \n".encode(), "x.tsv")
    assert list(texts.read_topics(path)) == [Topic("007", "na\u00efve \u6771\u4eac"), Topic("A1", " a\rb ")]


@pytest.mark.parametrize("id_key", ["query_id", "qid", "id", "topic_id"])
@pytest.mark.parametrize("text_key", ["text", "query", "title"])
def test_json_has_its_keys_in_several_words(write_file, id_key, text_key):
    line = json.dumps({id_key: "1", text_key: "a", "narrative": "n", "backstory": "b\n", "other": [1]})
    path = write_file(line.encode(), "x")
    assert list(texts.read_topics(path)) == [Topic("1", "a", narrative="n", backstory="b\n")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q 1\ta", "id 'q 1' has white space in it (U+0020)"),
        ("\ta", "empty id"),
        ("q2 a", "no tab between id and text"),
        ("q2\t \u3000", "topic 'q2' has an empty text"),
        ("q1\tb", "id 'q1' is on line 1 already"),
    ],
)
def test_a_faulty_line_is_named_with_its_reason(write_file, line, reason):
    path = write_file(f"q1\ta\n{line}\nq3\tc\n".encode(), "x")
    assert faults_of(path) == [f"x.topics, line 2: {reason}"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"qid": 2, "text": "a"}, "qid is the number 2: an id is text in quotes, since a number loses leading zeros"),
        ({"text": "a"}, "lacks query_id or qid or id or topic_id"),
        ({"qid": "2"}, "lacks text or query or title"),
        ({"qid": "2", "text": ""}, "topic '2' has an empty text"),
        ({"qid": "2", "text": ["a"]}, "text is a list instead of text"),
        ({"qid": "2", "text": "a", "backstory": 1}, "backstory is a number instead of text"),
        ({"qid": "1", "text": "a"}, "id '1' is on line 1 already"),
    ],
)
def test_a_faulty_object_is_named_with_its_reason(write_file, fields, reason):
    path = write_file(b'{"qid": "1", "text": "a"}\n' + json.dumps(fields).encode(), "x")
    assert faults_of(path) == [f"x.topics, line 2: {reason}"]


def test_a_file_without_topics_is_refused(write_file):
    assert faults_of(write_file(b"\n", "x")) == ["x.topics: the file has no lines"]
