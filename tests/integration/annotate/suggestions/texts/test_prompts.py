"""The page of prompts: one's own for grades, backstories and query variants."""

import pytest
from django.urls import reverse

from annotate.models import Batch, Prompt
from tests import factories, visitors
from tests.integration.annotate.suggestions.conftest import MODEL

pytestmark = pytest.mark.django_db
BACKSTORY = {"name": "mine", "fixed": "One paragraph.", "text": "Tell why {query} is asked.", "is_fenced": "on"}
VARIANTS = {"name": "other", "fixed": "", "text": "As {profile}: {query}, {number}. {backstory}"}
JUDGING = {"name": "strict", "answer_kind": "number", "fixed": "", "text": "{need} {passage}", "is_fenced": "on"}


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("here"), topics=2, passages=2)


@pytest.fixture
def researcher(collection):
    return visitors.researcher(collection)


def at(purpose: str) -> str:
    return f"{reverse('write_prompt', args=['here'])}?purpose={purpose}"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("purpose", "said", "form", "page"),
    [
        ("BACKSTORY", BACKSTORY, "", "write_backstories"),
        ("VARIANTS", VARIANTS, "", "write_variants"),
        ("JUDGING", JUDGING, "DIRECT", "ask_model"),
    ],
)
def test_a_kept_prompt_leads_to_where_it_is_asked_with_and_is_chosen_there(researcher, purpose, said, form, page):
    answer = researcher.post(at(purpose), said, follow=True)
    kept = Prompt.objects.get(is_own=True)
    assert (kept.purpose, kept.form, kept.is_fenced) == (purpose, form, "is_fenced" in said)
    assert answer.redirect_chain[-1][0].startswith(reverse(page, args=["here"]))
    assert f'<option value="{kept.pk}" selected>' in answer.content.decode()


@pytest.mark.parametrize(
    ("purpose", "said", "read"),
    [
        ("BACKSTORY", {**BACKSTORY, "is_fenced": ""}, "One paragraph. Tell why what is q1 is asked."),
        ("VARIANTS", VARIANTS, "As Children of primary school age.: what is q1, 3 wordings."),
    ],
)
def test_the_preview_shows_what_would_be_sent_and_keeps_nothing(researcher, purpose, said, read):
    page = researcher.post(at(purpose), {**said, "preview": "1"})
    assert read in visitors.words(page)
    assert not Prompt.objects.exists() and not Batch.objects.exists()


@pytest.mark.postgresql
@pytest.mark.parametrize("purpose", ["BACKSTORY", "VARIANTS", "JUDGING"])
def test_without_a_topic_the_preview_says_that_the_words_are_in_order(purpose):
    empty = factories.make_collection("empty")
    said = {"BACKSTORY": BACKSTORY, "VARIANTS": VARIANTS, "JUDGING": JUDGING}[purpose]
    where = f"{reverse('write_prompt', args=['empty'])}?purpose={purpose}"
    page = visitors.researcher(empty).post(where, {**said, "preview": "1"})
    assert page.status_code == 200 and "The words are in order." in visitors.words(page)


@pytest.mark.parametrize(
    ("purpose", "change", "word"),
    [
        ("BACKSTORY", {"text": "Tell of {passage}"}, "{passage} is not a placeholder"),
        ("BACKSTORY", {"text": "Tell."}, "The text of the topic needs {query}"),
        ("BACKSTORY", {"name": "variants"}, "one of Lacuna's own prompts"),
        ("VARIANTS", {"name": "mine", "text": "{query} {profile}"}, "mine is a prompt that writes a backstory"),
    ],
)
def test_what_cannot_be_is_refused_and_stays_in_the_form(researcher, purpose, change, word):
    researcher.post(at("BACKSTORY"), BACKSTORY)
    page = researcher.post(at(purpose), {**BACKSTORY, **change})
    assert page.status_code == 422 and word in visitors.words(page)
    assert page.context["form"]["text"].value() == {**BACKSTORY, **change}["text"]
    assert Prompt.objects.count() == 1


@pytest.mark.parametrize("purpose", ["BACKSTORY", "VARIANTS", "JUDGING"])
def test_it_begins_with_lacunas_words_or_an_earlier_prompt_of_the_purpose(collection, researcher, purpose):
    assert "never an instruction" in " ".join(researcher.get(at(purpose)).context["form"].initial["fixed"].split())
    researcher.post(at("BACKSTORY"), BACKSTORY)
    begun = researcher.get(f"{at(purpose)}&from={Prompt.objects.get().pk}").context["form"].initial
    assert (begun.get("name") == "mine") == (purpose == "BACKSTORY")


def test_there_is_no_page_for_another_purpose(researcher):
    assert researcher.get(at("POETRY")).status_code == 404


@pytest.mark.postgresql
def test_the_batch_is_asked_with_the_prompt_that_was_chosen(serve, researcher):  # noqa: F811
    serve()
    researcher.post(at("BACKSTORY"), BACKSTORY)
    said = {
        "service": "anthropic", "model": MODEL, "rounds": 2, "concurrency": 4, "per_minute": 0,
        "scope": "MISSING", "bound": "0.4", "prompt": Prompt.objects.get().pk, "start": "1",
    }  # fmt: skip
    page = researcher.post(reverse("write_backstories", args=["here"]), said, follow=True)
    assert "mine, version 1" in visitors.words(page)
    assert Batch.objects.get().prompt == Prompt.objects.get()
    assert "mine, version 1" in visitors.words(researcher.get(reverse("backstories", args=["here"])))


@pytest.mark.parametrize("choice", ["²", "9" * 5000, "1e3", "-1", ""])
def test_what_names_no_prompt_begins_with_lacunas_words(researcher, choice):
    assert "fixed" in researcher.get(at("JUDGING"), {"from": choice}).context["form"].initial
