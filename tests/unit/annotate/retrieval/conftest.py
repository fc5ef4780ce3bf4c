"""Five short passages that the tests of retrieval share; the last has no text."""

import pytest

from annotate.formats.records import Passage
from annotate.retrieval import library


@pytest.fixture
def shelf() -> library.Library:
    return library.Library(
        [
            Passage("list.sort", "Sort the list in place.\n\nThe sort is stable.", "list.sort"),
            Passage("sorted", "Return a new sorted list.", "sorted"),
            Passage("str.split", "Split the string at a separator.", "str.split"),
            Passage("os.walk", "Walk a directory tree and all its directories.", "os.walk"),
            Passage("empty", "", ""),
        ]
    )
