"""Texts that the stand-in of a model service writes for a collection."""

from collections.abc import Callable

import pytest

from annotate.models import Batch, Collection, Work
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.backstories import BackstoriesPlan
from annotate.suggestions.purposes.variants import VariantsPlan
from annotate.work import engine
from tests import factories
from tests.integration.annotate.suggestions.conftest import MODEL


@pytest.fixture
def collection() -> Collection:
    """Two topics: "what is q1", "what is q2"."""
    return factories.make_holes(factories.make_collection("here"), topics=2, passages=3)


def text_plan(collection: Collection, purpose: str, **plan: object) -> BackstoriesPlan | VariantsPlan:
    """With Lacuna's own prompt."""
    kind = VariantsPlan if purpose == Batch.Purpose.VARIANTS else BackstoriesPlan
    [usual] = prompts.list_built_in_prompts(kind.prompt_purpose)
    prompt = prompts.use_built_in_prompt(collection=collection, name=usual, now=factories.NOW)
    return kind(**{"service": "anthropic", "model": MODEL, "prompt": prompt, **plan})


@pytest.fixture
def write() -> Callable[..., Batch]:
    """Ask for texts and see the work through; `on_step` gets its row after each step."""

    def request(
        collection: Collection,
        purpose: str = Batch.Purpose.BACKSTORIES,
        service: str = "anthropic",
        profile_names: tuple[str, ...] = ("neutral",),
        on_step: Callable[[Work], None] = lambda row: None,
        **plan: object,
    ) -> Batch:
        if purpose == Batch.Purpose.VARIANTS:
            names = list(profile_names)
            plan["profiles"] = tuple(prompts.choose_profiles(collection=collection, names=names, now=factories.NOW))
        asked = text_plan(collection, purpose, service=service, **plan)
        batch = batches.start(collection=collection, plan=asked, by=None, now=factories.NOW)
        engine.see_through(batch.work_id, on_step)
        batch.refresh_from_db()
        return batch

    return request
