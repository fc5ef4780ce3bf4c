import pytest

from annotate.formats import jsonl
from annotate.formats.faults import Refused


@pytest.mark.parametrize(
    ("name", "first_line", "expected"),
    [
        ("x.jsonl", "1\ta", True),
        ("x.JSONL.gz", "1\ta", True),
        ("x.tsv", "{", False),
        ("x.txt", ' {"id": "1"}', True),
        ("x", "1\t{", False),
    ],
)
def test_the_name_tells_the_format_or_else_the_first_brace(name, first_line, expected):
    assert jsonl.is_jsonl(name, first_line) is expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes (column 2)"),
        ("[]", "a list instead of a JSON object"),
        ('"a"', "text instead of a JSON object"),
        ("null", "null instead of a JSON object"),
        ("[" * 100_000, "not JSON that can be read: a number too long or nested too deeply"),
        ('{"id": ' + "9" * 5000 + "}", "not JSON that can be read: a number too long or nested too deeply"),
    ],
)
def test_a_line_that_is_no_object_is_refused(line, reason):
    with pytest.raises(Refused) as caught:
        jsonl.parse(line)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "lacks qid or id"),
        ({"qid": None}, "lacks qid or id"),
        ({"id": 7}, "id is the number 7: an id is text in quotes, since a number loses leading zeros"),
        ({"id": 7.5}, "id is the number 7.5: an id is text in quotes, since a number loses leading zeros"),
        ({"id": True}, "id is true or false instead of text"),
        ({"id": ["a"]}, "id is a list instead of text"),
        ({"id": {}}, "id is an object instead of text"),
        ({"qid": "", "id": "a"}, "empty id"),
        ({"id": "a b"}, "id 'a b' has white space in it (U+0020)"),
        ({"id": "a\0"}, "id has a NUL in it"),
        ({"id": "\ud83d"}, "id has half a character in it (U+D83D)"),
    ],
)
def test_a_bad_id_is_refused_with_its_reason(fields, reason):
    with pytest.raises(Refused) as caught:
        jsonl.read_identifier(fields, ("qid", "id"))
    assert str(caught.value) == reason


def test_the_first_key_that_is_there_counts():
    assert jsonl.read_identifier({"id": "b", "qid": "a"}, ("qid", "id")) == "a"
    assert jsonl.read_identifier({"id": "b", "qid": None}, ("qid", "id")) == "b"


def test_optional_text_is_empty_where_it_is_absent_or_null():
    assert jsonl.read_optional_text({"title": None}, "title") == ""
    assert jsonl.read_optional_text({}, "title") == ""
    with pytest.raises(Refused, match="title is a number instead of text"):
        jsonl.read_optional_text({"title": 3}, "title")
