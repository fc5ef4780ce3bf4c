"""Adjudicating from a shell: what waits, and a decision, with exit codes."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.collections.operations import people
from annotate.models import Adjudication, Judgment, Pair
from annotate.rules import permissions
from tests import factories

NAMED = ("--query-id", "q1", "--passage-id")


@pytest.fixture
def collection(db):
    """Two pairs to settle, with spread 1 and 3."""
    made, _ = factories.make_judged([1, 0], [2, 3], slug="c1")
    factories.make_adjudicator(made, "ada")
    return made


@pytest.fixture
def pair(collection) -> Pair:
    return Pair.objects.get(spread=3)


def run(*arguments: str) -> tuple[int, str]:
    """Exit code, and what is said."""
    stdout = io.StringIO()
    try:
        call_command("adjudicate", "--collection", "c1", "--by", "ada", *arguments, stdout=stdout)
    except CommandError as error:
        return error.returncode, str(error)
    return 0, stdout.getvalue()


@pytest.mark.postgresql
def test_what_waits_is_listed_by_spread(collection, pair):
    code, text = run()
    assert code == 0
    assert text.splitlines()[0] == "2 pairs wait, the widest spread of grades first:"
    assert text.splitlines()[1] == f"q1\t{pair.passage_id}\tspread 3"
    _, told = run("--json")
    assert [row["spread"] for row in json.loads(told)["waiting"]] == [3, 1]


@pytest.mark.postgresql
def test_nothing_of_a_kind_is_nothing_to_do(collection):
    assert run("--show", "flagged") == (1, "No pair waits for a decision.")


@pytest.mark.postgresql
def test_a_pair_is_decided(collection, pair):
    code, text = run(*NAMED, pair.passage_id, "--grade", "2", "--reason", "in between")

    assert (code, text.strip()) == (0, "Decided: grade 2 (version 1, 2 judgments).")
    assert (Adjudication.objects.get().reason, Adjudication.objects.get().adjudicator.user.username) == (
        "in between",
        "ada",
    )
    _, told = run(*NAMED, pair.passage_id, "--nobody", "--reason", "cut off", "--json")
    assert json.loads(told) == {"grade": None, "version": 2, "judgments": 2}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (["--reason", "so"], "Say --grade or --nobody."),
        (["--grade", "1"], "Say --reason: a decision has one."),
        (["--grade", "7", "--reason", "so"], "7 is not a grade of this collection, whose scale is 0-3"),
    ],
)
def test_half_a_decision_is_wrong_use(collection, pair, said, sentence):
    assert run(*NAMED, pair.passage_id, *said) == (2, sentence)
    assert not Adjudication.objects.exists()


def test_a_pair_or_a_person_that_is_not_there_is_named(collection):
    assert run(*NAMED, "d9", "--grade", "1") == (2, "There is no pair of topic q1 and passage d9 in c1.")
    assert run("--by", "eve") == (2, "eve is no adjudicator or researcher of c1.")


def test_what_the_person_may_not_decide_is_refused_with_the_reason(collection, pair):
    judge = Judgment.objects.filter(pair=pair).first().assessor
    people.add_member(collection=collection, user=judge.user, role="ADJUDICATOR", now=factories.NOW)
    said = ("--by", judge.user.username, *NAMED, pair.passage_id, "--grade", "1", "--reason", "so")

    assert run(*said) == (1, permissions.JUDGED_YOURSELF)
