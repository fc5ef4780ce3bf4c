"""Checking query variants with the keyboard, as pairs are judged."""

import pytest
from django.urls import reverse

from annotate.models import VariantCheck
from annotate.suggestions.operations import prompts
from annotate.texts import operations as variants_operations
from annotate.texts.queries import variants as variants_queries
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assessor():
    collection = factories.make_holes(factories.make_collection("here"), topics=1, passages=1)
    for name in ("child", "expert"):
        profile = prompts.use_built_in_profile(collection=collection, name=name, now=factories.NOW)
        topic = collection.topics.get()
        variants_operations.add_variants(
            collection=collection, topic=topic, profile=profile, texts=[f"{name} asks"], now=factories.NOW
        )
    variants_operations.draw_checks(collection=collection, per_profile=5, people=1)
    return factories.make_assessor(collection)


def test_two_keys_answer_and_the_next_variant_comes(page, sign_in, press, assessor):
    sign_in(page, assessor.user)
    page.goto(reverse("check_variants", args=["here"]))
    first = variants_queries.find_next_turn(assessor).variant
    assert page.get_by_text(first.text).is_visible()
    press(page, "y")
    assert page.locator("[name=meaning][value=yes]").is_checked()
    press(page, "e")
    page.get_by_text("1 said, 1 left").wait_for()
    check = VariantCheck.objects.get()
    assert (check.variant, check.has_same_meaning, check.writer) == (first, True, "EITHER")
    press(page, "2")
    press(page, "n")
    page.get_by_role("heading", name="No variant waits for you").wait_for()
    assert set(VariantCheck.objects.values_list("has_same_meaning", "writer")) == {(True, "EITHER"), (False, "SECOND")}


def test_the_last_answer_comes_back_with_u(page, sign_in, press, assessor):
    sign_in(page, assessor.user)
    page.goto(reverse("check_variants", args=["here"]))
    for key in ("y", "1", "u"):
        press(page, key)
    assert page.locator("[name=writer][value=FIRST]").is_checked()
    press(page, "n")
    page.get_by_text("1 said, 1 left").wait_for()
    assert VariantCheck.objects.get().has_same_meaning is False
