"""What a collection lacks for a study, each reason by itself."""

import pytest

from evaluation.studies.design import prerequisites
from evaluation.studies.design.prerequisites import KINDS, Contents

ENOUGH = Contents(runs=2, variant_runs=1, variants=3, references=1, models=1, samples=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_collection_that_has_all_may_start_it(kind):
    prerequisites.check_prerequisites(kind, ENOUGH)
    assert prerequisites.meets_prerequisites(kind, ENOUGH)


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
    with pytest.raises(prerequisites.PrerequisiteMissing, match=sentence):
        prerequisites.check_prerequisites(kind, facts)
    assert not prerequisites.meets_prerequisites(kind, facts)


@pytest.mark.parametrize("kind", ["HOLES", "PROFILES"])
def test_judgments_of_people_are_as_good_as_a_reference(kind):
    assert prerequisites.meets_prerequisites(kind, Contents(runs=2, variant_runs=1, variants=1, has_judged=True))
