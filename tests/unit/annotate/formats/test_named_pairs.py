import pytest

from annotate.formats import named_pairs
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair


def test_pairs_are_read_in_their_order_whatever_white_space_and_line_ends():
    text = "\ufeffq2 d1\r\n\n  q1\t d1 \nQ1 é".encode()
    assert named_pairs.parse_pairs(text) == [
        NamedPair(1, "q2", "d1"),
        NamedPair(3, "q1", "d1"),
        NamedPair(4, "Q1", "é"),
    ]


def test_every_fault_is_named_by_its_line():
    text = b"q1 d1\nq1\nq1 d1 2\nq1 d1\n\xff d2\nq1 d\xc2\xa02\n"
    with pytest.raises(FileRefused) as refused:
        named_pairs.parse_pairs(text, "list.txt")
    assert [str(fault) for fault in refused.value.faults] == [
        "list.txt, line 2: expected 2 columns (query_id passage_id), found 1",
        "list.txt, line 3: expected 2 columns (query_id passage_id), found 3",
        "list.txt, line 4: passage 'd1' of topic 'q1' is on line 1 already",
        "list.txt, line 5: byte 1 (0xff) is not UTF-8",
        "list.txt, line 6: id 'd\\xa02' has white space in it (U+00A0)",
    ]


@pytest.mark.parametrize("text", [b"", b" \n\r\n"])
def test_a_text_without_pairs_is_refused(text):
    with pytest.raises(FileRefused, match="no pair is named"):
        named_pairs.parse_pairs(text)


def test_a_list_of_pairs_is_read_alike():
    assert named_pairs.check_pairs([("q1", "d1")]) == [NamedPair(1, "q1", "d1")]
    with pytest.raises(FileRefused, match="line 2: .* is on line 1 already"):
        named_pairs.check_pairs([("q1", "d1"), ("q1", "d1")])
    with pytest.raises(FileRefused, match="line 1: empty id"):
        named_pairs.check_pairs([("", "d1")])


def test_the_digest_is_that_of_the_file_with_these_lines():
    # sha256sum of "q1 d1\nq2 d2\n"
    assert named_pairs.digest_pairs([("q1", "d1"), ("q2", "d2")]) == (
        "16658795482ec6b35507e59e41ecfed1be829252699441f334c9552efccb4f2c"
    )
