"""What `make test-live` says at its end."""

from collections import defaultdict

import pytest

from annotate.llm.messages import Tokens
from tests import live


@pytest.fixture(autouse=True)
def _without_keys(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", live.LOCAL_URL, live.LOCAL_MODEL):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(live, "_spent", defaultdict(list))


def test_without_keys_it_says_of_each_family_that_it_was_not_checked():
    *families, total = live.report()
    assert [line.split(":")[0] for line in families] == list(live.FAMILIES)
    assert all("not checked. Set " in line for line in families)
    assert total == "All together: $0.000000"


def test_what_was_asked_is_said_with_its_cost(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-1234")
    live.count("claude-haiku-4-5", Tokens(fresh=1000, given=10))
    live.count("claude-haiku-4-5", Tokens(fresh=500, cached=500))
    said = live.report()
    assert said[0] == "claude-haiku-4-5: 2 answers, 2,000 tokens read, 10 written, $0.001600"
    assert said[-1] == "All together: $0.001600"


def test_a_local_server_has_no_price(monkeypatch):
    monkeypatch.setenv(live.LOCAL_URL, "http://localhost:8000/v1")
    monkeypatch.setenv(live.LOCAL_MODEL, "llama")
    live.count("local-think", Tokens(fresh=7, given=1))
    assert "local-think: 1 answers, 7 tokens read, 1 written, at a price that is not known" in live.report()
