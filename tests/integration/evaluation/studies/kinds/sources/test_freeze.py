"""What a source study freezes speaks for itself afterwards, whatever becomes of the collection."""

import json

import pytest

from annotate.models import Collection, Judgment, Rater, Run, Suggestion
from evaluation.studies.design import run_all
from evaluation.studies.kinds.registry import CannotStudy
from evaluation.studies.kinds.sources import freeze as sources_freeze
from evaluation.studies.kinds.sources import parts as sources_parts
from evaluation.studies.kinds.sources.plan import Plan
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
ASKED = Plan(model="gpt", calibrated="gpt", resamples=20)


@pytest.fixture
def collection():
    """A reference grade for q1 d1, a pool of more, and a model that grades all of it."""
    made = small.with_qrels("q1 d1 3, q2 d1 1", second="q1 d1 1, q1 d2 2, q1 d3 0, q2 d1 1, q2 d2 3, q2 d3 1")
    factories.import_text(made, "PASSAGES", "d1\tone\nd2\ttwo\nd3\tthree\n")
    for tag in ("d1>d2>d3", "d3>d2>d1", "d2>d3>d1"):
        small.add_run(made, tag, model_family="GPT" if tag == "d2>d3>d1" else "")
    factories.build_pool(made)
    Collection.objects.filter(pk=made.pk).update(target=2)
    made.refresh_from_db()
    return made


def freeze(collection, plan=ASKED):
    """The manifest as the database gives it back."""
    return json.loads(json.dumps(sources_freeze.freeze(collection=collection, plan=plan), sort_keys=True))


def found(manifest, plan=ASKED):
    inputs = sources_freeze.thaw(manifest)
    return run_all(sources_parts, plan, inputs)


def judged_by(collection, *grades):
    """Each assessor gives one grade to the first pair that is due to them."""
    return [factories.judge(factories.make_assessor(collection), grade) for grade in grades]


def pair_of(judgment):
    return judgment.pair.topic.query_id, judgment.pair.passage_id


def test_every_set_of_labels_says_whose_each_grade_is(collection):
    inputs = sources_freeze.thaw(freeze(collection))
    assert {name: each.qrels for name, each in inputs.grades.items()} == {
        "people": {"q1": {"d1": 3}, "q2": {"d1": 1}},
        "people and model": {"q1": {"d1": 3, "d2": 2, "d3": 0}, "q2": {"d1": 1, "d2": 3, "d3": 1}},
        "model": {"q1": {"d1": 1, "d2": 2, "d3": 0}, "q2": {"d1": 1, "d2": 3, "d3": 1}},
        "calibrated": {"q1": {"d1": 3, "d2": 2, "d3": 0}, "q2": {"d1": 1, "d2": 3, "d3": 1}},
    }
    assert inputs.grades["people and model"].origins["q1"] == {"d1": "reference", "d2": "model", "d3": "model"}
    assert inputs.grades["model"].origins["q1"]["d1"] == "model"


def test_probabilities_of_the_calibrated_judge_count_in_the_place_of_its_grades(collection):
    Suggestion.objects.filter(pair__passage_id="d2").update(probabilities=[0.1, 0.2, 0.3, 0.4])
    kept = sources_freeze.thaw(freeze(collection)).grades
    assert kept["calibrated"].probabilities["q1"] == {"d2": [0.1, 0.2, 0.3, 0.4]}
    assert "d2" not in kept["calibrated"].qrels["q1"] and kept["calibrated"].origins["q1"]["d2"] == "model"
    assert kept["people and model"].probabilities == {}


def test_assessors_are_frozen_beside_what_counts_before_them(collection):
    one, other = judged_by(collection, 2, 2)
    inputs = sources_freeze.thaw(freeze(collection))
    query_id, passage_id = pair_of(one)
    assert sorted(inputs.assessors) == sorted(each.assessor.pseudonym for each in (one, other))
    assert all(given == {query_id: {passage_id: 2}} for given in inputs.assessors.values())
    assert inputs.above == {"q1": {"d1": 3}, "q2": {"d1": 1}} and inputs.below == {}
    told = {each["assessor"]: each for each in found(freeze(collection))["assessors"]}
    assert {each["becomes_hole"] for each in told.values()} == {0}


def test_where_people_may_overrule_the_reference_it_counts_after_them(collection):
    inputs = sources_freeze.thaw(freeze(collection, Plan(people="people,reference", model="gpt")))
    assert (inputs.above, inputs.below) == ({}, {"q1": {"d1": 3}, "q2": {"d1": 1}})


@pytest.mark.postgresql
def test_what_nobody_can_judge_counts_for_no_assessor(collection):
    one, _ = judged_by(collection, 2, 1)
    factories.decide(one.pair, None)
    assert sources_freeze.thaw(freeze(collection)).assessors == {}


def test_a_rule_without_people_has_no_assessors(collection):
    judged_by(collection, 2)
    manifest = freeze(collection, Plan(people="reference", model="gpt"))
    assert manifest["people"] is None
    assert sources_freeze.thaw(manifest).assessors == {}


def test_the_judge_is_known_by_its_name_its_model_and_the_models_that_taught_it(collection):
    Rater.objects.filter(name="gpt").update(parameters={"model": "gpt-4o"})
    Rater.objects.create(
        collection=collection, name="calibrated-1", kind="MODEL", parameters={"models": [{"name": "gpt"}]},
        created_at=factories.NOW,
    )  # fmt: skip
    manifest = freeze(collection, Plan(model="gpt", calibrated="calibrated-1"))
    assert [labels["judge"] for labels in manifest["labels"]] == [
        "",
        "gpt, gpt-4o",
        "gpt, gpt-4o",
        "calibrated-1, gpt, gpt-4o",
    ]
    told = found(manifest, Plan(model="gpt", calibrated="calibrated-1", resamples=20))["labels"]
    assert [each["against"]["circularity"]["systems"] for each in told[1:]] == [["d2>d3>d1"]] * 3


def test_what_becomes_of_the_collection_changes_nothing(collection):
    judged_by(collection, 2, 1)
    manifest = freeze(collection)
    before = found(manifest)
    Judgment.objects.update(grade=0)
    Suggestion.objects.update(grade=0)
    Run.objects.update(model_family="")
    assert found(manifest) == before


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan(model="nobody"), "no model rater named 'nobody'"),
        (Plan(people="everybody", model="gpt"), "'everybody' is not a source"),
    ],
)
def test_what_there_is_not_is_refused(collection, plan, sentence):
    with pytest.raises(CannotStudy, match=sentence):
        sources_freeze.freeze(collection=collection, plan=plan)


def test_one_run_is_no_ranking():
    made = small.with_qrels("q1 d1 3", second="q1 d1 2")
    small.add_run(made, "d1")
    with pytest.raises(CannotStudy, match="two systems at least"):
        sources_freeze.freeze(collection=made, plan=ASKED)
