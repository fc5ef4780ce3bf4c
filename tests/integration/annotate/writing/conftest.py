"""Texts that the stand-in of a model service writes for a collection."""

from collections.abc import Callable

import pytest

from annotate import engine
from annotate.models import Batch, Collection, Work
from annotate.writing.operations import profiles, writing
from annotate.writing.operations.writing import TextsPlan
from tests import factories
from tests.integration.annotate.suggestions.conftest import MODEL, serve  # noqa: F401


@pytest.fixture
def collection() -> Collection:
    """Two topics: "what is q1", "what is q2"."""
    return factories.make_holes(factories.make_collection("here"), topics=2, passages=3)


@pytest.fixture
def write() -> Callable[..., Batch]:
    """Ask for texts and see the work through; `on_step` gets its row after each step."""

    def request(
        collection: Collection,
        purpose: str = Batch.Purpose.BACKSTORIES,
        service: str = "anthropic",
        profile_names: tuple[str, ...] = ("neutral",),
        on_step: Callable[[Work], None] = lambda row: None,
        **wish: object,
    ) -> Batch:
        if purpose == Batch.Purpose.VARIANTS:
            names = list(profile_names)
            wish["profiles"] = tuple(profiles.choose(collection=collection, names=names, now=factories.NOW))
        said = TextsPlan(**{"service": service, "model": MODEL, "purpose": purpose, **wish})
        batch = writing.request(collection=collection, wish=said, by=None, now=factories.NOW)
        engine.see_through(batch.work_id, on_step)
        batch.refresh_from_db()
        return batch

    return request
