"""`manage.py batches`, a command that was interrupted, and turns of collections."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.management import model_command
from annotate.models import Batch, Work
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.work import engine
from annotate.work import queue as work_queue
from annotate.work.queue import Step
from tests import factories
from tests.integration.annotate.suggestions.conftest import serve  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db(transaction=True)


def plan(collection):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    return GradesPlan(service="anthropic", model="claude-haiku-4-5", prompt=prompt)


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection(), topics=2, passages=5)


@pytest.fixture
def batch(serve, collection):  # noqa: F811 - the fixture
    serve()
    return batches.start(collection=collection, plan=plan(collection), by=None, now=factories.NOW)


def run(*arguments):
    out = io.StringIO()
    call_command("batches", *arguments, stdout=out)
    return out.getvalue()


def test_a_batch_is_listed_paused_resumed_and_cancelled(batch):
    named = (str(batch.pk), "--collection", batch.collection.slug)
    [listed] = json.loads(run("list", "--collection", batch.collection.slug, "--json"))["batches"]
    assert (listed["batch"], listed["state"], listed["possibly_billed"]["calls"]) == (batch.pk, "QUEUED", 0)
    assert "Paused" in run("pause", *named)
    assert Batch.objects.get(pk=batch.pk).work.state == Work.State.STOPPED
    with pytest.raises(CommandError, match="not under way: there is nothing to pause"):
        run("pause", *named)
    assert "waits for a worker" in run("resume", *named)
    with pytest.raises(CommandError, match="under way"):
        run("resume", *named)
    assert json.loads(run("cancel", *named, "--json"))["is_cancelled"] is True
    assert f"{batch.pk}  stopped" in run("list", "--collection", batch.collection.slug)


def test_a_batch_of_another_collection_or_none_is_refused(batch):
    other = factories.make_collection()
    with pytest.raises(CommandError, match=f"has no batch {batch.pk}"):
        run("cancel", str(batch.pk), "--collection", other.slug)
    with pytest.raises(CommandError, match="Name the batch"):
        run("cancel", "--collection", other.slug)
    assert "There are no batches yet" in run("list", "--collection", other.slug)


def test_pairs_that_are_graded_do_not_count_in_a_dry_run(batch, collection):
    before = batches.estimate(collection=collection, plan=plan(collection), now=factories.NOW)
    engine.see_through(batch.work_id)
    after = batches.estimate(collection=collection, plan=plan(collection), now=factories.NOW)
    assert (before.calls, after.calls, after.most_cost) == (10, 0, 0)


def test_ctrl_c_pauses_and_says_how_to_go_on(batch, monkeypatch):
    def interrupted(work, on_step=None):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(engine, "run", interrupted)
        with pytest.raises(CommandError, match=f"batches resume {batch.pk}"):
            model_command.write_batch(None, batch, True, False)
    assert Work.objects.get(pk=batch.work_id).state == Work.State.STOPPED


def test_a_command_goes_on_after_one_that_was_killed_without_a_worker(batch, collection, monkeypatch):
    killed = engine.claim()
    Work.objects.filter(pk=killed.pk).update(lease_until=factories.NOW)
    monkeypatch.setitem(work_queue.registered, "other", lambda work: iter([Step(1, 1)]))
    second = enqueue(collection)
    monkeypatch.setattr(engine, "run", lambda work, on_step: engine._end(work, Work.State.DONE))
    assert engine.see_through(second.pk).state == Work.State.DONE
    assert Work.objects.get(pk=killed.pk).state == Work.State.QUEUED


def test_the_collection_that_was_served_least_recently_comes_first(collection, monkeypatch):
    monkeypatch.setitem(work_queue.registered, "other", lambda work: iter([Step(1, 1)]))
    Work.objects.update(served_at=None)
    other = factories.make_collection()
    of_first = [enqueue(collection) for _ in range(3)]
    of_other = enqueue(other)
    order = []
    for _ in range(4):
        piece = engine.claim()
        order.append(piece.pk)
        engine._end(piece, Work.State.DONE)
    assert order == [of_first[0].pk, of_other.pk, of_first[1].pk, of_first[2].pk]


def test_long_work_lets_another_collection_have_its_turn(collection, monkeypatch):
    monkeypatch.setattr(engine, "TURN_SECONDS", 0.0)

    def long(work):
        done = work.cursor or 0
        while done < 4:
            done += 1
            yield Step(done, 4, cursor=done, may_alternate=True)

    monkeypatch.setitem(work_queue.registered, "other", long)
    Work.objects.update(served_at=None)
    first, second = enqueue(collection), enqueue(factories.make_collection())
    turns = []
    while (piece := engine.claim()) is not None:
        turns.append(piece.pk)
        engine.run(piece)
    assert turns[:4] == [first.pk, second.pk] * 2
    rows = Work.objects.in_bulk([first.pk, second.pk]).values()
    assert {(row.state, row.done, row.attempts) for row in rows} == {("DONE", 4, 1)}


def enqueue(collection):
    return work_queue.enqueue(
        collection=collection,
        kind="other",
        queue=work_queue.SUGGESTIONS,
        subject="",
        arguments={},
        by=None,
        now=factories.NOW,
    )
