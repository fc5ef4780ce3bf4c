"""The answer form of a prompt of one's own decides alone where a grade is read; what is stored can be read again."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.llm.prompts import BadPrompt, Template
from annotate.models import Prompt
from annotate.suggestions.operations import prompts
from annotate.suggestions.operations.prompts import Kept
from annotate.suggestions.purposes.purpose import BadPlan
from tests import factories, visitors

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = Template("", "Grade {passage} for {query}.")
ANSWERS = {
    "number": "2",
    "last line": "It answers in part.\n\n2",
    "mark: Relevance Category": "It fits. Relevance Category: 2",
    "json: result.O": '{"result": {"M": 3, "O": 2}}',
    "structured": '{"reason": "It fits.", "grade": 2}',
}


def keep(collection, answer_form, template=TEXT, **more):
    kept = Kept.grading(template, answer_form, **more)
    return prompts.write_prompt(collection=collection, name="ours", kept=kept, by=None, now=factories.NOW)


@pytest.fixture
def run(collection):
    """`run(name, *arguments)`: exit code, and what was answered or the sentence of the error."""

    def command(name, *arguments):
        stdout = io.StringIO()
        try:
            call_command(name, "--collection", collection.slug, "--json", *map(str, arguments), stdout=stdout)
        except CommandError as error:
            return error.returncode, str(error)
        return 0, json.loads(stdout.getvalue())

    return command


@pytest.mark.parametrize(
    ("answer_form", "said"), [*((form, form) for form in ANSWERS), ("last line", "json: result.O")]
)
def test_a_grade_is_read_in_the_form_of_the_prompt_and_in_no_other(serve, collection, ask, answer_form, said):
    serve(says=(ANSWERS[said],) * 10)
    batch = ask(collection, prompt=keep(collection, answer_form))
    states = set(batch.suggestions.values_list("state", "grade"))
    assert states == ({("DONE", 2)} if said == answer_form else {("UNPARSED", None)})
    assert batch.rater.parameters.get("answer_form") == (None if answer_form == "number" else answer_form)


def test_another_answer_form_is_another_version_and_another_rater(serve, collection, ask):
    serve(says=("2",) * 20)
    first, second = keep(collection, "json: O"), keep(collection, "last line")
    assert [first.version, second.version, keep(collection, "json: O").version] == [1, 2, 1]
    assert ask(collection, prompt=first).rater != ask(collection, prompt=second).rater


def test_a_schema_is_not_put_over_a_prompt_that_asks_for_its_own_form(serve, collection, ask):
    serve()
    with pytest.raises(BadPlan, match="its own answer form"):
        ask(collection, prompt=keep(collection, "json: O"), is_structured=True)
    adapting = keep(collection, "mark: Grade", Template("{answer}", "{passage} {query}"))
    assert set(ask(collection, prompt=adapting, is_structured=True).suggestions.values_list("state")) == {("DONE",)}


def test_the_page_asks_for_the_form_and_shows_it(serve, collection, ask):
    serve(says=("##final score: 2",) * 10)
    page = {"name": "ours", "answer_kind": "mark", "answer_names": "##final score:", "fixed": "", "text": TEXT.text}
    researcher, where = visitors.researcher(collection), reverse("write_prompt", args=[collection.slug])
    refused = researcher.post(where, {**page, "answer_names": ""})
    assert refused.status_code == 422 and "name the words before the grade" in visitors.words(refused)
    refused = researcher.post(where, {**page, "example": "{passage}"})
    assert refused.status_code == 422 and "worked example needs {grade}" in visitors.words(refused)
    researcher.post(where, page)
    kept = Prompt.objects.get(name="ours")
    assert (kept.answer_form, kept.form) == ("mark: ##final score", "RATIONALE")
    batch = ask(collection, prompt=kept)
    assert set(batch.suggestions.values_list("grade", flat=True)) == {2}
    shown = researcher.get(reverse("batch", args=[collection.slug, batch.pk]))
    assert "Answer form: mark: ##final score" in visitors.words(shown)
    begun = researcher.get(where, {"from": kept.pk}).context["form"].initial
    assert (begun["answer_kind"], begun["answer_names"]) == ("mark", "##final score")
    assert "answer form: mark: ##final score" in visitors.words(researcher.get(where))


def test_the_command_keeps_and_lists_prompts(run, tmp_path):
    (tmp_path / "text").write_text(TEXT.text)
    (tmp_path / "bad").write_bytes(b"\xff")
    of = ("prompt", "--name", "ours", "--file", tmp_path / "text")
    code, told = run(*of, "--answer-form", "json: result.O", "--unfenced")
    assert (code, told["version"], told["answer_form"], told["is_fenced"]) == (0, 1, "json: result.O", False)
    assert run("prompt")[1]["own"] == [told]
    assert run(*of) == (2, 'A prompt that grades needs --answer-form, for instance --answer-form "mark: Final grade".')
    assert "is no answer form" in run(*of, "--answer-form", "somewhere")[1]
    assert "for prompts that grade" in run(*of, "--purpose", "variants", "--answer-form", "number")[1]
    assert "not UTF-8" in run(*of[:-1], tmp_path / "bad", "--answer-form", "number")[1]
    assert "cannot be read" in run(*of[:-1], tmp_path / "none", "--answer-form", "number")[1]
    assert run("prompt", "--name", "x") == (2, "--file names the text of the prompt.")
    assert "{rank} is not a placeholder" in str(pytest.raises(BadPrompt, keep_ranked).value)


def keep_ranked():
    Kept.grading(Template("", "{passage} {query} {rank}"), "number").check()
