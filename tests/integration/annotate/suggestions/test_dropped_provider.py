"""A provider is one file: dropped into the folder, it is offered by page and command, and asked."""

import io
import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotate.llm import endpoints, providers
from annotate.llm.endpoints import Endpoint
from annotate.models import Prompt, Suggestion
from annotate.suggestions.purposes.backstories import BackstoriesPlan
from annotate.texts.rules import USUAL_TEMPERATURE
from tests import factories, visitors

pytestmark = pytest.mark.django_db

FILE = """
from annotate.llm.capabilities import Capabilities
from annotate.llm.messages import Reply, Stop, Tokens
from annotate.llm.capabilities import PriceTable
from annotate.llm.endpoints import Endpoint
from annotate.llm.providers import Provider


class Client:
    def __init__(self, endpoint):
        self.endpoint = endpoint

    async def answer(self, request, capabilities):
        return Reply("2", Stop.END, "end", Tokens(fresh=1000, given=1))

    async def list_capabilities(self, model, known):
        return known

    async def close(self):
        pass


PROVIDER = Provider(
    name="scripted",
    label="A service that always answers 2",
    endpoint=Endpoint(key="SCRIPTED_API_KEY", address="SCRIPTED_BASE_URL"),
    client=Client,
    capabilities=lambda model: Capabilities(own_temperature=0.5),
    prices=PriceTable("2026-12-01", {"two": ("1", "1", "1", "1")}),
)
"""


@pytest.fixture(autouse=True)
def _dropped(tmp_path, monkeypatch):
    """The folder of providers with one more file."""
    (tmp_path / "scripted.py").write_text(FILE)
    monkeypatch.setattr(providers, "__path__", [*providers.__path__, str(tmp_path)])
    monkeypatch.setenv("SCRIPTED_API_KEY", "sk-scripted-1")
    caches = (providers.installed, providers.kinds, providers._modules)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection(), topics=2, passages=3)


@pytest.mark.parametrize("page", ["ask_model", "probe", "write_backstories", "write_variants"])
def test_pages_offer_it(collection, page):
    form = visitors.researcher(collection).get(reverse(page, args=[collection.slug])).context["form"]
    field = form.fields.get("service") or form.fields["judge"]
    assert ("scripted", "A service that always answers 2") in list(field.choices)


@pytest.mark.parametrize("command", ["suggest", "probe_judge", "backstories", "variants"])
def test_commands_offer_it(command, capsys):
    with pytest.raises(SystemExit):
        call_command(command, "--help")
    assert "scripted" in capsys.readouterr().out


def test_it_is_asked_and_paid_by_its_own_prices(collection):
    out = io.StringIO()
    asked = ("--collection", collection.slug, "--judge", "scripted", "--model", "two", "--budget", "1")
    call_command("suggest", *asked, "--wait", "--json", stdout=out)
    answer = json.loads(out.getvalue())
    assert (answer["state"], answer["calls"], answer["cost"]) == ("DONE", 6, "0.006006")
    assert set(Suggestion.objects.values_list("grade", flat=True)) == {2}


def test_its_key_is_asked_for_and_taken_out_of_texts(collection, monkeypatch):
    assert endpoints.remove_keys("no such key: sk-scripted-1") == "no such key: [key]"
    monkeypatch.delenv("SCRIPTED_API_KEY")
    page = visitors.researcher(collection).get(reverse("ask_model", args=[collection.slug]))
    assert page.context["missing"]["scripted"].startswith("Set SCRIPTED_API_KEY in the environment")


def test_a_temperature_that_is_its_own_is_not_sent(collection):
    asked = {"service": "scripted", "model": "two", "prompt": Prompt()}
    own, other = (BackstoriesPlan(**asked, temperature=at).parameters(collection) for at in (0.5, USUAL_TEMPERATURE))
    assert (own["temperature"], other["temperature"]) == (None, 1.0)


def test_a_key_that_messages_would_not_hide_is_refused():
    with pytest.raises(ValueError, match="SCRIPTED_PASS ends in none of"):
        Endpoint(key="SCRIPTED_PASS", address="SCRIPTED_BASE_URL")
