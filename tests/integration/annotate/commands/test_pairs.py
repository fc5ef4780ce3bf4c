"""Which pairs people judge, by commands."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.draws import queries as draws_queries
from annotate.draws.operations import draws
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    made = factories.make_holes(factories.make_collection("c1"), topics=2, passages=3)
    factories.import_qrels(made, "q1 0 d1.1 2\n")
    factories.import_text(made, "PASSAGES", "d9\tThe passage d1.2 tells of q1!\n")
    return made


@pytest.fixture
def run(collection):
    """`run(name, *arguments)`: exit code and what was answered, or the sentence of the error."""

    def command(name, *arguments):
        stdout = io.StringIO()
        try:
            call_command(name, "--collection", "c1", "--json", *map(str, arguments), stdout=stdout)
        except CommandError as error:
            return error.returncode, str(error)
        collection.refresh_from_db()
        return 0, json.loads(stdout.getvalue())

    return command


def test_a_sample_is_previewed_drawn_and_ended(run, collection):
    model = factories.make_suggestions(collection)
    said = ("--share", "0.5", "--seed", "4", "--model", model.name)
    code, preview = run("draw_sample", *said, "--preview")
    assert (code, preview["size"], collection.order) == (0, 4, "TOPIC")
    assert run("draw_sample", *said) == (0, preview)
    assert (collection.order, collection.pairs_wanted) == ("SAMPLE", 4)
    assert run("end_draw") == (0, {"kind": "SAMPLE", "size": 4})
    assert run("end_draw") == (1, draws.NOTHING_IN_FORCE)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ((), 2, draws_queries.SHARE_OR_NUMBER),
        (("--number", "1"), 2, "2 pairs or more"),
        (("--number", "2", "--model", "nobody"), 2, "no model rater named 'nobody'"),
        (("--number", "2", "--depth", "20"), 0, ""),
        (("--unit", "topic", "--number", "9"), 2, "all 2 topics"),
    ],
)
def test_a_sample_that_is_none_has_its_exit_code_and_sentence(run, arguments, code, sentence):
    got, said = run("draw_sample", *arguments)
    assert got == code
    assert sentence in str(said)


def test_a_list_is_drawn_from_a_file(run, collection, tmp_path):
    (tmp_path / "list.txt").write_text("q2 d2.1\nq1 d9\n")
    code, told = run("draw_list", tmp_path / "list.txt")
    assert (code, told["size"], collection.pairs_wanted) == (0, 2, 2)
    (tmp_path / "list.txt").write_text("q2 d2.1\nq1 d1.1\n")
    code, sentence = run("draw_list", tmp_path / "list.txt")
    assert (code, "line 2: the reference graded passage 'd1.1'" in sentence) == (2, True)
    assert run("draw_list", tmp_path / "none.txt") == (
        2,
        f"{tmp_path / 'none.txt'} cannot be read: No such file or directory.",
    )


def test_reference_pairs_are_mixed_in_and_taken_out(run):
    assert run("mix_in_reference", "--number", 3) == (0, {"size": 1, "seed": 1, "ended": False})
    assert run("mix_in_reference", "--end")[1]["ended"] is True
    assert run("mix_in_reference", "--end") == (1, draws.NONE_MIXED_IN)
    assert run("mix_in_reference", "--number", 0)[0] == 2


def test_pairs_are_added_withdrawn_restored_and_compared(run, collection, tmp_path):
    file = tmp_path / "pairs.txt"
    file.write_text("q1 d9\n")
    assert run("change_pairs", "add", file) == (0, {"pooled": 1, "there": 0, "settled": 0})
    assert run("find_near_duplicates") == (0, {"near_duplicates": 1})
    assert run("change_pairs", "withdraw", file)[0] == 2
    assert run("change_pairs", "withdraw", file, "--reason", "torn")[1]["changed"] == 1
    assert run("change_pairs", "restore", file)[1]["changed"] == 1
    assert collection.pairs_wanted == 6
