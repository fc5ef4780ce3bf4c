"""A large file is read in the background while people judge: they notice nothing of it."""

import threading
import time
import uuid
from types import SimpleNamespace

import pytest
from django.db import connection

from annotate.imports.kinds import file_kind
from annotate.imports.operations import uploads
from annotate.judging.operations import judgments, turns
from annotate.models import ImportedFile, Judgment
from annotate.work import engine, queue
from tests import factories
from tests.factories import NOW

PAUSE_SECONDS = queue.PAUSE_SECONDS  # the real one, before a fixture sets it to none
LINES = 20_000
SLOWEST_SECONDS = 2


def receive(collection, lines):
    content = "".join(f"p{line}\tthe passage {line} tells of something else\n" for line in range(lines)).encode()
    return uploads.receive(
        collection=collection, kind="PASSAGES", name="large.tsv", chunks=[content], options={}, by=None, now=NOW
    )


def import_beside(imported):
    def run():
        try:
            engine.run(engine.claim(work_id=imported.work_id))
        finally:
            connection.close()

    return threading.Thread(target=run)


def judge_while(importer, assessor):
    """Save one judgment after the other until the import is over; returns the seconds that each took."""
    turn, took = turns.begin(assessor=assessor, now=NOW), []
    said = {"by": assessor.user, "slug": assessor.collection.slug, "answer": judgments.Answer(grade=2), "now": NOW}
    while importer.is_alive() and turn.claim:
        began = time.perf_counter()
        turn = turns.save(token=turn.claim.token, key=uuid.uuid4(), **said)
        took.append(time.perf_counter() - began)
        time.sleep(0.02)
    return took


@pytest.mark.slow
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_no_save_fails_or_waits_long_while_a_large_file_is_imported(monkeypatch):
    monkeypatch.setattr(queue, "PAUSE_SECONDS", PAUSE_SECONDS)
    collection = factories.make_holes(factories.make_collection(), topics=10, passages=50)
    factories.build_pool(collection, depth=50)
    imported = receive(collection, LINES)
    importer = import_beside(imported)
    importer.start()
    took = judge_while(importer, factories.make_assessor(collection))
    importer.join()
    imported.refresh_from_db()
    assert (imported.state, imported.added) == (ImportedFile.State.PUBLISHED, LINES)
    assert len(took) == Judgment.objects.count() > 5
    assert max(took) < SLOWEST_SECONDS


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers at a time")
@pytest.mark.django_db
def test_an_import_pauses_after_each_batch_so_that_others_may_write(monkeypatch):
    collection = factories.make_holes(factories.make_collection(), topics=10, passages=1)
    imported = receive(collection, 2 * file_kind.BATCH + 1)
    pauses = []
    monkeypatch.setattr(queue, "PAUSE_SECONDS", PAUSE_SECONDS)
    monkeypatch.setattr(queue, "time", SimpleNamespace(sleep=pauses.append))
    engine.run(engine.claim(work_id=imported.work_id))
    assert pauses == [PAUSE_SECONDS] * 3
    assert PAUSE_SECONDS > 0
