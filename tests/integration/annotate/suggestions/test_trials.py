"""One pair asked now, on the page and by command: all is shown, nothing is stored."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.models import Batch, Prompt, Suggestion
from tests import visitors

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = {
    "name": "ours", "answer_kind": "mark", "answer_names": "Label", "fixed": "Be strict.", "text": "{query}: {passage}",
    "try": "1", "service": "anthropic", "model": "claude-haiku-4-5", "against": "QUERY",
}  # fmt: skip


@pytest.fixture
def tried(collection):
    """`tried(**changes)`: the page, after the form was sent with them."""
    researcher = visitors.researcher(collection)
    return lambda **changes: researcher.post(reverse("write_prompt", args=[collection.slug]), {**PAGE, **changes})


@pytest.fixture
def run(collection):
    def command(*arguments):
        stdout = io.StringIO()
        try:
            call_command("suggest", "--collection", collection.slug, "--json", "--try", *arguments, stdout=stdout)
        except CommandError as error:
            return error.returncode, str(error)
        return 0, json.loads(stdout.getvalue())

    return command


def is_nothing_stored():
    return not (Suggestion.objects.exists() or Batch.objects.exists() or Prompt.objects.filter(is_own=True).exists())


def test_the_page_shows_request_answer_grade_tokens_and_cost(serve, tried):
    server = serve(says=("It fits.\nLabel: 2",))
    page = visitors.words(tried())
    for words in ("Grade 2", "Be strict.", "what is q1:", "Label: 2", "tokens read", "$0.0", "Nothing was kept"):
        assert words in page
    assert len(server.script.asked) == 1 and is_nothing_stored()


def test_an_answer_without_a_grade_and_a_fault_are_shown_as_they_are(serve, tried):
    serve(says=("Well, three.",))
    assert "No grade: unparsed" in visitors.words(tried())
    serve(rejects="Your organization has disabled this feature.")
    page = visitors.words(tried())
    assert "No answer" in page and "disabled this feature" in page and is_nothing_stored()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"query_id": "q1"}, "Name the topic and the passage"),
        ({"query_id": "q1", "passage_id": "none"}, "are no pair"),
        ({"against": "BACKSTORY"}, "Topic q1 has no backstory"),
        ({"model": ""}, "This field is required."),
        ({"text": "{query}"}, "The text of the pair needs {passage}"),
    ],
)
def test_what_cannot_be_asked_has_its_sentence(serve, tried, changes, words):
    server = serve()
    page = tried(**changes)
    assert page.status_code == 422 and words in visitors.words(page)
    assert not server.script.asked


def test_a_chosen_pair_is_asked(serve, tried):
    serve(says=("Label: 1",))
    assert "Topic q2, passage d2.3" in visitors.words(tried(query_id="q2", passage_id="d2.3"))


@pytest.mark.parametrize(
    ("service", "model", "answer_form", "adapted"),
    [
        ("anthropic", "claude-fable-5-2", "last line", "effort low"),
        ("openai", "local-think", "number", "room for 4,096 tokens of thinking"),
    ],
)
def test_the_command_tells_the_same_and_a_cut_answer_is_asked_again(
    serve, run, tmp_path, service, model, answer_form, adapted
):
    server = serve(says=("3",))
    (tmp_path / "text").write_text("{query}: {passage}")
    prompt = ("--file", str(tmp_path / "text"), "--answer-form", answer_form, "--unfenced")
    code, told = run("--judge", service, "--model", model, "--topic", "q1", "--passage", "d1.2", *prompt)
    assert (code, told["grade"], told["passage"], told["state"]) == (0, 3, "d1.2", "DONE")
    assert told["tokens"]["given"] == server.script.tokens["given"] > 0
    assert adapted in told["adapted"] and is_nothing_stored()


def test_the_command_ends_with_the_services_words(serve, run):
    serve(rejects="Not today.")
    assert run("--judge", "anthropic", "--model", "claude-haiku-4-5") == (1, "Not today.")
    assert run("--judge", "anthropic", "--model", "claude-haiku-4-5", "--topic", "q1")[0] == 2
