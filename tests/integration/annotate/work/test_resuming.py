import pytest

from annotate.imports.kinds import file_kind
from annotate.imports.operations import uploads
from annotate.models import Suggestion, Topic, Work
from annotate.own_judges.operations import predictions, requests
from annotate.work import engine, queue
from tests import factories


@pytest.fixture
def collection(db):
    return factories.make_collection()


def stopped_after_one_step(queued):
    """Run the work as a worker does, and stop it once its first step is stored, of an import after its check."""

    def stop(running):
        if running.note != "checking":
            queue.stop(work=running)

    engine.run(engine.claim(work_id=queued.pk), on_step=stop)
    queued.refresh_from_db()
    return queued


def test_a_stopped_import_goes_on_where_it_was_and_adds_each_topic_once(collection, monkeypatch):
    monkeypatch.setattr(file_kind, "BATCH", 2)
    text = "".join(f"q{n}\ttopic {n}\n" for n in range(1201))
    imported = uploads.receive(
        collection=collection,
        kind="TOPICS",
        name="t.tsv",
        chunks=[text.encode()],
        options={},
        by=None,
        now=factories.NOW,
    )
    queued = stopped_after_one_step(imported.work)
    assert queued.state == "STOPPED"
    assert 0 < queued.cursor < 1201
    assert not Topic.objects.published().exists()

    queue.resume(work=queued)
    engine.run_waiting()

    assert Topic.objects.published().count() == 1201


def test_a_stopped_batch_of_the_learned_judge_ends_with_each_pair_once(collection, monkeypatch):
    factories.make_holes(collection, topics=3, passages=4)
    factories.import_qrels(collection, "".join(f"q{t} 0 d{t}.{p} {p % 2}\n" for t in (1, 2, 3) for p in (1, 2, 3, 4)))
    monkeypatch.setattr(predictions, "SLICE", 5)
    batch = requests.request_version(collection=collection, by=None, now=factories.NOW)
    stopped_after_one_step(batch.work)
    assert Suggestion.objects.count() < 12

    queue.resume(work=batch.work)
    engine.run_waiting()

    assert Work.objects.get(pk=batch.work_id).state == "DONE"
    assert Suggestion.objects.filter(rater=batch.rater).count() == 12


def test_a_refused_file_is_not_taken_up_again(collection):
    refused = factories.import_text(collection, "TOPICS", "no tab here\n", name="t.tsv")

    with pytest.raises(queue.CannotResume, match=r"t\.tsv was refused: mend the file"):
        queue.resume(work=refused.work)


@pytest.mark.parametrize("state", ["QUEUED", "DONE"])
def test_what_goes_on_or_is_done_is_not_taken_up_again(collection, state):
    imported = factories.import_text(collection, "TOPICS", "q1\tone\n")
    Work.objects.filter(pk=imported.work_id).update(state=state)

    with pytest.raises(queue.CannotResume, match="there is nothing to take up again"):
        queue.resume(work=imported.work)
