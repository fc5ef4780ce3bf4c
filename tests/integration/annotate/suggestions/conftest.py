"""A stand-in of a model service, and collections to ask it about."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from annotate.llm import concurrent_requests
from annotate.models import Batch, Collection, Prompt, Work
from annotate.suggestions.operations import batches, outages, prompts
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.work import engine
from tests import factories, live
from tests.model_service.script import Script
from tests.model_service.server import KEY, Server, serving

MODEL = "claude-haiku-4-5"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """After `make test-live`: what it spent, and what was not checked."""
    if live.IS_LIVE:
        terminalreporter.section("real models")
        for line in live.report():
            terminalreporter.write_line(line)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Server]]:
    """Start a stand-in that follows a script, and point both SDKs to it."""
    with ExitStack() as stack:

        def start(**script: object) -> Server:
            server = stack.enter_context(serving(Script(**script)))
            for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
                monkeypatch.setenv(name, KEY)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.address)
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
            monkeypatch.setattr(concurrent_requests, "FIRST_SECONDS", 0.01)
            monkeypatch.setattr(concurrent_requests, "poll_seconds", lambda looks: 0.05)
            monkeypatch.setattr(outages, "FIRST_SECONDS", 0.05)
            monkeypatch.setattr(outages, "LONGEST_SECONDS", 0.4)
            return server

        yield start


@pytest.fixture
def collection() -> Collection:
    return factories.make_holes(factories.make_collection(), topics=2, passages=5)


@pytest.fixture
def ask() -> Callable[..., Batch]:
    """Ask a service about a collection's pairs and see the work through; `on_step` gets its row after each step."""

    def request(
        collection: Collection,
        service: str = "anthropic",
        prompt: str | Prompt = "direct",
        on_step: Callable[[Work], None] = lambda row: None,
        **plan: object,
    ) -> Batch:
        if isinstance(prompt, str):
            prompt = prompts.use_built_in_prompt(collection=collection, name=prompt, now=factories.NOW)
        asked = GradesPlan(**{"service": service, "model": MODEL, "prompt": prompt, **plan})
        batch = batches.start(collection=collection, plan=asked, by=None, now=factories.NOW)
        engine.see_through(batch.work_id, on_step)
        batch.refresh_from_db()
        return batch

    return request
