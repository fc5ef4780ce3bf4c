"""The kinds of background work: each is registered by its app, and found where it says it is."""

import inspect

import pytest

from annotate.work import queue
from tests.factories import NOW


def test_each_app_registers_its_kinds():
    assert {"import", "pool", "ask"} < queue.registered.keys()
    assert {"finding", "figure", "study"} < queue.registered.keys()


@pytest.mark.parametrize("kind", queue.registered)
def test_each_is_run_by_a_function_of_one_piece_of_work(kind):
    runner = queue.find_runner(kind)
    assert callable(runner)
    assert list(inspect.signature(runner).parameters) == ["work"]


@pytest.mark.django_db
def test_work_that_nobody_could_run_is_not_queued():
    with pytest.raises(ValueError, match="'knit' is no kind of background work"):
        queue.enqueue(collection=None, kind="knit", queue=queue.FACTS, subject="", arguments={}, by=None, now=NOW)
