"""Five short passages that the tests of retrieval share; the last has no text."""

import pytest

from annotate.formats.records import Passage
from annotate.retrieval import inverted_index


@pytest.fixture
def shelf() -> inverted_index.Library:
    return inverted_index.Library(
        [
            Passage("list.sort", "Sort the list in place.\n\nThe sort is stable.", "list.sort"),
            Passage("sorted", "Return a new sorted list.", "sorted"),
            Passage("str.split", "Split the string at a separator.", "str.split"),
            Passage("os.walk", "Walk a directory tree and all its directories.", "os.walk"),
            Passage("empty", "", ""),
        ]
    )
