import pytest
from hypothesis import given

from annotate.formats import records
from annotate.formats.faults import Refused
from tests import hostile


@given(hostile.ids)
def test_an_id_stays_byte_for_byte(text):
    assert records.check_id(text).encode() == text.encode()


def test_composed_and_decomposed_letters_are_two_ids():
    assert records.check_id("\u00e9") != records.check_id("e\u0301")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty id"),
        ("doc 1", "id 'doc 1' has white space in it (U+0020)"),
        ("a\tb", "id 'a\\tb' has white space in it (U+0009)"),
        ("a\u00a0b", "id 'a\\xa0b' has white space in it (U+00A0)"),
        ("a\u3000", "id 'a\\u3000' has white space in it (U+3000)"),
        ("a\u2028b", "id 'a\\u2028b' has white space in it (U+2028)"),
        ("a\0b", "id 'a\\x00b' has a NUL in it"),
        ("a\x07", "id 'a\\x07' has the character U+0007 in it, which an id cannot have"),
        ("a\x7f", "id 'a\\x7f' has the character U+007F in it, which an id cannot have"),
        ("\ud800", "id '\\ud800' has the character U+D800 in it, which an id cannot have"),
        ("x" * 513, "id 'xxxxxxxxxxxxxxxxxxxx'... is longer than 512 bytes"),
        ("\u00e9" * 257, "id 'éééééééééééééééééééé'... is longer than 512 bytes"),
    ],
)
def test_a_bad_id_is_refused_with_its_reason(text, reason):
    with pytest.raises(Refused) as caught:
        records.check_id(text)
    assert str(caught.value) == reason


@pytest.mark.parametrize("text", ["x" * 512, "\u00e9" * 256])
def test_an_id_may_have_512_bytes(text):
    assert records.check_id(text) == text
