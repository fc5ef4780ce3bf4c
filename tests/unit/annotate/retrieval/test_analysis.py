import pytest

from annotate.retrieval import analysis


def test_plain_words_keep_identifiers_whole_and_stop_words() -> None:
    assert analysis.plain("Use os.path.join, the joiner.") == ["use", "os.path.join", "the", "joiner"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("os.path.join", ["os.path.join", "os", "path", "join"]),
        ("move_to_end", ["move_to_end", "move", "end"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("rowCount", ["rowcount", "row", "count"]),
        ("__init__", ["init"]),
        ("python 3.14 and utf8", ["python", "3.14", "3", "14", "utf8"]),
        ("Straße Ålesund", ["straße", "ålesund"]),
        ("what is it?", []),
        ("", []),
    ],
)
def test_stems_come_with_the_identifiers_and_their_parts(text: str, terms: list[str]) -> None:
    assert analysis.stemmed(text) == terms


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("splitting", "split"),
        ("stopped", "stop"),
        ("calling", "call"),
        ("passed", "pass"),
        ("queries", "query"),
        ("status", "status"),
        ("ring", "ring"),
        ("red", "red"),
        ("is", "is"),
    ],
)
def test_a_stem_is_the_word_without_its_ending(word: str, stem: str) -> None:
    assert analysis.stem(word) == stem


def test_grams_of_a_short_word_are_the_word_with_its_edges() -> None:
    assert analysis.character_grams("os") == ["_os_"]
    assert analysis.character_grams("x") == ["_x_"]
    assert analysis.character_grams("walked") == ["_wal", "walk", "alke", "lked", "ked_"]
