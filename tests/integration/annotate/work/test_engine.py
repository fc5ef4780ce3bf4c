"""The engine of background work: nothing is lost, nothing is done twice, whoever dies when."""

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import InterfaceError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.models import Work
from annotate.work import engine, queue
from annotate.work.queue import CannotGoOn, Step
from tests import factories


@pytest.fixture
def handlers(monkeypatch):
    """Kinds of work for one test."""
    monkeypatch.setattr(queue, "registered", {"count": counting})
    return queue.registered


def enqueue(kind="count", collection=None, name="facts"):
    return queue.enqueue(
        collection=collection, kind=kind, queue=name, subject=kind, arguments={}, by=None, now=timezone.now()
    )


def counting(row):
    for done in range((row.cursor or 0) + 1, 4):
        yield Step(done, 3, cursor=done)


@pytest.mark.django_db
class TestRun:
    def test_it_runs_to_the_end_and_says_so(self, handlers):
        handlers["count"] = counting
        row = enqueue()
        assert engine.run_waiting() == 1
        row.refresh_from_db()
        assert (row.state, row.done, row.total, row.token) == ("DONE", 3, 3, None)

    def test_a_reason_that_people_can_mend_is_what_they_read(self, handlers):
        def refuse(row):
            yield Step(0, 1)
            raise CannotGoOn("Import topics first.")

        handlers["count"] = refuse
        row = enqueue()
        engine.run_waiting()
        row.refresh_from_db()
        assert (row.state, row.error) == ("FAILED", "Import topics first.")

    def test_a_reason_with_signs_that_no_database_takes_ends_the_work_all_the_same(self, handlers):
        def refuse(row):
            yield Step(0, 1)
            raise CannotGoOn("the service said: \0 and \ud83d")

        handlers["count"] = refuse
        row = enqueue()
        assert engine.run_waiting() == 1
        row.refresh_from_db()
        assert (row.state, row.error) == (
            "FAILED",
            "the service said: \N{REPLACEMENT CHARACTER} and \N{REPLACEMENT CHARACTER}",
        )

    def test_an_unexpected_fault_names_its_kind_and_keeps_its_details_for_the_log(self, handlers, caplog):
        def break_down(row):
            yield Step(0, 1)
            raise KeyError("secret")

        handlers["count"] = break_down
        row = enqueue()
        engine.run_waiting()
        row.refresh_from_db()
        assert row.state == "FAILED"
        assert "KeyError" in row.error
        assert "secret" not in row.error
        assert "secret" in caplog.text

    def test_a_stop_ends_it_at_the_next_step(self, handlers):
        def stop_after_first(row):
            yield Step(1, 3)
            queue.stop(work=Work.objects.get(pk=row.pk))
            yield Step(2, 3)
            raise AssertionError("went on after the stop")

        handlers["count"] = stop_after_first
        row = enqueue()
        engine.run_waiting()
        row.refresh_from_db()
        assert (row.state, row.done) == ("STOPPED", 2)

    @pytest.mark.postgresql
    def test_work_that_is_stopped_holds_its_lease_until_it_has_put_away_what_it_had_under_way(self, handlers):
        is_held = []

        def clear_up(row):
            try:
                queue.stop(work=Work.objects.get(pk=row.pk))
                yield Step(1, 2)
            finally:
                is_held.append(Work.objects.filter(pk=row.pk, token=row.token, state="RUNNING").exists())

        handlers["count"] = clear_up
        row = enqueue()
        engine.run_waiting()
        row.refresh_from_db()
        assert (is_held, row.state) == ([True], "STOPPED")

    def test_waiting_work_is_stopped_at_once(self, handlers):
        row = enqueue()
        queue.stop(work=row)
        row.refresh_from_db()
        assert row.state == "STOPPED"
        assert engine.claim() is None

    def test_a_result_with_an_old_token_is_refused(self, handlers):
        handlers["count"] = counting
        enqueue()
        lost = engine.claim()
        Work.objects.update(token=uuid.uuid4())
        engine.run(lost)
        row = Work.objects.get()
        assert (row.state, row.done) == ("RUNNING", 0)

    def test_it_goes_on_at_the_cursor_when_a_lease_ran_out(self, handlers):
        seen = []

        def remember(row):
            seen.append(row.cursor)
            yield from counting(row)

        handlers["count"] = remember
        enqueue()
        engine._move(engine.claim(), Step(2, 3, cursor=2))
        assert engine.claim() is None
        Work.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert engine.run_waiting() == 1
        assert seen == [2]
        assert Work.objects.get().state == "DONE"

    def test_what_kills_its_worker_each_time_is_given_up(self, handlers):
        handlers["count"] = counting
        enqueue()
        Work.objects.update(attempts=engine.MOST_ATTEMPTS)
        engine.run_waiting()
        assert "died 5 times" in Work.objects.get().error

    def test_of_one_queue_one_piece_runs_at_a_time(self, handlers):
        collection = factories.make_collection()
        enqueue(collection=collection)
        waiting = enqueue(collection=collection)
        other_queue = enqueue(collection=collection, name="suggestions")
        assert engine.claim() is not None
        assert engine.claim(work_id=waiting.pk) is None
        assert engine.claim(work_id=other_queue.pk) is not None


@pytest.mark.django_db
class TestClaim:
    def test_who_waits_for_another_piece_keeps_nobody_else_waiting(self, handlers):
        one, other = factories.make_collection(), factories.make_collection(slug="other")
        rows = [enqueue(collection=one) for _ in range(61)]
        wanted = enqueue(collection=other)
        assert engine.claim() == rows[0]
        assert engine.claim() == wanted
        assert engine.claim() is None

    def test_work_of_no_collection_waits_for_no_other(self, handlers):
        rows = [enqueue(), enqueue()]
        assert [engine.claim(), engine.claim()] == rows

    def test_it_takes_the_oldest_first_and_only_what_is_due(self, handlers):
        late, first, second = [enqueue(collection=factories.make_collection(slug=f"c{n}")) for n in range(3)]
        Work.objects.filter(pk=late.pk).update(not_before=timezone.now() + timedelta(minutes=1))
        assert [engine.claim(), engine.claim(), engine.claim()] == [first, second, None]

    def test_what_a_dead_worker_ran_comes_before_what_waits_behind_it(self, handlers):
        collection = factories.make_collection()
        dead, waiting = enqueue(collection=collection), enqueue(collection=collection)
        assert engine.claim() == dead
        Work.objects.filter(pk=dead.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        assert engine.claim(work_id=waiting.pk) is None
        again = engine.claim()
        assert (again, again.attempts) == (dead, 2)

    @pytest.mark.parametrize("is_other_there", [False, True])
    def test_it_asks_the_database_three_times_however_much_waits(
        self, handlers, django_assert_max_num_queries, is_other_there
    ):
        one, other = factories.make_collection(), factories.make_collection(slug="other")
        row = enqueue(collection=one)
        copies = [Work(collection=one, kind="count", queue="facts", created_at=row.created_at) for _ in range(10_000)]
        Work.objects.bulk_create(copies, batch_size=1000)
        wanted = enqueue(collection=other) if is_other_there else None
        assert engine.claim() == row
        with django_assert_max_num_queries(3):
            assert engine.claim() == wanted

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL chooses by size: it scans a small table")
    def test_it_looks_at_no_other_rows_of_what_waits_than_the_oldest_of_each_queue(self, handlers):
        enqueue(collection=factories.make_collection())
        with CaptureQueriesContext(connection) as asked:
            engine.claim()
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + asked[0]["sql"])
            plan = [row[-1] for row in cursor.fetchall()]
        assert plan.count("SEARCH q USING INDEX work_waiting (collection_id=? AND lane=?)") == 2
        assert "SEARCH w USING INTEGER PRIMARY KEY (rowid=?)" in plan
        assert not [step for step in plan if step.startswith(("SCAN w", "SCAN q"))]

    def test_of_several_collections_the_one_served_least_recently_comes_first_with_its_oldest_free_piece(
        self, handlers
    ):
        one, other = factories.make_collection(), factories.make_collection(slug="other")
        first, behind = enqueue(collection=one), enqueue(collection=one)
        third, of_none = enqueue(collection=one, name="findings"), enqueue()
        last = enqueue(collection=other)
        assert [engine.claim() for _ in range(5)] == [first, of_none, last, third, None]
        Work.objects.filter(pk=first.pk).update(state="DONE")
        assert engine.claim(queues=["findings", "suggestions"]) is None
        assert engine.claim(queues=["facts"]) == behind


@pytest.mark.django_db(transaction=True)
class TestLease:
    def test_whatever_goes_wrong_once_it_is_renewed_the_next_time(self, handlers, monkeypatch, caplog):
        """A thread that ended would lose the lease without a word."""
        faults = [OSError("no space"), InterfaceError("closed"), RuntimeError("odd")]

        def beat():
            if faults:
                raise faults.pop()
            is_renewed.set()

        def wait(row):
            assert is_renewed.wait(10)
            yield Step(1, 1)

        is_renewed = threading.Event()
        monkeypatch.setattr(engine, "beat", beat)
        monkeypatch.setattr(engine, "BEAT_SECONDS", 0.01)
        handlers["count"] = wait
        row = enqueue()
        assert engine.run_waiting() == 1
        row.refresh_from_db()
        assert row.state == "DONE"
        assert caplog.text.count("could not be renewed") == 3


@pytest.mark.django_db(transaction=True)
def test_many_workers_run_each_piece_once(handlers):
    ran, lock = [], threading.Lock()

    def remember(row):
        with lock:
            ran.append(row.pk)
        yield Step(1, 1)

    handlers["count"] = remember
    collections = [None, factories.make_collection(), factories.make_collection(slug="other")]
    rows = [enqueue(collection=collections[number % 3]).pk for number in range(12)]

    def worker():
        while Work.objects.filter(state="QUEUED").exists():  # what waits for a queue may be left to others
            engine.run_waiting()
        connection.close()

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ran) == rows
