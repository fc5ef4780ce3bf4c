"""Work that is asked for once, however many ask: who comes later joins it, and a failure may be the answer."""

from dataclasses import replace

import pytest
from django.utils import timezone

from annotate.models import Work
from annotate.work import engine, queue
from annotate.work.queue import CannotGoOn, Step, WorkRequest
from tests import at_once, factories


def fail(work):
    yield Step(0, 1)
    raise CannotGoOn("It cannot be.")


@pytest.fixture(autouse=True)
def runner(monkeypatch):
    monkeypatch.setitem(queue.registered, "knit", fail)


@pytest.fixture
def request_():
    return WorkRequest(
        collection=factories.make_collection(),
        kind="knit",
        queue=queue.FINDINGS,
        subject="a scarf",
        arguments={"colours": ["red", "blue"], "long": True, "facts": "today", "result": "/here"},
        same_by=("colours", "long"),
    )


def ask(request):
    return queue.ask_once(request, by=None, now=timezone.now())


def change(request, **arguments):
    return replace(request, arguments=request.arguments | arguments)


@pytest.mark.django_db
class TestAsking:
    def test_who_asks_for_the_same_joins_what_waits_or_runs(self, request_):
        work = ask(request_)
        assert ask(change(request_, result="/there")) == work
        engine.claim(work_id=work.pk)
        assert ask(request_) == work
        assert Work.objects.get().subject == "a scarf"

    @pytest.mark.parametrize("arguments", [{"colours": ["red"]}, {"colours": []}, {"long": False}])
    def test_something_else_is_other_work(self, request_, arguments):
        assert ask(change(request_, **arguments)) != ask(request_)

    def test_so_is_that_of_another_collection(self, request_):
        assert ask(replace(request_, collection=factories.make_collection())) != ask(request_)

    def test_what_began_before_the_facts_of_today_may_be_no_answer(self, request_):
        request_ = replace(request_, joins_running=False)
        work = ask(request_)
        assert ask(request_) == work
        engine.claim(work_id=work.pk)
        assert ask(request_) != work

    def test_what_failed_is_tried_again_by_who_asks_again(self, request_):
        work = ask(request_)
        engine.run_waiting()
        assert ask(request_) != work

    def test_unless_its_failure_is_an_answer_on_the_same_facts(self, request_):
        request_ = replace(request_, final_by=("colours", "long", "facts"))
        work = ask(request_)
        engine.run_waiting()
        failed = ask(request_)
        assert (failed, failed.state, failed.error) == (work, "FAILED", "It cannot be.")
        assert ask(change(request_, facts="tomorrow")) != work
        queue.resume(work=failed)
        assert ask(request_).state == "QUEUED"


@pytest.mark.django_db(transaction=True)
def test_of_many_who_ask_at_once_one_starts_it(request_):
    works, faults = at_once.run(lambda _: ask(request_), range(6))
    assert faults == []
    assert len(set(works)) == Work.objects.count() == 1
