"""Every fault of judging that other tools had names tests that are there (docs/faults.md)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBERS = [
    *(1, 2, 3, 4, 6, 7, 8, 10, 11),  # losing a judgment
    *(12, 13, 15, 16, 17, 19, 20, 21, 22),  # two people, one pair
    *(24, 25, 26, 27, 28, 29),  # slow with much data
    *(30, 31, 32, 34, 35, 37, 38, 39),  # keyboard
    *(67, 68, 70),  # text that is HTML
    *(80, 81, 83, 84, 87, 88, 89, 90, 91, 93, 95, 96),  # suggestions of models
    *(97, 100, 101, 102, 103, 105, 107, 109),  # permissions, time, progress, deletion
]
ROWS = re.findall(r"^\| (\d+) \| [^|]+ \| (.+) \|$", (ROOT / "docs/faults.md").read_text(), re.MULTILINE)


def test_the_table_has_each_fault_once():
    assert [int(number) for number, _ in ROWS] == NUMBERS


@pytest.mark.parametrize(("number", "tests"), ROWS)
def test_the_tests_of_a_fault_are_there(number, tests):
    named = re.findall(r"`([^`:]+)::(\w+)`", tests)
    assert named
    for path, name in named:
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE), f"{path}::{name}"
