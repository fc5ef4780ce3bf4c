"""Azure OpenAI, Amazon Bedrock and Google Vertex AI, by the clients of the SDKs, as kinds of an endpoint."""

import json
import re

import pytest

from annotate.llm import endpoints, providers
from annotate.models import Suggestion
from annotate.suggestions.purposes.purpose import BadPlan
from tests.model_service.server import KEY

pytestmark = pytest.mark.django_db(transaction=True)
KEYS = {"azure": "AZURE_OPENAI_API_KEY", "bedrock": "AWS_BEARER_TOKEN_BEDROCK", "vertex": "VERTEX_ACCESS_TOKEN"}
SAID = {
    "azure": {"api_version": "2024-10-21"},
    "bedrock": {"region": "eu-central-1"},
    "vertex": {"region": "europe-west1", "project": "our-project"},
}
MODELS = {
    "azure": "our-deployment",
    "bedrock": "eu.anthropic.claude-haiku-5-5-20261007-v1:0",
    "vertex": "claude-haiku-5-5@20261007",
}
PATHS = {
    "azure": r"/openai/deployments/our-deployment/chat/completions\?api-version=2024-10-21",
    "bedrock": r"/model/eu\.anthropic\.claude-haiku-5-5-20261007-v1(:|%3A)0/invoke",
    "vertex": r"/projects/our-project/locations/europe-west1/publishers/anthropic/models/"
    r"claude-haiku-5-5(@|%40)20261007:rawPredict",
}
clouds = pytest.mark.parametrize("kind", ["azure", "bedrock", "vertex"])


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoints, "FOLDER", tmp_path)
    for key in KEYS.values():
        monkeypatch.delenv(key, raising=False)

    def write(kind, **said):
        path = tmp_path / "endpoints.json"
        path.write_text(json.dumps({"cloud": {"kind": kind, **SAID[kind], **said}}))

    return write


@clouds
def test_its_client_asks_and_is_answered(serve, collection, ask, write, monkeypatch, kind):
    server = serve()
    monkeypatch.setenv(KEYS[kind], KEY)
    write(kind, base_url=server.address, price={"fresh": 1, "given": 5})
    batch = ask(collection, service="cloud", model=MODELS[kind])
    assert set(Suggestion.objects.values_list("state", flat=True)) == {"DONE"}
    assert all(re.fullmatch(PATHS[kind], asked["path"]) for asked in server.script.asked)
    assert server.script.keys == {KEY}
    assert batch.price["given"] == "5"


@pytest.mark.parametrize("kind", ["bedrock", "vertex"])
def test_what_a_model_takes_is_known_by_its_name_there(serve, write, kind):
    write(kind)
    known = providers.find_provider("cloud").capabilities(MODELS[kind])
    assert known == providers.find_provider("anthropic").capabilities("claude-haiku-5-5")


@clouds
def test_without_a_key_it_says_what_to_set(write, kind):
    write(kind, base_url="https://ours.example.org")
    sentence = providers.missing_setups()["cloud"]
    assert sentence.startswith(f"Set {KEYS[kind]} in the environment of the server and of the worker")
    assert ("install" in sentence) == (kind != "azure")


@pytest.mark.parametrize(("kind", "package"), [("bedrock", "boto3"), ("vertex", "google.auth")])
def test_a_package_that_finds_credentials_stands_for_the_key(write, monkeypatch, kind, package):
    write(kind)
    monkeypatch.setattr(endpoints, "is_installed", lambda name: name == package)
    assert providers.missing_setups()["cloud"] == ""


@pytest.mark.parametrize(
    ("kind", "fields"), [("azure", "base_url and api_version"), ("bedrock", "region"), ("vertex", "region and project")]
)
def test_what_it_needs_is_said(tmp_path, write, kind, fields):
    write(kind)
    (tmp_path / "endpoints.json").write_text(json.dumps({"cloud": {"kind": kind}}))
    assert f"endpoint cloud: an endpoint of the kind {kind} needs {fields}" in providers.find_flaw()


@clouds
def test_its_price_is_what_the_file_says_and_nothing_else(write, kind):
    write(kind, base_url="https://ours.example.org")
    assert providers.find_price("cloud", "claude-haiku-5-5") is None
    assert providers.find_price("cloud", "gpt-4o") is None


@clouds
def test_it_takes_no_batches_and_says_so(collection, ask, write, kind):
    write(kind, base_url="https://ours.example.org")
    with pytest.raises(BadPlan, match="The service cloud has no batches of its own here; ask without them"):
        ask(collection, service="cloud", model=MODELS[kind], is_batched=True)


@clouds
def test_it_is_offered_only_where_it_is_named(write, kind):
    write(kind, base_url="https://ours.example.org")
    assert kind not in providers.list_names()
