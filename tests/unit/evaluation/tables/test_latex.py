import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.tables import table
from evaluation.tables.table import Table

COMMANDS = (
    r"\\(?:textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textquotedbl)\{\}|\\[{}$&#%_]"
)


def test_columns_of_numbers_stand_right_and_words_left():
    text = table.write_latex(Table("t", ("a", "b", "c"), (("x", 1, None), ("y", 2, 0.5)), places=3))
    assert r"\begin{tabular}{lrr}" in text
    assert "y & 2 & 0.500 \\\\" in text
    assert text.count("rule") == 3


def test_a_table_without_rows_is_whole():
    assert r"\begin{tabular}{ll}" in table.write_latex(Table("t", ("a", "b"), ()))


def test_a_minus_is_a_minus_and_no_hyphen():
    assert "$-$0.25 \\\\" in table.write_latex(Table("t", ("a",), ((-0.25,),), places=2))


@pytest.mark.parametrize(
    "text", ["\\input{/etc/passwd}", "a\\\\b", "$x^2$", "50 %", "a & b", "[1]", "a\nb", "{\\bf x}"]
)
def test_no_text_is_a_command(text):
    assert not re.sub(COMMANDS, "", table.escape_latex(text)).translate({ord("{"): None, ord("}"): None}).count("\\")


@given(st.text())
def test_nothing_special_is_left_of_any_text(text):
    left = re.sub(COMMANDS, "", table.escape_latex(text)).replace("{[}", "").replace("{]}", "")
    assert not set(left) & set("\\{}$&#%_^~\n")
