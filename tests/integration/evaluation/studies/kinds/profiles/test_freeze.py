"""What a profile study freezes speaks for itself afterwards, whatever becomes of the collection."""

import json

import pytest

from annotate.models import Profile, QueryVariant, ReferenceGrade, Suggestion
from evaluation.studies.design import run_all
from evaluation.studies.kinds.profiles import freeze as profiles_freeze
from evaluation.studies.kinds.profiles import parts as profiles_parts
from evaluation.studies.kinds.profiles.plan import Plan
from evaluation.studies.kinds.registry import CannotStudy
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
MAPPING = "".join(
    f"v{number}\tq{topic}\t{profile}\t1\n"
    for number, (topic, profile) in enumerate([(1, "child"), (2, "child"), (1, "expert"), (2, "expert")])
)
FILLED = Plan(after="reference,adjudicated,people,model:gpt", resamples=20)


@pytest.fixture
def collection():
    made = small.with_qrels("q1 d1 3, q1 d2 0, q2 d1 1", second="q1 d3 2, q2 d2 3, q2 d3 0")
    factories.import_text(made, "VARIANTS", MAPPING)
    for tag, order in (("a", ["d1", "d2", "d3"]), ("b", ["d3", "d2", "d1"])):
        for ranks_variants, queries in ((False, ["q1", "q2"]), (True, ["v0", "v1", "v2", "v3", "unknown"])):
            lines = [f"{query} Q0 {name} 0 {-rank} {tag}\n" for query in queries for rank, name in enumerate(order)]
            factories.import_text(made, "RUN", "".join(lines), ranks_variants=ranks_variants)
    return made


def freeze(collection, plan=FILLED):
    """The manifest as the database gives it back."""
    return json.loads(json.dumps(profiles_freeze.freeze(collection=collection, plan=plan), sort_keys=True))


def found(manifest, plan=FILLED):
    inputs = profiles_freeze.thaw(manifest)
    return run_all(profiles_parts, plan, inputs)


def test_a_manifest_names_every_input_with_its_digest(collection):
    manifest = freeze(collection)
    assert (manifest["scale"], manifest["depth"], manifest["variants"]["number"]) == ([0, 3], 10, 4)
    assert (
        [run["run_tag"] for run in manifest["runs"]] == [run["run_tag"] for run in manifest["seed_runs"]] == ["a", "b"]
    )
    assert manifest["before"]["pairs"] == 3 and manifest["after"]["pairs"] == 6
    assert all(len(run["digest"]) == 64 for run in manifest["runs"])


def test_it_thaws_what_the_study_computes_with(collection):
    inputs = profiles_freeze.thaw(freeze(collection))
    assert inputs.before == {"q1": {"d1": 3, "d2": 0}, "q2": {"d1": 1}}
    assert inputs.after == {"q1": {"d1": 3, "d2": 0, "d3": 2}, "q2": {"d1": 1, "d2": 3, "d3": 0}}
    assert [run.query_ids for run in inputs.runs] == [("v0", "v1", "v2", "v3")] * 2
    result = found(freeze(collection))
    assert [side["side"] for side in result["sides"]] == ["before", "after"]
    assert [each["missing"] for each in result["sides"][1]["means"]["profiles"]] == [0.0, 0.0]
    assert [each["system"] for each in result["sides"][0]["means"]["seed"]] == ["a", "b"]


def test_a_models_grades_count_by_its_probabilities_where_it_gave_them_and_the_measure_can(collection):
    Suggestion.objects.filter(pair__passage_id="d2").update(probabilities=[0.1, 0.2, 0.3, 0.4])
    manifest = freeze(collection)
    inputs = profiles_freeze.thaw(manifest)
    assert (manifest["after"]["pairs"], manifest["after"]["by_chances"]) == (6, 1)
    assert inputs.after_probabilities == {"q2": {"d2": [0.1, 0.2, 0.3, 0.4]}} and "d2" not in inputs.after["q2"]
    assert [side["by_chances"] for side in found(manifest)["sides"]] == [0, 1]
    for plan in (FILLED.model_copy(update={"is_by_chances": False}), FILLED.model_copy(update={"measure": "bpref"})):
        as_grades = profiles_freeze.thaw(freeze(collection, plan))
        assert as_grades.after_probabilities == {} and as_grades.after["q2"]["d2"] == 3


def test_what_becomes_of_the_collection_changes_nothing(collection):
    manifest = freeze(collection)
    before = found(manifest)
    ReferenceGrade.objects.update(grade=0)
    QueryVariant.objects.all().delete()
    assert found(manifest) == before


def test_methods_are_the_groups_of_the_profiles(collection):
    Profile.objects.filter(name="child").update(group=Profile.Group.PERSONA)
    assert found(freeze(collection))["profiles"] == [
        {"profile": "child", "method": "persona"},
        {"profile": "expert", "method": "group"},
    ]


@pytest.mark.postgresql
def test_without_a_rule_of_filled_grades_there_is_one_side(collection):
    plan = Plan(resamples=20)
    assert [side["side"] for side in found(freeze(collection, plan), plan)["sides"]] == ["before"]


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan(after="people,model:nobody"), "no model rater named 'nobody'"),
        (Plan(before="everybody"), "'everybody' is not a source"),
        (Plan(systems=("a", "best")), "No run of query variants has the tag 'best'"),
    ],
)
def test_what_there_is_not_is_refused(collection, plan, sentence):
    with pytest.raises(CannotStudy, match=sentence):
        profiles_freeze.freeze(collection=collection, plan=plan)


def test_without_variants_or_without_runs_of_them_there_is_nothing_to_study(collection):
    empty = small.with_qrels("q1 d1 3")
    with pytest.raises(CannotStudy, match="There are no query variants"):
        profiles_freeze.freeze(collection=empty, plan=FILLED)
    factories.import_text(empty, "VARIANTS", "w1\tq1\tchild\t1\n")
    with pytest.raises(CannotStudy, match="No run ranks query variants"):
        profiles_freeze.freeze(collection=empty, plan=FILLED)
