"""Writers on SQLite come one after the other in the order in which they asked."""

import fcntl
import threading
import time
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from annotate.models import Worker
from tests.factories import NOW

WRITERS, SAVES = 6, 25


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers at a time")
@pytest.mark.django_db(transaction=True)
def test_no_writer_starves_while_others_write_without_a_pause():
    """Each holds the lock for a moment and asks again at once; nobody may wait for much more than one turn of all."""
    longest, faults, gate = [], [], threading.Barrier(WRITERS)

    def write(number):
        waits = []
        gate.wait()
        try:
            for save in range(SAVES):
                asked = time.perf_counter()
                with transaction.atomic():
                    waits.append(time.perf_counter() - asked)
                    Worker.objects.create(name=f"{number}-{save}", beat_at=NOW)
                    time.sleep(0.004)
            longest.append(max(waits))
        except Exception as fault:
            faults.append(fault)
        finally:
            connection.close()

    began = time.perf_counter()
    threads = [threading.Thread(target=write, args=[number]) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one_turn = (time.perf_counter() - began) / SAVES
    assert not faults
    assert Worker.objects.count() == WRITERS * SAVES
    assert max(longest) < 8 * one_turn


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers at a time")
@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_is_told_so_and_keeps_nobody_else_waiting(monkeypatch):
    """As where a process was halted while it held the queue."""
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.2)
    with Path(f"{connection.settings_dict['NAME']}-queue").open("wb") as halted:
        fcntl.flock(halted, fcntl.LOCK_EX)
        began = time.perf_counter()
        with pytest.raises(OperationalError, match="Others have been writing for 0.2 s"), transaction.atomic():
            pass
        assert 0.2 <= time.perf_counter() - began < 2
    with transaction.atomic():
        Worker.objects.create(name="after", beat_at=NOW)
    assert Worker.objects.get().name == "after"
