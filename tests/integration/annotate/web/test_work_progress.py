from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import Work, Worker
from annotate.pool.operations import pooling
from tests import factories, visitors

HTMX = {"HX-Request": "true"}


@pytest.fixture
def queued(db):
    return pooling.request_pool(
        collection=factories.make_collection(), depth=3, by=None, now=timezone.now() - timedelta(minutes=1)
    )


@pytest.fixture
def visitor(queued):
    return visitors.researcher(queued.collection)


def where(queued, name="work_progress"):
    return reverse(name, args=[queued.collection.slug, queued.pk])


def run(queued, **fields):
    """As a worker would have it that has been at it for ten seconds."""
    now = timezone.now()
    Work.objects.filter(pk=queued.pk).update(
        **{
            "state": "RUNNING",
            "token": "00000000-0000-4000-8000-000000000000",
            "lease_until": now + timedelta(seconds=30),
            "started_at": now - timedelta(seconds=10),
            "done": 100,
            "total": 700,
            **fields,
        }
    )


def test_running_work_shows_how_far_it_is_how_fast_and_how_long_still(visitor, queued):
    run(queued)
    page = visitors.words(visitor.get(where(queued)))

    assert "pool to depth 3: running" in page
    assert "100 / 700 · 10 a second · about 1 min left" in page


def test_the_fragment_asks_again_until_the_work_is_over(visitor, queued):
    run(queued)
    live = visitor.get(where(queued), headers=HTMX)
    Work.objects.filter(pk=queued.pk).update(state="DONE", token=None, lease_until=None, done=700)
    over = visitor.get(where(queued), headers=HTMX)

    assert 'hx-trigger="every 1s"' in live.content.decode()
    assert "<html" not in live.content.decode()
    assert "HX-Request" in live.headers["Vary"]
    assert "hx-trigger" not in over.content.decode()


@pytest.mark.parametrize(
    ("kind", "page"),
    [("pool", "pool"), ("suggest", "suggestions"), ("import", "imports"), ("withdraw", "imports"), ("x", "collection")],
)
def test_when_it_is_over_the_fragment_leads_to_the_page_of_its_result(visitor, queued, kind, page):
    Work.objects.filter(pk=queued.pk).update(state="DONE", kind=kind)
    over = visitor.get(where(queued), headers=HTMX).content.decode()

    assert f'href="{reverse(page, args=[queued.collection.slug])}">Show the result' in over


def test_the_error_of_failed_work_is_told(visitor, queued):
    Work.objects.filter(pk=queued.pk).update(state="FAILED", error="There is nothing to pool.")

    assert "There is nothing to pool." in visitors.words(visitor.get(where(queued)))


def test_waiting_work_is_stopped_at_once(visitor, queued):
    visitor.post(where(queued, "stop_work"))
    queued.refresh_from_db()

    assert queued.state == "STOPPED"


def test_running_work_is_asked_to_stop(visitor, queued):
    run(queued)
    answer = visitor.post(where(queued, "stop_work"), headers=HTMX)
    queued.refresh_from_db()

    assert queued.is_stop_wanted
    assert "running, stopping" in visitors.words(answer)


@pytest.mark.postgresql
def test_stopped_work_waits_again_when_it_is_taken_up(visitor, queued):
    visitor.post(where(queued, "stop_work"))
    visitor.post(where(queued, "resume_work"))
    queued.refresh_from_db()

    assert queued.state == "QUEUED"


def test_work_that_goes_on_is_not_taken_up_twice(visitor, queued):
    run(queued)
    answer = visitor.post(where(queued, "resume_work"), follow=True)
    queued.refresh_from_db()

    assert "there is nothing to take up again" in visitors.words(answer)
    assert queued.state == "RUNNING"


def test_a_silent_worker_is_told_of_and_a_living_one_is_not(visitor, queued):
    sentence = "no worker has answered for 30 seconds"
    assert sentence in visitors.words(visitor.get(where(queued)))

    Worker.objects.create(name="w", beat_at=timezone.now() - timedelta(seconds=31))
    assert sentence in visitors.words(visitor.get(where(queued)))

    Worker.objects.update(beat_at=timezone.now() - timedelta(seconds=20))
    assert sentence not in visitors.words(visitor.get(where(queued)))


def test_nobody_is_blamed_while_nothing_waits(visitor, queued):
    Work.objects.filter(pk=queued.pk).update(state="DONE")

    assert "no worker has answered" not in visitors.words(visitor.get(where(queued)))


def test_a_fragment_tells_a_script_that_nobody_is_signed_in(client, queued):
    assert client.get(where(queued), headers=HTMX).status_code == 401


def test_work_that_waits_behind_other_work_of_its_collection_says_so(visitor, queued):
    run(queued)
    behind = pooling.request_pool(collection=queued.collection, depth=5, by=None, now=timezone.now())
    waits = "Waits for pool to depth 3, which runs: in a collection one of them runs at a time."
    assert waits in visitors.words(visitor.get(where(behind)))
    assert "Waits for" not in visitors.words(visitor.get(where(queued)))
