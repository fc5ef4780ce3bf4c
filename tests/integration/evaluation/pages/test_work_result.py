"""What was computed in the background leads back to the page that asked for it."""

import re
from html import unescape

import pytest

from annotate.models import Work
from annotate.work import engine
from tests import visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("asked", "result"),
    [
        ("leaderboard/?rule=reference&other=model:gpt&measure=P@1&models=chances", "Does the ranking change?"),
        ("agreement/?first=nist&second=gpt", "Agreement"),
        ("leaderboard/figure-means.svg?other=", "<svg"),
    ],
)
def test_finished_work_leads_to_the_page_that_asked_for_it(asked, result):
    collection = small.with_qrels("q1 d1 1, q2 d1 0", "q1 d1 0, q2 d1 1")
    small.add_run(collection, "d1")
    visitor = visitors.researcher(collection)
    visitor.get(f"/c/{collection.slug}/{asked}")
    engine.run_waiting()
    done = Work.objects.latest("pk")
    progress = visitor.get(f"/c/{collection.slug}/work/{done.pk}/").content.decode()
    link = unescape(re.search(r'href="([^"]*)">Show the result', progress)[1])
    assert link.startswith(f"/c/{collection.slug}/{asked.partition('?')[0]}")
    answer = visitor.get(link)
    assert answer.status_code == 200
    assert result in answer.content.decode()
    assert Work.objects.latest("pk") == done, "the same question, already answered"
