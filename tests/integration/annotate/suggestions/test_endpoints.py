"""Endpoints that the installation names: offered, asked, paid and told apart like any service."""

import io
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from annotate.llm import endpoints, providers
from annotate.models import Batch, Rater, Suggestion
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.work import engine
from tests import factories, visitors

pytestmark = pytest.mark.django_db(transaction=True)
MODEL = "llama3.1"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoints, "FOLDER", tmp_path)

    def write(**named):
        path = tmp_path / "endpoints.json"
        path.write_text(json.dumps(named))
        return path

    return write


def local(server, **more):
    return {"kind": "openai", "base_url": f"{server.address}/v1", **more}


def suggest(collection, *more):
    out, err = io.StringIO(), io.StringIO()
    asked = ("--collection", collection.slug, "--model", MODEL, "--wait", "--json")
    call_command("suggest", *asked, *more, stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def test_two_servers_with_one_model_are_two_raters(serve, collection, write, monkeypatch):
    here, there = serve(needs_key=False), serve(needs_key=False)
    monkeypatch.delenv("OPENAI_API_KEY")
    write(here=local(here), there=local(there))
    for name in ("here", "there"):
        answer, _ = suggest(collection, "--judge", name)
        assert answer["state"] == "DONE"
    assert (here.script.calls, there.script.calls) == (10, 10)
    raters = Rater.objects.filter(kind=Rater.Kind.MODEL).order_by("pk")
    assert [rater.name for rater in raters] == [f"{MODEL}@here direct-1 query", f"{MODEL}@there direct-1 query"]
    assert [rater.parameters["address"] for rater in raters] == [f"{here.address}/v1", f"{there.address}/v1"]


def test_another_server_behind_one_name_is_another_rater(serve, collection, ask):
    serve()
    first = ask(collection, service="openai", model=MODEL)
    serve()
    assert ask(collection, service="openai", model=MODEL).rater != first.rater


def test_a_key_of_another_service_is_not_sent(serve, collection, write):
    server = serve(needs_key=False)
    write(keyless=local(server), proxy={"kind": "anthropic", "base_url": server.address})
    for name in ("keyless", "proxy"):
        suggest(collection, "--judge", name)
    assert server.script.keys == {"none"}


def test_its_own_key_is_sent(serve, collection, write, monkeypatch):
    server = serve(needs_key=False)
    monkeypatch.setenv("LAB_API_KEY", "sk-of-the-lab-1234")
    write(lab=local(server, key="LAB_API_KEY"))
    suggest(collection, "--judge", "lab")
    assert server.script.keys == {"sk-of-the-lab-1234"}


def test_its_price_is_that_of_estimate_budget_and_cost(serve, collection, write):
    server = serve()
    server.script.needs_key = False
    write(lab=local(server, price={"fresh": 1, "given": 10_000}))
    form = {"service": "lab", "model": MODEL, "prompt": "built-in:direct", "against": "QUERY", "scope": "POOL"}
    form |= {"samples": 1, "examples": 0, "examples_from": "ANY", "concurrency": 8, "per_minute": 0, "budget": "0.35"}
    page = visitors.researcher(collection).post(reverse("ask_model", args=[collection.slug]), form)
    assert page.context["estimate"].most_cost > 10 * 32 * 10_000 / 1_000_000
    with pytest.raises(CommandError, match="The budget is spent"):
        suggest(collection, "--judge", "lab", "--budget", "0.35")
    batch = Batch.objects.get()
    assert 0 < batch.calls < 10
    assert (batch.tokens_fresh + 10_000 * batch.tokens_given) / 1_000_000 <= 0.35


def start(collection, **plan):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    asked = GradesPlan(service="lab", model=MODEL, prompt=prompt, **plan)
    return batches.start(collection=collection, plan=asked, by=None, now=factories.NOW)


def see_through(batch):
    try:
        return engine.see_through(batch.work_id, lambda row: None)
    finally:
        connection.close()


def test_its_limit_holds_over_two_batches(serve, write):
    server = serve(needs_key=False, seconds=0.05)
    write(lab=local(server, concurrency=3))
    one, two = (factories.make_holes(factories.make_collection(), topics=2, passages=5) for _ in range(2))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(see_through, [start(one, concurrency=8), start(two, concurrency=8)]))
    assert server.script.most_under_way == 3
    assert Suggestion.objects.filter(state="DONE").count() == 20


BROKEN = '{"lab": {"kind": "openai", "timeout": 0}}'
SAID = "endpoints.json, endpoint lab, timeout: Input should be greater than or equal to 1"


@pytest.mark.parametrize("page", ["ask_model", "probe", "write_backstories", "write_variants", "compare_needs"])
def test_a_broken_file_is_said_on_pages(serve, collection, write, page):
    write().write_text(BROKEN)
    answer = visitors.researcher(collection).get(reverse(page, args=[collection.slug]))
    assert answer.status_code == 200
    assert SAID in answer.content.decode()


@pytest.mark.parametrize("command", ["suggest", "backstories", "variants"])
def test_a_broken_file_is_said_by_commands_that_want_what_is_in_it(collection, write, command):
    write().write_text(BROKEN)
    with pytest.raises(CommandError, match=SAID):
        call_command(command, "--collection", collection.slug, "--judge", "lab", "--model", "m", "--dry-run")


def test_a_broken_file_keeps_nobody_from_the_others(serve, collection, write):
    serve()
    write().write_text(BROKEN)
    answer, said = suggest(collection, "--judge", "openai")
    assert answer["state"] == "DONE"
    assert SAID in said


def test_a_batch_whose_endpoint_is_gone_says_so_and_goes_on_once_it_is_back(serve, collection, write, ask):
    server = serve(needs_key=False)
    path = write(lab=local(server))
    batch = start(collection)
    kept = path.read_text()
    path.write_text("{}")
    ended = engine.see_through(batch.work_id, lambda row: None)
    assert ended.error.startswith(f"There is no service lab: there are {', '.join(providers.installed())}.")
    assert visitors.researcher(collection).get(reverse("batch", args=[collection.slug, batch.pk])).status_code == 200
    path.write_text(kept)
    batches.resume(batch=batch, by=None, now=factories.NOW)
    batch.refresh_from_db()
    engine.see_through(batch.work_id, lambda row: None)
    assert set(Suggestion.objects.values_list("state", flat=True)) == {"DONE"}
