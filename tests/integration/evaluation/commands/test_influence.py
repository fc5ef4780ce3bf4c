import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return small.three_systems()


def run(collection, *arguments):
    """Exit code and what was answered, or the sentence of the error."""
    stdout = io.StringIO()
    try:
        call_command("influence", "--collection", collection.slug, *arguments, stdout=stdout)
    except CommandError as error:
        return error.returncode, str(error)
    return 0, stdout.getvalue()


@pytest.mark.postgresql
def test_it_tells_the_holes_in_words_and_in_json(collection):
    code, words = run(collection)
    assert code == 0
    assert "2 of 4 holes can move the ranking of 3 systems." in words
    assert "1 q1 h 0.5 0.06529 1: h>r; 3: r>x>h" in " ".join(words.split())
    told = json.loads(run(collection, "--json")[1])
    assert ([hole["passage_id"] for hole in told["top"]], told["is_order"]) == (["h", "x"], False)
    collection.refresh_from_db()
    assert collection.order == "TOPIC"


def test_it_orders_judging_where_it_is_told_to(collection):
    assert "People judge them in this order from now on." in run(collection, "--order")[1]
    collection.refresh_from_db()
    assert collection.order == "INFLUENCE"


def test_refusals_are_sentences_with_exit_codes(collection):
    code, sentence = run(collection, "--weights", "gpt")
    assert code == 1
    assert "some of them grade blind" in sentence
