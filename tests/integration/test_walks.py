"""How many files of Lacuna a person has to read to follow a thing from the page to the row: `-s` prints them."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from django.forms import BaseForm
from django.urls import reverse

from annotate.models import Judgment, Suggestion
from annotate.work import engine
from tests import factories, visitors
from tests.integration.annotate.judging.test_judging import fields
from tests.integration.evaluation import small
from tests.model_service.script import Script
from tests.model_service.server import KEY, serving

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
OPTIMIZED = 1  # a flag of the code of functions; that of a module or a class, which an import runs, lacks it
OURS = tuple(f"{ROOT}/{package}/" for package in ("annotate", "evaluation", "config"))


@contextmanager
def walked() -> Iterator[set[str]]:
    """The files of Lacuna in which a function is called meanwhile, in any thread; imports do not count."""
    codes = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    files: set[str] = set()
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        named = {code.co_filename for code in codes if code.co_flags & OPTIMIZED}
        files |= {name.removeprefix(f"{ROOT}/") for name in named if name.startswith(OURS)}


def tell(walk: str, files: set[str]) -> int:
    print(f"\n{walk}: {len(files)} files", *sorted(files), sep="\n  ")
    return len(files)


def test_a_grade_passes_few_files():
    assessor = factories.make_assessor(factories.make_holes(factories.make_collection("here")))
    visitor = visitors.of(assessor.user)
    save, card = reverse("save_judgment", args=["here"]), fields(visitor.get(reverse("judge", args=["here"])))
    card = fields(visitor.post(save, {**card, "grade": "1"}, HTTP_HX_REQUEST="true"))
    with walked() as files:
        visitor.post(save, {**card, "grade": "2"}, HTTP_HX_REQUEST="true")
    assert Judgment.objects.count() == 2
    assert tell("A grade that is saved, and the card of the next pair", files) <= 16


def test_the_first_leaderboard_passes_few_files():
    collection = small.three_systems()
    visitor, where = visitors.researcher(collection), reverse("leaderboard", args=[collection.slug])
    with walked() as files:
        answer = visitor.get(where)
    assert answer.context["board"]
    assert tell("The first leaderboard", files) <= 30


def test_a_suggestion_passes_few_files(monkeypatch):
    collection = factories.make_holes(factories.make_collection())
    visitor = visitors.researcher(collection)
    where = reverse("ask_model", args=[collection.slug])
    filled = initial(visitor.get(where).context["form"]) | {"model": "claude-haiku-4-5", "prompt": "built-in:direct"}
    with serving(Script()) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.address)
        with walked() as files:
            visitor.post(where, {**filled, "start": "yes"})
            engine.run_waiting()
    assert Suggestion.objects.exclude(grade=None).count() == 6
    assert tell("A suggestion from the form to the stored grade", files) <= 32


def initial(form: BaseForm) -> dict[str, object]:
    """What a browser would send of a form that nobody has changed."""
    first = {name: field.choices[0][0] for name, field in form.fields.items() if hasattr(field, "choices")}
    values = {name: form[name].initial for name in form.fields}
    return first | {name: value for name, value in values.items() if value is not None}
