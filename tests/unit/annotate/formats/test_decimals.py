import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import byte_columns

plain = st.from_regex(r"-?[0-9]{1,8}\.[0-9]{1,8}", fullmatch=True)


def read(*texts):
    ends = np.cumsum([len(text) for text in texts])
    return byte_columns.read_decimals("".join(texts).encode(), ends - [len(text) for text in texts], ends)


@given(st.lists(plain.filter(lambda text: abs(int(text.replace(".", ""))) < 2**53), min_size=1))
def test_plain_decimals_are_read_to_the_last_bit_as_python_reads_them(texts):
    assert read(*texts).tobytes() == np.array([float(text) for text in texts]).tobytes()


@pytest.mark.parametrize("text", ["0.0", "-0.0", "14.389200", "-7.5", "99999999.9", "90071992.54740991", "0.00000001"])
def test_decimals_as_systems_write_them_are_read(text):
    assert read("1.5", text).tolist() == [1.5, float(text)]


@pytest.mark.parametrize(
    "text",
    ["1", ".5", "5.", "-.5", "+1.5", "1.5e3", "nan", "1.2.3", "--1.5", "1_0.5", "1,5", "a.5", "1.a", "1.:", "1./"]
    + ["123456789.0", "0.123456789", "99999999.99999999", "90071992.54740992", "1.\u0661", "\u00ff.5", "1.-5", ""],
)
def test_what_is_not_plain_is_not_read(text):
    assert read("1.5", text) is None


@given(st.lists(st.text("0123456789.-+eE_ \0", min_size=1, max_size=9), min_size=1, max_size=2))
def test_whatever_is_read_is_a_number(texts):
    found = read(*texts)
    assert found is None or found.tolist() == [float(text) for text in texts]
