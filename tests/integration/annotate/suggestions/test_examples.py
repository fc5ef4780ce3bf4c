"""Worked examples of a batch: of grades that were written down when it was asked for."""

import pytest

from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.grades import GradesPlan
from tests import factories
from tests.factories import NOW
from tests.integration.annotate.suggestions.conftest import MODEL
from tests.model_service.server import KEY

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql
def test_a_passage_that_was_withdrawn_since_is_no_example_any_more(collection, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 0\n")
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=NOW)
    plan = GradesPlan(service="anthropic", model=MODEL, prompt=prompt, examples=1)
    batch = batches.start(collection=collection, plan=plan, by=None, now=NOW)
    [of_another] = [row for row in batches.find_purpose(batch).planned() if row.pair.passage_id == "d2.1"]
    before = batches.find_purpose(batch).message(of_another)
    collection.pairs.get(passage_id="d1.1").passage_text.delete()
    after = batches.find_purpose(batch).message(of_another)
    assert before != after
    assert len(str(after)) < len(str(before))


def test_relevant_examples_of_the_pairs_own_topic_are_so_many_in_all(collection, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 2\nq1 0 d1.3 0\nq2 0 d2.1 0\n")
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=NOW)
    plan = GradesPlan(service="anthropic", model=MODEL, prompt=prompt, examples=1, examples_from="RELEVANT")
    batch = batches.start(collection=collection, plan=plan, by=None, now=NOW)
    assert batch.rater.name == f"{MODEL} direct-1 query 1 example relevant to the topic"
    purpose = batches.find_purpose(batch)
    shown = {row.pair.passage_id: purpose.message(row).fixed.count("Final grade: ") for row in purpose.planned()}
    assert {shown[passage] for passage in ("d1.1", "d1.2", "d1.4")} == {1}
    assert shown["d2.1"] == shown["d2.2"] == 0  # nothing relevant is judged there
