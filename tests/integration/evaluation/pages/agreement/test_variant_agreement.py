"""How people agree on query variants."""

import pytest
from django.urls import reverse

from annotate.models import QueryVariant, VariantCheck
from annotate.suggestions.operations import prompts
from annotate.texts import operations as variants_operations
from annotate.texts.operations import CheckAnswer
from evaluation.findings import variants
from tests import factories, visitors

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """Four variants of two profiles."""
    made = factories.make_holes(factories.make_collection("here"), topics=1, passages=1)
    for name in ("child", "expert"):
        profile = prompts.use_built_in_profile(collection=made, name=name, now=factories.NOW)
        topic = made.topics.get()
        variants_operations.add_variants(
            collection=made, topic=topic, profile=profile, texts=["one", "two"], now=factories.NOW
        )
    variants_operations.draw_checks(collection=made, per_profile=9, people=2)
    return made


def say(member, meanings: list[bool], rights: list[bool], is_turned: bool = False) -> None:
    """Of the four variants in their order; `is_turned`: the two profiles stand the other way round."""
    rows = QueryVariant.objects.order_by("pk").select_related("profile")
    both = list({row.profile_id for row in rows})
    for row, meaning, right in zip(rows, meanings, rights, strict=True):
        offered = both[::-1] if is_turned else both
        place = offered.index(row.profile_id) if right else 1 - offered.index(row.profile_id)
        said = CheckAnswer(meaning, ["FIRST", "SECOND"][place], *offered)
        variants_operations.record_check(member=member, variant_id=row.pk, answer=said, now=factories.NOW)


def test_agreement_is_told_for_both_questions_whatever_the_order_of_the_profiles(collection):
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    say(first, [True, True, False, False], [True, True, True, False])
    say(second, [True, False, False, False], [True, True, True, False], is_turned=True)
    meaning, writer = variants.compare_people(collection)
    assert (meaning.variants, meaning.people, len(meaning.couples)) == (4, 2, 1)
    assert meaning.couples[0].equal.value == 0.75
    assert meaning.couples[0].kappa.value == pytest.approx(0.5)
    assert writer.alpha.value == 1.0
    assert writer.couples[0].kappa.value == 1.0


def test_what_is_undefined_says_why_and_never_nan(collection):
    say(factories.make_assessor(collection), [True] * 4, [True] * 4)
    page = visitors.researcher(collection).get(reverse("variant_agreement", args=["here"]))
    words = visitors.words(page)
    assert "Fewer than two raters." in words and "nan" not in words.lower()
    say(factories.make_assessor(collection), [True] * 4, [True] * 4)
    assert "so there is no agreement beyond chance" in visitors.words(
        visitors.researcher(collection).get(reverse("variant_agreement", args=["here"]))
    )


def test_it_is_taken_home_as_tables(collection):
    for _ in range(2):
        say(factories.make_assessor(collection), [True, False] * 2, [True, False] * 2)
    visitor = visitors.researcher(collection)
    text = visitor.get(reverse("variant_agreement_table", args=["here", "csv"])).content.decode()
    assert "Same meaning,assessor-1,assessor-2,4,1.0" in text
    assert visitor.get(reverse("variant_agreement_table", args=["here", "tex"])).status_code == 200
    assert visitor.get(reverse("variant_agreement_table", args=["here", "png"])).status_code == 404


@pytest.mark.postgresql
def test_without_answers_the_page_stands(db):
    empty = factories.make_collection("here")
    page = visitors.researcher(empty).get(reverse("variant_agreement", args=["here"]))
    assert page.status_code == 200 and not VariantCheck.objects.exists()


def test_only_researchers_see_it(collection):
    address = reverse("variant_agreement", args=["here"])
    assert visitors.assessor(collection).get(address).status_code == 403
    assert visitors.stranger().get(address).status_code == 404
