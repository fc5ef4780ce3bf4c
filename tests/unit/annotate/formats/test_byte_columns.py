import numpy as np
import pytest

from annotate.formats import byte_columns


def values(data, n_columns):
    columns = byte_columns.cut_columns(data, n_columns)
    return [columns.texts(column, np.arange(len(columns))) for column in range(n_columns)]


@pytest.mark.parametrize("data", [b"a bc\nd e\n", b"a bc\nd e", b"a\tbc\nd\te\n", b"a bc\r\nd e\r\n"])
def test_lines_are_cut_at_single_spaces_and_tabs_whatever_their_ends(data):
    assert values(data, 2) == [["a", "d"], ["bc", "e"]]


def test_other_alphabets_are_cut_too():
    assert values("\u00e9 \u6771\u4eac\n\U0001f600 b\n".encode(), 2) == [
        ["\u00e9", "\U0001f600"],
        ["\u6771\u4eac", "b"],
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a b\nc\n",
        b"a b\nc d e\n",
        b"a b c\nd\n",
        b"a b\n\nc d\n",
        b"a  b\nc d\n",
        b" a b\nc d\n",
        b"a b \nc d\n",
        b"a b\rc d\n",
        b"a b\x0b\n",
        b"a b\x7f\n",
        b"a b\0\n",
        b"a b\xff\n",
        "a b\u00a0\n".encode(),
        "a b\u200b\n".encode(),
        b"a " + b"b" * 513 + b"\n",
    ],
)
def test_what_is_odd_is_not_cut(data):
    assert byte_columns.cut_columns(data, 2) is None


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, 512])
def test_words_are_equal_only_where_values_are(length):
    value = "x" * length
    data = f"{value} {value}\n{value}x a\nx{value[:-1]} {value}\n".encode() if length < 512 else f"{value} b\n".encode()
    words = byte_columns.cut_columns(data, 2).words(0)
    assert words.shape[0] == -(-(min(length + 1, 512) if length < 512 else length) // 8)
    assert [bool((words[:, 0] == other).all()) for other in words.T] == [True, False, True][: words.shape[1]]


@pytest.mark.parametrize(("data", "is_constant"), [(b"t\n", True), (b"t\nt\n", True), (b"t\ntt\n", False)])
def test_a_column_is_constant_where_all_lines_have_one_value(data, is_constant):
    assert byte_columns.cut_columns(data, 1).is_constant(0) is is_constant


def test_numbers_are_the_doubles_that_python_reads():
    texts = ["1", "-0.0", ".5", "5.", "+1e-3", "0.1", "14.389200210571289", "1E300", "-4.9e-324", "9" * 40]
    assert byte_columns.cut_columns("\n".join(texts).encode(), 1).numbers(0).tolist() == [float(text) for text in texts]


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity", "1e999", "1_0", "1,5", "x", "0x1", "1e", "--1", "\u0663"])
def test_a_column_with_what_is_not_a_finite_number_has_no_numbers(text):
    assert byte_columns.cut_columns(f"1.0\n{text}\n".encode(), 1).numbers(0) is None
