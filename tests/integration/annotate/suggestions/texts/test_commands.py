"""`manage.py backstories` and `manage.py variants`."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.llm.prompts import Template
from annotate.models import Backstory, Batch, QueryVariant
from annotate.suggestions.operations import prompts
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
MODEL = ("--model", "claude-haiku-4-5")


@pytest.fixture
def run(collection):
    """`run(name, *arguments)`: exit code, and what was answered or the sentence of the error."""

    def command(name, *arguments):
        stdout, stderr = io.StringIO(), io.StringIO()
        try:
            call_command(name, "--collection", "here", "--json", *map(str, arguments), stdout=stdout, stderr=stderr)
        except CommandError as error:
            return error.returncode, str(error)
        return 0, {**json.loads(stdout.getvalue()), "stderr": stderr.getvalue()}

    return command


@pytest.mark.parametrize("judge", ["anthropic", "openai"])
def test_backstories_end_with_states_tokens_and_cost(serve, run, judge):
    server = serve()
    code, told = run("backstories", "--judge", judge, *MODEL, "--wait")
    assert (code, told["state"], told["states"], told["calls"]) == (0, "DONE", {"DONE": 2}, 2)
    assert told["tokens"]["given"] == server.script.tokens["given"]
    assert float(told["cost"]) > 0
    assert Backstory.objects.count() == 2
    assert run("backstories", "--judge", judge, *MODEL)[0] == 1


@pytest.mark.parametrize("command", ["backstories", "variants"])
def test_texts_are_written_by_the_services_own_batches_at_half_the_price(serve, run, command):
    server = serve()
    model = ("--judge", "openai", "--model", "gpt-4o")
    single, batched = (float(run(command, *model, *more, "--dry-run")[1]["most_cost"]) for more in ([], ["--batches"]))
    assert batched == pytest.approx(single / 2)
    code, told = run(command, *model, "--batches", "--wait")
    assert (code, told["state"], told["states"].keys()) == (0, "DONE", {"DONE"})
    [made] = server.openai.made.values()
    assert len(made["requests"]) == told["calls"] == sum(told["states"].values())


def test_variants_are_written_for_the_profiles_that_are_named(serve, run):
    serve()
    code, told = run("variants", *MODEL, "--profiles", "child, expert", "-n", 2, "--wait")
    assert (code, told["states"]) == (0, {"DONE": 4})
    assert QueryVariant.objects.count() == 8
    assert not QueryVariant.objects.filter(measured__isnull=True).exists()


def test_all_means_the_nineteen_of_lacuna(serve, run):
    serve()
    code, told = run("variants", *MODEL, "--dry-run")
    assert (code, told["calls"], told["texts"]) == (0, 38, 114)
    assert not Batch.objects.exists()


def test_without_wait_the_batch_is_queued_for_a_worker(serve, run):
    server = serve()
    assert run("backstories", *MODEL)[1]["state"] == "QUEUED"
    assert server.script.calls == 0


def test_a_lowered_temperature_is_warned_of(serve, run):
    serve()
    code, told = run("variants", *MODEL, "--profiles", "child", "--temperature", 0.3)
    assert "repeat each other" in told["stderr"]


@pytest.mark.parametrize(
    ("name", "arguments", "code", "word"),
    [
        ("backstories", [], 2, "needs --model"),
        ("variants", [*MODEL, "--profiles", "martian"], 2, "There is no profile martian"),
        ("variants", [*MODEL, "--profiles", ""], 2, "There is no profile"),
        ("variants", [*MODEL, "-n", "0"], 2, "1 to 50 variants"),
        ("backstories", [*MODEL, "--overlap", "2"], 2, "a share from 0 to 1"),
        ("suggest", ["--judge", "anthropic", *MODEL, "--samples", "0"], 2, "1 to 50 answers a pair"),
        ("suggest", ["--judge", "anthropic", *MODEL, "--pairs", "judged"], 1, "judged yet"),
        ("backstories", [*MODEL, "--budget", "nan"], 2, "no amount of US dollars"),
    ],
)
def test_wrong_use_has_its_sentence_and_exit_code(serve, run, name, arguments, code, word):
    serve()
    told = run(name, *arguments)
    assert told[0] == code and word in told[1]


def test_prompts_of_ones_own_are_named_beside_lacunas(serve, run, collection):
    server = serve()
    for words in ("Be long.", "Be short."):
        kept = prompts.Kept("BACKSTORY", Template(words, "Tell the situation of {query}"), is_fenced=False)
        prompts.write_prompt(collection=collection, name="mine", kept=kept, by=None, now=factories.NOW)
    code, told = run("backstories", *MODEL, "--prompt", "mine", "--wait")
    assert (code, told["states"]) == (0, {"DONE": 2})
    assert "Be short." in str(server.script.asked[0]["system"])
    assert str(Batch.objects.get().prompt) == "mine, version 2"
    assert run("variants", *MODEL, "--prompt", "mine") == (2, "There is no prompt mine. There are: variants.")


def test_without_a_key_the_command_says_what_to_set(run, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    code, sentence = run("backstories", *MODEL)
    assert code == 1 and "Set ANTHROPIC_API_KEY" in sentence


def test_profiles_of_ones_own_are_named_beside_lacunas(serve, run, collection):
    serve()
    mine = prompts.ProfileText("night owl", "OTHER", "Somebody who searches at three at night.", "Tired words.")
    prompts.write_profile(collection=collection, profile=mine, by=None, now=factories.NOW)
    assert run("variants", *MODEL, "--profiles", "night owl", "-n", 1, "--wait")[1]["states"] == {"DONE": 2}
