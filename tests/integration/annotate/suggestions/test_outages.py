"""A service that is away: the batch waits, says so, and nothing fails for it."""

import time
from collections import Counter

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.grades import batches
from annotate.models import Batch, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.operations import outages, prompts
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.work import engine
from tests import factories, visitors
from tests.model_service.script import KEY

pytestmark = pytest.mark.django_db(transaction=True)
FIRST_SECONDS, LONGEST_SECONDS = outages.FIRST_SECONDS, outages.LONGEST_SECONDS  # as they are outside of tests
TRIES_OF_AN_HOUR = 11  # whose pauses are 0.05 to 0.4 s here


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


def queue(collection, **plan):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    said = {"service": "anthropic", "model": "claude-haiku-4-5", "prompt": prompt, **plan}
    return batch_life.start(collection=collection, plan=GradesPlan(**said), by=None, now=factories.NOW)


@pytest.mark.parametrize("status", ["529", "500", "429", "503", "502"])
@pytest.mark.parametrize("is_batched", [False, True])
def test_nothing_fails_because_the_service_is_away_for_an_hour(serve, collection, ask, status, is_batched):
    server, seen = serve(away=status), []

    def watch(row):
        batch = Batch.objects.get(work=row)
        seen.append((batch.away_since is not None, frozenset(states(batch))))
        if batch.away_tries == TRIES_OF_AN_HOUR:
            server.script.away = ""

    batch = ask(collection, on_step=watch, is_batched=is_batched)
    assert (batch.work.state, states(batch)) == (Work.State.DONE, {"DONE": 10})
    assert (batch.away_since, batch.away_tries) == (None, 0)
    waiting = {state for is_away, found in seen for state in found if is_away}
    assert waiting and waiting <= {"QUEUED", "SUBMITTED"}
    assert server.script.turned_away < 120  # it was asked now and then, not all the time


def test_so_many_tries_take_an_hour():
    pauses = [min(LONGEST_SECONDS, FIRST_SECONDS * 2**tries) for tries in range(TRIES_OF_AN_HOUR)]
    assert sum(pauses) > 3600


def test_page_and_record_say_since_when_and_until_when(serve, collection, monkeypatch):
    serve(away="529")
    monkeypatch.setattr(outages, "FIRST_SECONDS", 3600.0)
    monkeypatch.setattr(outages, "LONGEST_SECONDS", 3600.0)
    batch = queue(collection)
    engine.run_waiting()
    batch.refresh_from_db()
    work = batch.work
    assert (work.state, states(batch)) == (Work.State.QUEUED, {"QUEUED": 10})
    assert work.attempts == 0 and (work.not_before - timezone.now()).total_seconds() > 3500
    told = batches.batch_record(batch, factories.NOW)
    assert told["away"]["cause"] == "overloaded" and told["away"]["next_try"] == work.not_before.isoformat()
    assert told["messages"]["overloaded"]["message"] == "Overloaded, says [key]"
    page = visitors.researcher(collection).get(reverse("batch", args=[collection.slug, batch.pk]))
    words = visitors.words(page)
    assert "anthropic has answered nothing since" in words and "asked again at" in words
    assert "Overloaded, says [key]" in words and KEY not in page.content.decode()


def test_one_call_tells_whether_the_service_is_back(serve, collection):
    server = serve(away="529")
    batch = queue(collection, concurrency=8)
    engine.run(engine.claim())
    turned_away = server.script.turned_away
    Work.objects.update(not_before=None)
    engine.run(engine.claim())
    assert server.script.turned_away - turned_away == 4  # of one call, its quick attempts
    batch.refresh_from_db()
    assert batch.away_tries == 2


def test_after_a_day_it_stops_and_says_so_with_all_rows_waiting(serve, collection, monkeypatch):
    serve(away="529")
    monkeypatch.setattr(outages, "LONGEST_AWAY", outages.LONGEST_AWAY * 0)
    batch = queue(collection)
    engine.run_waiting()
    batch.refresh_from_db()
    assert batch.work.state == Work.State.FAILED
    assert "has answered nothing since" in batch.work.error and "Resume the batch" in batch.work.error
    assert states(batch) == {"QUEUED": 10}


def test_a_row_that_can_never_be_answered_keeps_no_other_waiting(serve, ask):
    collection = factories.make_holes(factories.make_collection(), topics=4, passages=10)
    server = serve(share=0.2, faults=("500",), times=10**6)
    batch = queue(collection, concurrency=1)
    deadline = time.monotonic() + 60
    while states(batch)["DONE"] < 25 and time.monotonic() < deadline:
        engine.run_waiting()
        Work.objects.filter(pk=batch.work_id).update(not_before=None)
    assert states(batch)["DONE"] >= 25
    assert server.script.calls == states(batch)["DONE"]
