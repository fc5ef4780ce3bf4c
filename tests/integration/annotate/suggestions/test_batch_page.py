"""The page of a batch: figures while it goes on, why answers are missing, grades, and the way to agreement."""

import html
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Work
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes import grades
from annotate.suggestions.purposes.grades import GradesPlan
from tests import factories, visitors

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def address(batch):
    return reverse("batch", args=[batch.collection.slug, batch.pk])


def queue(collection):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    plan = GradesPlan(service="anthropic", model="claude-haiku-4-5", prompt=prompt)
    return batches.start(collection=collection, plan=plan, by=None, now=factories.NOW)


def test_it_shows_grades_and_why_answers_are_missing(serve, collection, ask, visitor):
    serve(share=0.5, faults=("filter",))
    batch = ask(collection)
    words = visitors.words(visitor.get(address(batch)))
    assert "Why there is no answer content filter" in words
    assert all(f"grade {grade} " in words for grade in range(4))


def test_it_says_where_examples_tell_the_model_how_an_assessor_grades(serve, collection, ask, visitor):
    serve()
    told = {
        source: "from the pair's own topic" in visitors.words(visitor.get(address(ask(collection, **said))))
        for source, said in {
            "topic": {"examples": 1, "examples_from": "TOPIC"},
            "any": {"examples": 1},
            "none": {"examples_from": "TOPIC"},
        }.items()
    }
    assert told == {"topic": True, "any": False, "none": False}


def test_a_batch_under_way_can_be_paused_and_its_figures_ask_for_themselves(serve, collection, visitor):
    serve()
    batch = queue(collection)
    page = visitor.get(address(batch)).content.decode()
    assert ">Pause</button>" in page
    assert 'hx-trigger="every 2s"' in page
    figures = visitor.get(address(batch), headers={"HX-Request": "true"})
    assert figures.content.decode().count("<h1") == 0 and 'id="batch-figures"' in figures.content.decode()
    assert "HX-Request" in figures.headers["Vary"]
    visitor.post(reverse("stop_work", args=[collection.slug, batch.work_id]))
    assert Work.objects.get(pk=batch.work_id).state == Work.State.STOPPED
    assert 'hx-trigger="every 2s"' not in visitor.get(address(batch)).content.decode()


def test_two_prompts_are_one_click_from_their_kappa_and_alpha(serve, collection, ask, visitor):
    serve()
    first = ask(collection)
    second = ask(collection, prompt="rationale")
    page = visitor.get(address(second)).content.decode()
    links = [html.unescape(found) for found in re.findall(r'href="([^"]*/agreement/[^"]*)"', page)]
    [beside] = [link for link in links if "first=claude" in link]
    words = visitors.words(visitor.get(beside))
    assert first.rater.name in words and second.rater.name in words
    assert "alpha" in words and "kappa" in words
    [together] = [link for link in links if "several" in link]
    assert visitor.get(together).status_code == 200


def test_with_whom_a_large_batch_is_compared_is_counted_where_somebody_asks(
    serve, collection, ask, visitor, monkeypatch
):
    serve()
    first, second = ask(collection), ask(collection, prompt="rationale")
    monkeypatch.setattr(grades, "MOST_COMPARED_AT_ONCE", 9)
    page = visitor.get(address(second))
    assert first.rater.name not in visitors.words(page)
    [asked] = re.findall(r'href="([^"]*)">Compare with other models', page.content.decode())
    assert f"with {first.rater.name} 10 pairs in common" in visitors.words(visitor.get(asked))
    batches.resume(batch=second, by=None, now=factories.NOW)
    assert "Other models are compared here once the batch is over." in visitors.words(visitor.get(address(second)))


@pytest.mark.skipif("postgres" in settings.DATABASES["default"]["ENGINE"], reason="SQLite's words for it")
def test_what_the_page_counts_is_read_from_an_index_alone(serve, collection, ask, visitor, monkeypatch):
    """So that a poll of a batch with 200,000 pairs reads none of their texts."""
    serve()
    batch = ask(collection)
    monkeypatch.setattr(grades, "MOST_COMPARED_AT_ONCE", 9)
    with CaptureQueriesContext(connection) as sent:
        visitor.get(address(batch), headers={"HX-Request": "true"})
    statements = [one["sql"] for one in sent.captured_queries if "annotate_suggestion" in one["sql"]]
    assert len(statements) == 2
    for statement in statements:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            plan = " ".join(row[3] for row in cursor.fetchall())
        assert "COVERING INDEX suggestion_counts" in plan


def test_judged_pairs_are_chosen_for_who_comes_to_compare_prompts(collection, visitor):
    where = reverse("ask_model", args=[collection.slug])
    assert "scope=JUDGED" in visitor.get(where).content.decode()
    page = visitor.get(f"{where}?scope=JUDGED&limit=200").content.decode()
    assert '<option value="JUDGED" selected>' in page
    assert 'value="200"' in page
