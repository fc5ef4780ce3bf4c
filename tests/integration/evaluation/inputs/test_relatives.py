import pytest

from annotate.models import Rater, Run
from evaluation.inputs import raters
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    made = small.with_qrels("q1 d1 3", second="q1 d1 2")
    for tag in ("d1", "d2"):
        small.add_run(made, tag)
    Run.objects.filter(tag="d2").update(model_family="BERT, GPT-4")
    Rater.objects.filter(name="gpt").update(parameters={"model": "gpt-4o"})
    return made


@pytest.mark.postgresql
def test_a_judge_is_known_by_its_own_model_and_by_those_that_taught_it(collection):
    Rater.objects.create(
        collection=collection,
        name="calibrated-1",
        kind=Rater.Kind.MODEL,
        parameters={"models": [{"name": "gpt"}]},
        created_at=collection.created_at,
    )
    assert raters.describe_judge(collection, "calibrated-1") == "calibrated-1, gpt, gpt-4o"
    assert raters.describe_judge(collection, "nist") == ""
    assert [(each.model, each.systems) for each in raters.find_relatives(collection, ["gpt", "calibrated-1"])] == [
        ("calibrated-1", ("d2",)),
        ("gpt", ("d2",)),
    ]


def test_without_a_model_or_a_run_that_names_its_family_nobody_has_relatives(collection, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert raters.find_relatives(collection, []) == []
    Run.objects.update(model_family="")
    with django_assert_num_queries(1):
        assert raters.find_relatives(collection, ["gpt"]) == []
