import pytest

from annotate.formats import lines
from annotate.formats.faults import Refused


@pytest.mark.parametrize("line", ["a b", "a\tb", "  a \t  b  ", "a\x0bb", "a\rb"])
def test_any_ascii_white_space_separates(line):
    assert lines.split_columns(line, ("first", "second")) == ["a", "b"]


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\x1c", "\x85"])
def test_other_white_space_does_not(space):
    assert lines.split_columns(f"a{space}b", ("only",)) == [f"a{space}b"]


def test_the_reason_counts_the_columns_and_names_them():
    with pytest.raises(Refused) as caught:
        lines.split_columns("a b c", ("first", "second"))
    assert str(caught.value) == "expected 2 columns (first second), found 3"
