import os
import signal
from collections.abc import Iterator

import pytest
from django.core.management import call_command

from annotate import tasks
from annotate.imports.operations import uploads
from annotate.management.commands import serve
from annotate.models import ImportedFile, Work, Worker
from annotate.own_judges.operations import requests
from annotate.work import engine, queue
from annotate.work.queue import Step
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def test_once_runs_all_that_waits_and_ends():
    collection = factories.make_collection()
    for name in ("one", "two"):
        uploads.receive(
            collection=collection,
            kind="TOPICS",
            name=name,
            chunks=[f"{name}\twhat is {name}\n".encode()],
            options={},
            by=None,
            now=factories.NOW,
        )
    call_command("work", "--once")
    assert set(ImportedFile.objects.values_list("state", flat=True)) == {"PUBLISHED"}
    assert collection.topics.count() == 2


def test_it_leaves_a_sign_of_life():
    call_command("work", "--once")
    assert Worker.objects.get().name.endswith(f":{os.getpid()}")


def test_work_of_other_queues_is_left_to_other_workers(monkeypatch):
    monkeypatch.setitem(queue.registered, "one-step", _one_step)
    queued = {
        name: queue.enqueue(
            collection=None, kind="one-step", queue=name, subject="", arguments={}, by=None, now=factories.NOW
        )
        for name in queue.QUEUES
    }
    call_command("work", "--once", "--queue", "facts", "--lane", "findings")
    states = dict(Work.objects.values_list("queue", "state"))
    assert states == {"facts": "DONE", "findings": "DONE", "suggestions": "QUEUED"}
    call_command("work", "--once", "--queue", "suggestions")
    queued["suggestions"].refresh_from_db()
    assert queued["suggestions"].state == Work.State.DONE


def test_the_workers_that_are_served_take_each_queue_once(settings):
    settings.CELERY_BROKER_URL = ""  # with a broker Celery's workers take all
    queues = [part for run in serve.workers().values() for part in run.args[0]]
    assert sorted(queues) == sorted(queue.QUEUES)


def _one_step(piece: Work) -> Iterator[Step]:
    yield Step(done=1, total=1)


def _three_steps(piece: Work) -> Iterator[Step]:
    """Ends the worker by SIGTERM in its first step, as a person who stops the server does."""
    for done in range((piece.cursor or 0) + 1, 4):
        if done == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        yield Step(done=done, total=3, cursor=done)


def test_sigterm_ends_it_after_the_present_step_and_the_next_worker_goes_on_at_once(monkeypatch):
    monkeypatch.setitem(queue.registered, "three-steps", _three_steps)
    queued = queue.enqueue(
        collection=None, kind="three-steps", queue=queue.FACTS, subject="", arguments={}, by=None, now=factories.NOW
    )
    call_command("work")
    queued.refresh_from_db()
    assert (queued.state, queued.cursor, queued.attempts) == (Work.State.RUNNING, 1, 0)

    call_command("work", "--once")
    queued.refresh_from_db()
    assert (queued.state, queued.done, queued.attempts) == (Work.State.DONE, 3, 1)


def test_the_signals_mean_what_they_did_before_once_it_has_ended():
    before = signal.getsignal(signal.SIGTERM)
    call_command("work", "--once")
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("look", [lambda: call_command("work", "--once"), tasks.run_waiting])
def test_a_worker_looks_for_successors_that_nobody_asked_for(look):
    collection = factories.make_holes(factories.make_collection(retrains_after=1), topics=3, passages=8)
    factories.import_qrels(collection, "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 7)))
    requests.request_version(collection=collection, by=None, now=factories.NOW)
    engine.run_waiting()
    factories.judge(factories.make_assessor(collection), 3)
    look()
    assert set(collection.raters.filter(judge="learned").values_list("name", flat=True)) == {"learned-1", "learned-2"}
