import subprocess
import sys
from pathlib import Path

import pytest

from annotate.formats import records
from annotate.formats.records import Passage
from annotate.sample import documentation

ROOT = Path(documentation.__file__).parents[2]


@pytest.fixture(scope="module")
def passages() -> dict[str, Passage]:
    return {passage.passage_id: passage for passage in documentation.read_passages()}


def test_there_are_about_three_thousand_passages_with_ids_that_qrels_can_hold(passages: dict[str, Passage]) -> None:
    assert 2500 < len(passages) < 4500
    for passage_id in passages:
        assert records.check_id(passage_id) == passage_id


def test_no_id_and_no_text_comes_twice(passages: dict[str, Passage]) -> None:
    assert len(documentation.read_passages()) == len(passages)
    assert len({passage.text for passage in passages.values()}) == len(passages)


def test_reading_again_gives_the_same_passages_in_the_same_order(passages: dict[str, Passage]) -> None:
    assert documentation.read_passages() == list(passages.values())


@pytest.mark.parametrize(
    "name", ["json", "sorted", "itertools.groupby", "str.split", "os.path.join", "pathlib.Path.rglob", "random.sample"]
)
def test_modules_classes_functions_and_methods_stand_under_their_qualified_names(
    passages: dict[str, Passage], name: str
) -> None:
    assert passages[name].title == name


@pytest.mark.parametrize(
    "name",
    [
        "builtins.sorted",
        "posixpath.join",
        "IOError",
        "random.Random.sample",
        "bool.bit_length",
        "json._default_decoder",
    ],
)
def test_a_thing_stands_under_one_name_only_and_private_ones_under_none(
    passages: dict[str, Passage], name: str
) -> None:
    assert name not in passages


def test_help_topics_are_among_the_passages(passages: dict[str, Passage]) -> None:
    assert sum(passage_id.startswith("topics/") for passage_id in passages) > 200


def test_texts_keep_their_line_breaks_and_lose_the_indentation_of_the_source(passages: dict[str, Passage]) -> None:
    text = passages["contextlib.contextmanager"].text
    assert "Typical usage:\n\n    @contextmanager\n    def some_generator" in text


def test_texts_too_short_to_say_anything_are_left_out(passages: dict[str, Passage]) -> None:
    assert min(len(passage.text.split()) for passage in passages.values()) == documentation.MIN_WORDS


def test_reading_prints_nothing_warns_of_nothing_and_starts_nothing() -> None:
    program = (
        "import sys, threading; from annotate.sample import documentation; documentation.read_passages();"
        "assert threading.active_count() == 1;"
        "assert not {'readline', 'tkinter', 'turtle', 'antigravity', 'this', 'numpy'} & set(sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
