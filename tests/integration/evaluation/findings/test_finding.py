"""A finding is computed once in the background, knows the facts it rests on, and says when it is stale."""

import pytest

from annotate.models import Work
from annotate.rules import completion
from annotate.work import engine, queue
from evaluation.findings import finding
from evaluation.findings.leaderboard.comparisons import ChangesQuestion
from evaluation.models import Finding
from tests.factories import NOW, import_qrels
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
QUESTION = ChangesQuestion.between(completion.parse_rule("reference"), completion.parse_rule("model:gpt"), "nDCG@10")


@pytest.fixture
def collection():
    made = small.with_qrels("q1 d1 3, q1 d2 0, q2 d1 2", "q1 d1 1, q1 d2 2, q2 d1 3")
    for tag in ("d1", "d2"):
        small.add_run(made, tag)
    return made


def ask(collection, question=QUESTION):
    collection.refresh_from_db()
    return finding.ask_finding(collection=collection, question=question, by=None, now=NOW)


def test_what_was_never_asked_is_computed_in_the_lane_of_findings(collection):
    known = ask(collection)
    assert (known.value, known.is_stale, known.is_waiting, known.work.queue) == (None, False, True, "findings")
    assert engine.run_waiting() == 1
    known = ask(collection)
    assert known.value["pairs"] == 1
    assert (known.is_stale, known.work) == (False, None)
    assert Work.objects.get(kind="finding").state == "DONE"


def test_asking_again_waits_for_the_same_computation(collection):
    assert ask(collection).work == ask(collection).work
    assert Work.objects.filter(kind="finding").count() == 1


def test_new_facts_make_it_stale_and_it_is_computed_again(collection):
    ask(collection)
    engine.run_waiting()
    import_qrels(collection, "q2 0 d2 3\n")
    known = ask(collection)
    assert (known.is_stale, known.is_waiting) == (True, True)
    before = known.value
    engine.run_waiting()
    known = ask(collection)
    assert (known.is_stale, known.value != before) == (False, True)
    assert Finding.objects.count() == 1


def test_what_does_not_touch_the_question_leaves_it_as_it_is(collection):
    ask(collection)
    engine.run_waiting()
    import_qrels(collection, "q2 0 d2 3\n", rater="elsewhere", kind="MODEL")
    Finding.objects.update(facts=QUESTION.facts(collection))
    assert not ask(collection).is_stale


@pytest.mark.postgresql
def test_facts_that_change_while_it_is_computed_are_seen_at_the_next_look(collection, monkeypatch):
    def compute(question, collection):
        import_qrels(collection, "q2 0 d2 3\n")
        return {}

    monkeypatch.setattr(ChangesQuestion, "compute", compute)
    ask(collection)
    engine.run_waiting()
    assert ask(collection).is_stale


def test_a_computation_that_failed_is_said_and_not_tried_for_ever(collection, monkeypatch):
    def fail(question, collection):
        raise ArithmeticError("no")

    with monkeypatch.context() as patch:
        patch.setattr(ChangesQuestion, "compute", fail)
        ask(collection)
        engine.run_waiting()
    known = ask(collection)
    assert (known.is_waiting, known.work.state) == (False, "FAILED")
    assert engine.run_waiting() == 0
    import_qrels(collection, "q2 0 d2 3\n")
    assert ask(collection).is_waiting


def test_one_that_was_stopped_waits_for_somebody_to_take_it_up_again(collection):
    queue.stop(work=ask(collection).work)
    assert (ask(collection).is_waiting, ask(collection).work.state) == (False, "STOPPED")


def test_findings_go_with_their_collection_and_come_again_when_they_are_deleted(collection):
    ask(collection)
    engine.run_waiting()
    Finding.objects.all().delete()
    assert ask(collection).is_waiting
    assert engine.run_waiting() == 1
    assert Finding.objects.get().question["measure"] == "nDCG@10"
