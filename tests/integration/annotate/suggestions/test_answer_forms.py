"""The answer form of a prompt of one's own decides alone where a grade is read; what is stored can be read again."""

import html
import io
import json
from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.llm.prompts import BadPrompt, Template
from annotate.models import Prompt
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.operations.prompts import Kept
from annotate.suggestions.purposes import rereading
from annotate.suggestions.purposes.purpose import BadPlan, CannotAsk
from annotate.work import engine
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


def read_again(collection, batch, answer_form):
    read = batches.read_again(batch=batch, answer_form=answer_form, by=None, now=factories.NOW)
    engine.see_through(read.work_id)
    read.refresh_from_db()
    return read


def test_stored_answers_are_read_again_as_those_of_another_rater_and_nothing_is_asked(serve, collection, ask):
    server = serve(says=('{"M": 3, "O": 2}', "", "Well.") * 3 + ('{"M": 1, "O": 0}',))
    batch = ask(collection, prompt=keep(collection, "mark: Grade"), concurrency=1, samples=2)
    asked, before = len(server.script.asked), list(batch.suggestions.order_by("pk").values())
    read = read_again(collection, batch, "json: O")
    assert len(server.script.asked) == asked and (read.calls, read.tokens_given) == (0, 0)
    assert list(batch.suggestions.order_by("pk").values()) == before
    assert sorted(Counter(read.suggestions.values_list("state", flat=True)).values()) == [6, 6, 8]
    assert set(read.suggestions.filter(state="DONE").values_list("grade", flat=True)) == {0, 2}
    assert set(read.suggestions.values_list("answer")) == set(batch.suggestions.values_list("answer"))
    assert read.rater.name == f"{batch.rater.name} read as json: O"
    assert read.rater.parameters["read_again"] == batch.rater.name
    assert f"Answers of batch {batch.pk} read again" in read.note
    with pytest.raises(CannotAsk, match="nothing is overwritten"):
        read_again(collection, batch, "json: O")
    with pytest.raises(CannotAsk, match="ask again there"):
        batches.resume(batch=read, by=None, now=factories.NOW)
    assert read_again(collection, read, "json: M").rater.parameters["read_again"] == batch.rater.name


def test_the_reading_goes_on_behind_what_a_killed_worker_has_read(serve, collection, ask, monkeypatch):
    serve()
    batch = ask(collection)
    monkeypatch.setattr(rereading, "READ_AT_ONCE", 3)
    read = batches.read_again(batch=batch, answer_form="last line", by=None, now=factories.NOW)
    steps = batches.find_purpose(read).answer()
    assert next(steps).done == 3
    steps.close()
    engine.see_through(read.work_id)
    assert read.suggestions.filter(state="DONE").count() == 10
    grades = [dict(one.suggestions.values_list("pair", "grade")) for one in (batch, read)]
    assert grades[0] == grades[1]


def test_what_has_no_raw_answers_cannot_be_read_again(serve, collection, ask):
    serve()
    batch = ask(collection)
    batch.suggestions.filter(pk=batch.suggestions.first().pk).update(answer="")
    with pytest.raises(CannotAsk, match="the raw text of 1 answers is not stored"):
        read_again(collection, batch, "last line")
    batch.suggestions.update(state="FAILED", grade=None, answer="")
    with pytest.raises(CannotAsk, match="has no answer"):
        read_again(collection, batch, "last line")
    batch.prompt = None
    with pytest.raises(CannotAsk, match="gave in words"):
        read_again(collection, batch, "last line")
    with pytest.raises(CannotAsk, match="no answer form"):
        read_again(collection, batch, "anywhere")


def test_page_and_command_read_again(serve, collection, ask, run):
    serve(says=("Sure.\n2",) * 10)
    batch = ask(collection)
    assert set(batch.suggestions.values_list("state", flat=True)) == {"UNPARSED"}
    researcher = visitors.researcher(collection)
    where, form = reverse("read_again", args=[collection.slug, batch.pk]), {"answer_kind": "last line"}
    page = researcher.post(where, form, follow=True)
    assert "Nothing is asked" in visitors.words(page) and "Answer form: last line" in visitors.words(page)
    page = researcher.post(where, {"answer_kind": "json"}, follow=True)
    assert "name the field that holds the grade" in visitors.words(page)
    code, told = run("suggest", "--read-again", batch.pk, "--answer-form", "mark: Sure", "--wait")
    assert (code, told["states"], told["calls"]) == (0, {"UNPARSED": 10}, 0)
    assert run("suggest", "--read-again", 999, "--answer-form", "number")[0] == 2
    assert run("suggest", "--read-again", batch.pk)[1].startswith('"" is no answer form')


def test_sampling_parameters_are_sent_recorded_and_part_of_the_rater(serve, collection, ask, run):
    server = serve()
    plain = ask(collection, "openai", "umbrela", model="gpt-4o")
    sampled = ask(collection, "openai", "umbrela", model="gpt-4o", temperature=0.0, sampling={"top_p": 1, "seed": 7})
    asked = server.script.asked[-1]
    assert (asked["temperature"], asked["top_p"], asked["seed"]) == (0.0, 1, 7)
    assert sampled.rater.parameters["sampling"] == {"top_p": 1, "seed": 7}
    assert (plain.rater.name, sampled.rater.name) == (
        "gpt-4o umbrela-1 query",
        "gpt-4o umbrela-1 query temperature=0 top_p=1 seed=7",
    )
    page = visitors.researcher(collection).get(reverse("batch", args=[collection.slug, sampled.pk]))
    assert "temperature=0, top_p=1, seed=7" in visitors.words(page)
    of = ("suggest", "--judge", "openai", "--model", "gpt-4o", "--dry-run", "--parameter")
    assert run(*of, "top_q=1")[1].startswith("top_q is no sampling parameter that can be sent; there are top_p")
    assert run(*of, "top_p=high")[1] == '"top_p=high" is no parameter with its number; write top_p=0.9, for instance.'
    assert run(*of, "top_p=1", "--parameter", "top_p=1") == (2, "top_p is there twice.")
    assert run(*of, "top_p=nan") == (2, "top_p is a number.")
    current = ask(collection, prompt="umbrela", model="claude-sonnet-5-5", sampling={"top_p": 0.5})
    assert "top_p" not in server.script.asked[-1]
    adapted = visitors.words(visitors.researcher(collection).get(reverse("batch", args=[collection.slug, current.pk])))
    assert "top_p not supported: the model's own" in adapted


def test_the_page_of_prompts_says_source_settings_and_answer_form_and_opens_the_form_with_them(collection):
    researcher = visitors.researcher(collection)
    page = researcher.get(reverse("write_prompt", args=[collection.slug])).content.decode()
    assert "arXiv:2406.06519" in page and "answer form: mark: final score" in page
    [link] = [part.split('"')[0] for part in page.split('href="') if "built-in:umbrela" in part]
    form = researcher.get(html.unescape(link)).context["form"]
    assert form["prompt"].value() == "built-in:umbrela" and form["temperature"].value() == "0"
    assert form["sampling"].value() == "top_p=1 frequency_penalty=0.5 presence_penalty=0"
