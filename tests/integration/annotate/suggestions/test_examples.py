"""Worked examples of a batch: of grades that were written down when it was asked for."""

import pytest

from annotate.llm.grade_requests import Against
from annotate.suggestions.operations import asking, prompts
from annotate.suggestions.operations.asking import GradesPlan
from annotate.suggestions.queries import asked_pairs
from annotate.suggestions.queries.asked_pairs import Texts
from tests import factories
from tests.factories import NOW
from tests.integration.annotate.suggestions.conftest import MODEL
from tests.model_service.server import KEY

pytestmark = pytest.mark.django_db


def test_a_passage_that_was_withdrawn_since_is_no_example_any_more(collection, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 0\n")
    prompt = prompts.use_built_in(collection=collection, name="direct", now=NOW)
    wish = GradesPlan(service="anthropic", model=MODEL, prompt=prompt, examples=1)
    batch = asking.request(collection=collection, wish=wish, by=None, now=NOW)
    [of_another] = asked_pairs.imagined([collection.pairs.get(passage_id="d2.1").pk], Against.QUERY)
    before = Texts.of_batch(batch).request(of_another)
    collection.pairs.get(passage_id="d1.1").passage_text.delete()
    after = Texts.of_batch(batch).request(of_another)
    assert before != after
    assert len(str(after)) < len(str(before))
