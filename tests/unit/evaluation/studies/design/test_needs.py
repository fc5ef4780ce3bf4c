"""What a collection lacks for a study, each reason by itself."""

import pytest

from evaluation.studies.design import needs
from evaluation.studies.design.needs import KINDS, Facts

ENOUGH = Facts(runs=2, variant_runs=1, variants=3, references=1, models=1, samples=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_collection_that_has_all_may_start_it(kind):
    needs.check(kind, ENOUGH)
    assert needs.may(kind, ENOUGH)


@pytest.mark.parametrize(
    ("kind", "facts", "sentence"),
    [
        ("HOLES", Facts(runs=1, references=1), "two runs at least"),
        ("HOLES", Facts(runs=2, models=1), "import reference qrels, or let people judge"),
        ("PROFILES", Facts(runs=2, references=1), "needs query variants"),
        ("PROFILES", Facts(variants=3, references=1), "what systems retrieve for the query variants"),
        ("PROFILES", Facts(variants=3, variant_runs=1), "needs grades"),
        ("SOURCES", Facts(runs=0, references=1, models=1), "two runs at least"),
        ("SOURCES", Facts(runs=2, models=1), "stand beside others"),
        ("SOURCES", Facts(runs=2, references=1), "needs the grades of a model"),
        ("MIXED", Facts(runs=2, references=1, models=1), "recorded before people judged"),
    ],
)
def test_what_is_lacking_is_said(kind, facts, sentence):
    with pytest.raises(needs.Lacking, match=sentence):
        needs.check(kind, facts)
    assert not needs.may(kind, facts)


@pytest.mark.parametrize("kind", ["HOLES", "PROFILES"])
def test_judgments_of_people_are_as_good_as_a_reference(kind):
    assert needs.may(kind, Facts(runs=2, variant_runs=1, variants=1, has_judged=True))
