"""Batches for programs: the same operations, rules and sentences as on the pages and by commands."""

import io
import json

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotate.llm.prompts import Template
from annotate.models import Backstory, Batch, Suggestion, Work
from annotate.suggestions.operations import prompts
from annotate.suggestions.operations.prompts import Kept
from annotate.work import engine, queue
from tests import factories
from tests.api_caller import Caller
from tests.integration.annotate.suggestions.conftest import MODEL

pytestmark = pytest.mark.django_db(transaction=True)
GRADES = {"purpose": "GRADES", "plan": {"model": MODEL}}


@pytest.fixture
def call(collection):
    return Caller(collection.created_by, collection)


def start(call, purpose="GRADES", **plan):
    answer = call.post("batches/start/", {"purpose": purpose, "plan": {"model": MODEL, **plan}})
    assert answer.status_code == 201, answer.json()
    return answer.json()["batch"]


def run(number):
    """See its work through; the batch as the API shows it then is what the tests ask for."""
    engine.see_through(Batch.objects.get(pk=number).work_id)


def see(call, number):
    answer = call.get(f"batches/{number}/")
    assert answer.status_code == 200
    return answer.json()


def faults(answer, status=400):
    assert answer.status_code == status, answer.json()
    return {fault["place"]: fault["reason"] for fault in answer.json()["faults"]}


def test_a_batch_is_started_and_shows_what_it_came_to_and_cost(serve, call):
    server = serve(share=0.3, faults=("refusal",))
    number = start(call, budget=1.5, temperature=0, concurrency=2)
    queued = see(call, number)
    assert (queued["state"], queued["states"], queued["budget"], queued["calls"]) == ("QUEUED", {}, "1.50", 0)
    run(number)
    done = see(call, number)
    assert done["state"] == "DONE" and done["states"].keys() == {"DONE", "REFUSED"}
    assert sum(done["states"].values()) == done["calls"] == server.script.calls == 10
    assert done["name"] == Suggestion.objects.filter(state="DONE").first().rater.name
    assert float(done["cost"]) > float(done["possibly_billed"]["cost"]) == done["possibly_billed"]["calls"] == 0
    assert (done["model_versions"], done["error"], done["is_cancelled"], done["is_batched"]) == ([MODEL], "", 0, 0)
    assert call.get("batches/").json() == [done]


def test_it_tells_what_was_adapted_and_the_words_of_the_service_where_it_stopped(serve, call):
    serve(rejects="Your account may not use this model.")
    number = start(call, model="claude-opus-5", temperature=0.5)
    run(number)
    stopped = see(call, number)
    assert stopped["state"] == "FAILED" and "Your account may not use this model." in stopped["error"]
    [message] = stopped["messages"].values()
    assert message["count"] >= 10 and message["message"].startswith("Your account may not use this model.")
    assert any("temperature" in words for words in stopped["adapted"])


def test_lost_answers_are_possibly_billed(serve, call):
    serve(share=0.5, faults=("lost",))
    number = start(call)
    run(number)
    lost = see(call, number)["possibly_billed"]
    assert lost["calls"] > 0 and float(lost["cost"]) > 0


@pytest.mark.parametrize(
    ("purpose", "plan", "items"),
    [
        ("GRADES", {"prompt": "rationale", "scope": "HOLES", "samples": 2}, 10),
        ("BACKSTORIES", {"rounds": 2}, 2),
        ("VARIANTS", {"profiles": ["child", "expert"], "number": 2, "is_batched": True}, 8),
        ("PROBE", {"judge": "anthropic", "pairs": 3}, 3),
    ],
)
def test_a_dry_run_of_each_purpose_bounds_the_cost_and_makes_no_call(serve, call, purpose, plan, items):
    server = serve()
    answer = call.post("batches/estimate/", {"purpose": purpose, "plan": {"model": MODEL, **plan}})
    estimate = answer.json()
    assert answer.status_code == 200, estimate
    assert estimate["items"] == items
    assert 0 < estimate["calls"] <= estimate["most_calls"]
    assert float(estimate["most_cost"]) > 0 and estimate["most_tokens"]["given"] > 0
    assert not Batch.objects.exists() and not server.script.asked


def test_the_estimate_is_that_of_the_command(serve, call, collection):
    serve()
    stdout = io.StringIO()
    command = ("suggest", "--collection", collection.slug, "--judge", "openai", "--model", "gpt-4o", "--batches")
    call_command(*command, "--prompt", "umbrela", "--dry-run", "--json", stdout=stdout)
    plan = {"service": "openai", "model": "gpt-4o", "prompt": "umbrela", "is_batched": True}
    estimate = call.post("batches/estimate/", {"purpose": "GRADES", "plan": plan}).json()
    assert estimate["most_cost"] == json.loads(stdout.getvalue())["most_cost"]


def test_texts_are_started_by_the_batch_api(serve, call):
    server = serve()
    number = start(call, "BACKSTORIES", is_batched=True)
    run(number)
    shown = see(call, number)
    assert (shown["purpose"], shown["is_batched"], shown["states"]) == ("BACKSTORIES", True, {"DONE": 2})
    assert len(server.batches) == 1 and Backstory.objects.count() == 2


def test_a_prompt_of_ones_own_is_named_and_its_newest_version_asked(serve, call, collection):
    serve()
    for words in ("{need} {passage}", "{need} or {passage}"):
        kept = Kept.grading(Template("", words), "number")
        written = prompts.write_prompt(collection=collection, name="mine", kept=kept, by=None, now=factories.NOW)
    number = start(call, prompt="mine")
    assert Batch.objects.get(pk=number).prompt == written


def test_a_batch_is_paused_resumed_and_cancelled(serve, call):
    serve()
    number = start(call)
    paused = call.post(f"batches/{number}/pause/").json()
    assert (paused["state"], paused["is_cancelled"]) == ("STOPPED", False)
    again = call.post(f"batches/{number}/pause/")
    assert again.status_code == 409
    assert again.json()["detail"] == f"Batch {number} is not under way: there is nothing to pause."
    assert call.post(f"batches/{number}/resume/").json()["state"] == "QUEUED"
    refused = call.post(f"batches/{number}/resume/")
    assert (refused.status_code, refused.json()["detail"]) == (409, "This batch is under way.")
    cancelled = call.post(f"batches/{number}/cancel/").json()
    assert (cancelled["state"], cancelled["is_cancelled"]) == ("STOPPED", True)
    call.post(f"batches/{number}/resume/")
    run(number)
    done = see(call, number)
    assert (done["states"], done["is_cancelled"]) == ({"DONE": 10}, False)
    over = call.post(f"batches/{number}/cancel/")
    assert over.json()["detail"] == f"Batch {number} is not under way: there is nothing to cancel."


def test_what_was_paused_with_pairs_that_wait_can_be_cancelled(serve, call):
    server = serve(seconds=0.05)
    number = start(call, concurrency=1)

    def pause(work):
        if server.script.calls >= 2 and not work.is_over:
            call.post(f"batches/{number}/pause/")

    engine.see_through(Batch.objects.get(pk=number).work_id, pause)
    assert see(call, number)["states"]["QUEUED"] > 0
    cancelled = call.post(f"batches/{number}/cancel/").json()
    assert cancelled["states"].keys() == {"DONE", "CANCELLED"}
    assert cancelled["calls"] == server.script.calls < 10


def test_it_tells_what_it_waits_for(serve, call, collection):
    serve()
    first, second = start(call), start(call, model="claude-opus-5")
    assert see(call, first)["waits_for"] == ""
    waits = see(call, second)["waits_for"]
    assert waits.startswith("Waits for grades of ") and f"(batch {first}), which is before it" in waits
    engine.claim(work_id=Batch.objects.get(pk=first).work_id)
    assert f"(batch {first}), which runs" in see(call, second)["waits_for"]
    call.post(f"batches/{first}/cancel/")
    Work.objects.filter(state="RUNNING").update(state="STOPPED", token=None, lease_until=None)
    assert see(call, second)["waits_for"] == ""


def test_of_another_collection_it_tells_nothing_but_that_workers_are_busy(serve, call, collection, monkeypatch):
    serve()
    monkeypatch.setitem(queue.registered, "other", lambda work: iter(()))
    other = factories.make_collection("secret")
    asked = {"kind": "other", "queue": queue.SUGGESTIONS, "subject": "secret", "arguments": {"batch": 99}}
    busy = queue.enqueue(collection=other, **asked, by=None, now=timezone.now())
    engine.claim(work_id=busy.pk)
    waits = see(call, start(call))["waits_for"]
    assert waits == "Waits for a free worker: 1 piece of other work runs. Each collection gets its turn."


@pytest.mark.parametrize(
    ("plan", "place", "reason"),
    [
        ({"model": ""}, "plan.model", "required"),
        ({"model": ["a"]}, "plan.model", "expected a text"),
        ({"modell": "a"}, "plan.modell", "there is no such field"),
        ({"concurrency": 0}, "plan.concurrency", "greater than or equal to 1"),
        ({"concurrency": "8"}, "plan.concurrency", "expected a number"),
        ({"concurrency": 1.5}, "plan.concurrency", "whole number"),
        ({"temperature": 10**400}, "plan.temperature", "number"),
        ({"budget": True}, "plan.budget", "expected a number"),
        ({"is_batched": "yes"}, "plan.is_batched", "expected true or false"),
        ({"prompt": "no-such"}, "plan.prompt", "no-such"),
        ({"service": "nobody"}, "plan.service", "nobody"),
        ({"sampling": "height=3"}, "plan", "height is no sampling parameter"),
        ({"model": "unknown", "budget": 1}, "plan", "give one in tokens"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_with_its_places(serve, call, plan, place, reason):
    serve()
    for address in ("batches/estimate/", "batches/start/"):
        found = faults(call.post(address, {"purpose": "GRADES", "plan": {"model": MODEL, **plan}}))
        assert reason in found[place]
    assert not Batch.objects.exists()


def test_variants_need_profiles_that_there_are(serve, call):
    serve()
    plan = {"model": MODEL, "profiles": ["nobody"]}
    found = faults(call.post("batches/start/", {"purpose": "VARIANTS", "plan": plan}))
    assert "nobody" in found["plan.profiles"]
    found = faults(call.post("batches/start/", {"purpose": "VARIANTS", "plan": {**plan, "profiles": "child"}}))
    assert found["plan.profiles"] == "expected a list of texts"


def test_what_stands_in_the_way_for_now_is_a_conflict(serve, call, monkeypatch):
    serve()
    run(start(call))
    answer = call.post("batches/start/", GRADES)
    assert answer.status_code == 409 and "nothing is left to ask" in answer.json()["detail"]
    own = call.post("batches/estimate/", {"purpose": "PROBE", "plan": {"judge": "learned"}})
    assert own.status_code == 409 and "costs nothing" in own.json()["detail"]
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    answer = call.post("batches/start/", {"purpose": "GRADES", "plan": {"model": "claude-opus-5"}})
    assert answer.status_code == 409 and "Set ANTHROPIC_API_KEY" in answer.json()["detail"]


def test_the_record_is_that_of_the_command(serve, call, collection):
    serve()
    number = start(call)
    stdout = io.StringIO()
    call_command("batches", "list", "--collection", collection.slug, "--json", stdout=stdout)
    assert json.loads(stdout.getvalue())["batches"] == call.get("batches/").json()
    stdout = io.StringIO()
    call_command("batches", "cancel", str(number), "--collection", collection.slug, "--json", stdout=stdout)
    assert json.loads(stdout.getvalue()) == see(call, number)


def test_only_researchers_of_the_collection_reach_a_batch(serve, call, collection):
    serve()
    number = start(call)
    assessor = Caller(factories.make_assessor(collection).user, collection)
    stranger = Caller(factories.make_collection("other").created_by, collection)
    elsewhere = Caller((other := factories.make_collection("elsewhere")).created_by, other)
    for caller, status in ((assessor, 403), (stranger, 404)):
        answers = [caller.get("batches/"), caller.get(f"batches/{number}/")]
        answers += [caller.post(f"batches/{number}/{action}/") for action in ("pause", "resume", "cancel")]
        answers += [caller.post(f"batches/{action}/", GRADES) for action in ("start", "estimate")]
        assert {answer.status_code for answer in answers} == {status}
    assert elsewhere.get(f"batches/{number}/").status_code == 404
    assert elsewhere.post(f"batches/{number}/cancel/").status_code == 404
    assert see(call, number)["state"] == "QUEUED"
