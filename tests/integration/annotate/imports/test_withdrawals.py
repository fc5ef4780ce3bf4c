"""A wrong import can be taken back; what people did cannot."""

import pytest

from annotate.imports.operations import uploads, withdrawals
from annotate.models import Pair, Passage, ReferenceGrade, Run, Topic, Work
from annotate.pool.operations import pooling
from annotate.work import engine, queue
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection())


def withdraw(imported):
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=NOW)
    engine.run(engine.claim(work_id=queued.pk))
    imported.refresh_from_db()
    return imported


def test_withdrawn_qrels_open_their_holes_again(collection):
    imported = factories.import_qrels(collection, "q1 0 d1.1 2\n")
    assert not Pair.objects.get(passage_id="d1.1").is_hole
    assert withdraw(imported).state == "WITHDRAWN"
    assert Pair.objects.get(passage_id="d1.1").is_hole
    assert not ReferenceGrade.objects.exists()


def test_the_same_file_can_be_imported_after_its_withdrawal(collection):
    withdraw(factories.import_qrels(collection, "q1 0 d1.1 2\n"))
    assert factories.import_qrels(collection, "q1 0 d1.1 2\n").added == 1


def test_a_withdrawn_run_leaves_the_pool_when_it_is_built_again(collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\n")
    withdraw(collection.imported_files.get(kind="RUN"))
    assert not Run.objects.exists()
    factories.build_pool(collection)
    assert list(Pair.objects.filter(is_pooled=True).values_list("passage_id", flat=True)) == ["d1.1"]


def test_withdrawn_passages_take_their_pairs_out_of_the_queue(collection):
    withdraw(collection.imported_files.get(kind="PASSAGES"))
    collection.refresh_from_db()
    assert collection.pairs_wanted == 0
    assert not Passage.objects.exists()


def test_topics_under_a_pool_cannot_be_withdrawn(collection):
    with pytest.raises(withdrawals.CannotWithdraw, match="withdraw qrels and runs first"):
        withdraw(collection.imported_files.get(kind="TOPICS"))
    assert Topic.objects.count() == 2


def test_passages_that_were_judged_stay(collection):
    factories.judge(factories.make_assessor(collection))
    with pytest.raises(withdrawals.CannotWithdraw, match="were judged"):
        withdraw(collection.imported_files.get(kind="PASSAGES"))


def test_suggestions_that_assessors_saw_stay(collection):
    factories.make_suggestions(collection)
    collection.share_hidden, collection.share_shown = 0, 1
    collection.save()
    factories.judge(factories.make_assessor(collection))
    with pytest.raises(withdrawals.CannotWithdraw, match="Assessors saw"):
        withdraw(collection.imported_files.get(options__rater="model-a"))


def test_qrels_under_a_draw_of_holes_stay(collection):
    imported = factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 2\n")
    pooling.draw_holes(collection=collection, fraction=0.5, chosen=[2], seed=1, by=None, now=NOW)
    with pytest.raises(withdrawals.CannotWithdraw, match="undo the draw"):
        withdraw(imported)


def test_what_is_withdrawn_cannot_be_withdrawn_again(collection):
    imported = withdraw(factories.import_qrels(collection, "q1 0 d1.1 2\n"))
    with pytest.raises(withdrawals.CannotWithdraw, match="nothing to withdraw"):
        withdraw(imported)


@pytest.mark.parametrize("state", ["STOPPED", "FAILED"])
def test_an_import_that_ended_half_way_is_withdrawn_with_what_it_had_stored(collection, state):
    imported = receive(collection, b"d8\tx\nd9\ty\n")
    engine.run(engine.claim(work_id=imported.work_id), on_step=stop_while_storing)
    Work.objects.filter(pk=imported.work_id).update(state=state)
    imported.refresh_from_db()
    reading = imported.work
    assert imported.state == "STAGING"
    assert Passage.objects.filter(source=imported).count() == 2
    assert withdraw(imported).state == "WITHDRAWN"
    assert not Passage.objects.filter(source=imported).exists()
    with pytest.raises(queue.CannotResume, match="was withdrawn since"):
        queue.resume(work=reading)
    assert factories.import_text(collection, "PASSAGES", "d8\tx\nd9\ty\n").added == 2


def test_an_import_that_goes_on_is_not_withdrawn(collection):
    with pytest.raises(withdrawals.CannotWithdraw, match="is waiting: there is nothing to withdraw"):
        withdraw(receive(collection, b"d8\tx\n"))


@pytest.mark.parametrize(
    ("kind", "first", "second", "options"),
    [
        ("TOPICS", "q8\tx\n", "q8\tx\nq9\ty\n", {}),
        ("PASSAGES", "d8\tx\n", "d8\tx\nd9\ty\n", {}),
        ("QRELS", "q1 0 a 1\n", "q1 0 a 1\nq1 0 b 1\n", {"rater": "nist", "rater_kind": "REFERENCE"}),
        ("QRELS", "q1 0 a 1\n", "q1 0 a 1\nq1 0 b 1\n", {"rater": "m", "rater_kind": "MODEL"}),
    ],
)
def test_what_a_later_file_repeats_is_withdrawn_after_that_file(collection, kind, first, second, options):
    """Three files, of which two repeat the first: they go in the reverse order of their coming."""
    files = [factories.import_text(collection, kind, text, **options) for text in (first, second, second + "\n")]
    with pytest.raises(withdrawals.CannotWithdraw, match=f"withdraw {files[2].name} first"):
        withdraw(files[0])
    assert [withdraw(file).state for file in reversed(files)] == ["WITHDRAWN"] * 3


def test_what_another_rater_repeats_does_not_matter(collection):
    first = factories.import_qrels(collection, "q1 0 d1.1 2\n")
    for text in ("q1 0 d1.1 2\n", "q1 0 d1.1 2\nq1 0 d1.2 2\n"):
        factories.import_qrels(collection, text, rater="other")
    assert withdraw(first).state == "WITHDRAWN"


def receive(collection, content):
    return uploads.receive(
        collection=collection, kind="PASSAGES", name="half.tsv", chunks=[content], options={}, by=None, now=NOW
    )


def stop_while_storing(running):
    """Asked for while the only batch is checked, the stop comes once it is stored."""
    if running.note == "checking":
        queue.stop(work=running)
