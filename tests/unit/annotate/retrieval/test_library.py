import pytest

from annotate.retrieval import inverted_index


def test_an_index_is_built_once_for_each_field_and_analysis(shelf: inverted_index.Library) -> None:
    assert shelf.index("title", "plain") is shelf.index("title", "plain")
    assert shelf.index("title", "plain") is not shelf.index("lead", "plain")


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("title", "list.sort"),
        ("lead", "Sort the list in place."),
        ("whole", "list.sort\nSort the list in place.\n\nThe sort is stable."),
    ],
)
def test_a_field_is_a_part_of_the_passage(shelf: inverted_index.Library, field: str, text: str) -> None:
    assert inverted_index.field_text(shelf.passages[0], field) == text


def test_an_unknown_field_is_refused(shelf: inverted_index.Library) -> None:
    with pytest.raises(ValueError, match="no field 'abstract'"):
        shelf.index("abstract")
