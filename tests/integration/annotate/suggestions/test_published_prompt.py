"""A published prompt, pasted word for word as docs/models.md tells."""

import pytest
from django.urls import reverse

from annotate.models import Prompt
from annotate.suggestions.operations import batches as batch_life
from tests import visitors
from tests.model_service.script import MARKED

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = """Grade the passage from 0 to 3, and think of {"M": match, "T": trust}.

Query: {query}
Passage: {passage}

Write ##final score: and the number."""
FORM = {"answer_kind": "mark", "answer_names": "##final score"}


def test_it_is_sent_as_it_stands_and_its_answers_are_read(serve, collection, ask):
    serve(share=1.0, faults=(MARKED,))
    page = {"name": "published", "fixed": "", "text": WORDS.replace("\n", "\r\n"), **FORM}
    visitors.researcher(collection).post(reverse("write_prompt", args=[collection.slug]), page)
    prompt = Prompt.objects.get(name="published")
    batch = ask(collection, prompt=prompt)
    assert set(batch.suggestions.values_list("state", "grade")) == {("DONE", 2)}
    row = batch.suggestions.select_related("pair__topic", "pair__passage_text").first()
    request = batch_life.find_purpose(batch).message(row)
    filled = WORDS.replace("{query}", row.pair.topic.text).replace("{passage}", row.pair.passage_text.text)
    assert (request.fixed, request.text) == ("", filled)
