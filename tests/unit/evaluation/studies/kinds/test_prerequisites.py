"""What a collection lacks for a study, each reason by itself."""

import pytest

from evaluation.models import Study
from evaluation.studies.design import Contents
from evaluation.studies.kinds import registry

ENOUGH = Contents(runs=2, variant_runs=1, variants=3, references=1, models=1, samples=1)


def test_every_kind_of_the_database_is_found_and_in_its_order():
    assert list(registry.list_kinds()) == Study.Kind.values


@pytest.mark.parametrize("kind", Study.Kind.values)
def test_a_collection_that_has_all_may_start_it(kind):
    assert registry.get_kind(kind).why_not(ENOUGH) == ""


@pytest.mark.parametrize(
    ("kind", "facts", "sentence"),
    [
        ("HOLES", Contents(runs=1, references=1), "two runs at least"),
        ("HOLES", Contents(runs=2, models=1), "import reference qrels, or let people judge"),
        ("PROFILES", Contents(runs=2, references=1), "needs query variants"),
        ("PROFILES", Contents(variants=3, references=1), "what systems retrieve for the query variants"),
        ("PROFILES", Contents(variants=3, variant_runs=1), "needs grades"),
        ("SOURCES", Contents(runs=0, references=1, models=1), "two runs at least"),
        ("SOURCES", Contents(runs=2, models=1), "stand beside others"),
        ("SOURCES", Contents(runs=2, references=1), "needs the grades of a model"),
        ("MIXED", Contents(runs=2, references=1, models=1), "recorded before people judged"),
    ],
)
def test_what_is_lacking_is_said(kind, facts, sentence):
    assert sentence in registry.get_kind(kind).why_not(facts)


@pytest.mark.parametrize("kind", ["HOLES", "PROFILES"])
def test_judgments_of_people_are_as_good_as_a_reference(kind):
    assert registry.get_kind(kind).why_not(Contents(runs=2, variant_runs=1, variants=1, has_judged=True)) == ""
