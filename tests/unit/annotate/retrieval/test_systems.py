from itertools import combinations

import pytest

from annotate.formats.records import Passage, Topic
from annotate.retrieval import inverted_index, scorers
from tests import ranked

TOPICS = [Topic("q2", "sort a list"), Topic("q1", "walk directories")]


@pytest.mark.parametrize("name", scorers.SYSTEMS)
def test_every_system_finds_the_obvious_passage_and_gives_the_same_run_again(
    name: str, shelf: inverted_index.Library
) -> None:
    run = ranked.retrieved(name, TOPICS, shelf)
    best = {row.query_id: row.passage_id for row in reversed(run)}
    assert best["q1"] == "os.walk"
    assert best["q2"] in {"list.sort", "sorted"}
    assert run == ranked.retrieved(name, TOPICS, inverted_index.Library(shelf.passages))


@pytest.mark.parametrize("name", scorers.SYSTEMS)
def test_rows_come_topic_by_topic_with_falling_scores_above_zero(name: str, shelf: inverted_index.Library) -> None:
    run = ranked.retrieved(name, TOPICS, shelf, depth=3)
    assert list(dict.fromkeys(row.query_id for row in run)) == ["q2", "q1"]
    for topic in TOPICS:
        scores = [row.score for row in run if row.query_id == topic.query_id]
        assert scores == sorted(scores, reverse=True)
        assert 0 < len(scores) <= 3
        assert min(scores) > 0


@pytest.mark.parametrize("name", scorers.SYSTEMS)
def test_a_topic_of_unknown_words_and_passages_without_text_have_no_rows(
    name: str, shelf: inverted_index.Library
) -> None:
    assert ranked.retrieved(name, [Topic("q", "1qxz")], shelf) == []
    assert ranked.retrieved(name, TOPICS, inverted_index.Library([Passage("a", ""), Passage("b", "")])) == []


def test_there_are_ten_systems_at_least_and_no_two_make_the_same_run() -> None:
    passages = [
        Passage("list.sort", "Sort the list in place.\n\nEqual elements keep their order.", "list.sort"),
        Passage("sorted", "Return a new sorted list from the items of an iterable, by a key.", "sorted"),
        Passage("heapq", "Heap queue. The smallest of all items is at the front.", "heapq"),
        Passage("bisect.insort", "Insert an item in a list, and keep it sorted; list must be a list.", "bisect.insort"),
        Passage("list", "A list of items, in the order in which they come.", "list"),
        Passage("dict", "Keys and values. Keys keep the order in which they were entered.", "dict"),
        Passage("set", "Unordered, unique elements.", "set"),
        Passage("order", "Ordering of key words.\n\nSort sort sort.", "order"),
    ]
    topics = [Topic("q", "sorting items of a list by key"), Topic("r", "keep the order of the elements")]
    runs = {name: ranked.retrieved(name, topics, inverted_index.Library(passages)) for name in scorers.SYSTEMS}
    assert len(runs) >= 10
    capped = {"lsa-100", "lsa-300"}  # the same where a library has fewer than 100 passages
    same = [pair for pair in combinations(runs, 2) if runs[pair[0]] == runs[pair[1]] and set(pair) != capped]
    assert same == []


def test_a_library_without_passages_is_refused() -> None:
    with pytest.raises(ValueError, match="no passages"):
        ranked.retrieved("bm25", TOPICS, inverted_index.Library([]))


def test_an_unknown_system_is_refused(shelf: inverted_index.Library) -> None:
    with pytest.raises(KeyError):
        ranked.retrieved("bm26", TOPICS, shelf)
