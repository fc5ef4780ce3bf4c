"""What a hole study freezes speaks for itself afterwards, whatever becomes of the collection."""

import json

import pytest

from annotate.models import Rater, ReferenceGrade
from annotate.pool.operations import pooling
from evaluation.studies.design import run_all
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.holes import freeze as holes_freeze
from evaluation.studies.kinds.holes import parts as holes_parts
from evaluation.studies.kinds.holes.plan import Plan
from evaluation.studies.kinds.holes.report import make_report
from evaluation.studies.kinds.registry import CannotStudy
from tests import factories
from tests.integration.evaluation import small, study_site

pytestmark = pytest.mark.django_db
ASKED = Plan(holes=("all",), fillers=("model:gpt", "bpref"), fractions=(0.5,), trials=2)


@pytest.fixture
def collection():
    return study_site.make()


def freeze(collection, plan=ASKED):
    """The manifest as the database gives it back."""
    return json.loads(json.dumps(holes_freeze.freeze(collection=collection, plan=plan), sort_keys=True))


def found(inputs, plan=ASKED):
    return json.dumps(run_all(holes_parts, plan, inputs))


def test_a_manifest_names_every_input_with_its_digest(collection):
    manifest = freeze(collection)
    assert (manifest["scale"], manifest["plan"], manifest["texts"]) == ([0, 3], ASKED.to_json(), None)
    assert (manifest["reference"]["rater"], manifest["reference"]["pairs"]) == ("nist", 32)
    assert [run["run_tag"] for run in manifest["runs"]] == [f"system-{number}" for number in range(5)]
    assert [(model["fill"], model["rater"], model["pairs"]) for model in manifest["models"]] == [
        ("model:gpt", "gpt", 32)
    ]
    assert len(frozen.thaw_json(manifest["reference"]["grades"])) == 32


def test_a_judge_that_saw_the_grades_is_told_and_warned_of(collection):
    assert holes_freeze.thaw(freeze(collection)).own_judges == []
    Rater.objects.filter(name="gpt").update(judge="learned")
    plan = Plan(holes=("all",), fillers=("model:gpt",), fractions=(0.5,), trials=10)
    result = json.loads(found(holes_freeze.thaw(freeze(collection, plan)), plan))
    assert result["own_judges"] == ["model:gpt"]
    [warning] = [each for each in make_report(plan, result).warnings if "it saw the grades" in each]
    assert warning.startswith("model:gpt rests on a judge that was taught by the judged pairs of this collection")


def test_what_was_frozen_is_thawed(collection):
    inputs = holes_freeze.thaw(freeze(collection))
    assert sum(map(len, inputs.qrels.values())) == 32
    assert inputs.models.keys() == {"model:gpt"}
    assert inputs.groups == {f"system-{number}": f"group {number % 2}" for number in range(5)}
    assert inputs.rankings.at_ranks.shape == (5, 4, 8)


def test_a_study_goes_on_with_the_grades_of_its_beginning(collection):
    manifest = freeze(collection)
    before = found(holes_freeze.thaw(manifest))
    ReferenceGrade.objects.filter(rater__name="nist").update(grade=3)
    assert found(holes_freeze.thaw(manifest)) == before
    assert freeze(collection)["reference"]["grades"] != manifest["reference"]["grades"]


def test_two_orders_of_import_give_the_same_inputs_and_the_same_result(collection):
    other = study_site.make(is_backwards=True)
    here, there = freeze(collection), freeze(other)
    assert (here["reference"], here["models"]) == (there["reference"], there["models"])
    assert found(holes_freeze.thaw(here)) == found(holes_freeze.thaw(there))


def test_grades_that_a_draw_of_holes_took_count_again(collection):
    before = freeze(collection)
    pooling.draw_holes(collection=collection, fraction=0.5, chosen=[1, 2, 3], seed=1, by=None, now=factories.NOW)
    assert freeze(collection)["reference"] == before["reference"]


@pytest.mark.postgresql
def test_judges_get_the_texts_of_graded_passages_and_what_models_say(collection):
    texts = "".join(f"d{number}\tpassage {number} tells\n" for number in range(6)) + "elsewhere\tno grade\n"
    factories.import_text(collection, "PASSAGES", texts)
    plan = Plan(holes=("all",), fillers=("learned", "calibrated:gpt"), fractions=(0.5,), trials=1)
    inputs = holes_freeze.thaw(freeze(collection, plan))
    assert inputs.texts.keys() == {"learned", "calibrated:gpt"}
    assert sorted(inputs.texts["learned"].passages) == [f"d{number}" for number in range(6)]
    assert inputs.texts["learned"].topics["q1"] == ("topic q1", "")
    assert len(inputs.model_labels["calibrated:gpt"]) == 32
    rows = {row["fill"]: row for row in json.loads(found(inputs, plan))["results"]}
    assert rows["learned"]["unfilled"]["mean"] < rows["learned"]["dropped"]["mean"]


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan(reference="somebody"), "There is no rater 'somebody'"),
        (Plan(reference="gpt2"), "There is no rater 'gpt2'"),
        (Plan(fillers=("model:llama",)), "There is no rater 'llama'"),
        (Plan(fillers=("constant:5",)), "constant:5 is not on the scale 0-3"),
        (Plan(systems=("bm25",)), "There is no run 'bm25'"),
        (Plan(systems=("system-1",)), "A ranking needs two systems"),
        (Plan(fillers=("learned",)), "No graded passage has a text"),
    ],
)
def test_what_is_not_there_is_named(collection, plan, sentence):
    with pytest.raises(CannotStudy, match=sentence):
        freeze(collection, plan)


def test_groups_are_needed_to_leave_one_out():
    collection = small.with_qrels("q1 d1 3, q1 d2 0, q2 d1 1")
    for tag in ("d1>d2", "d2>d1"):
        small.add_run(collection, tag)
    freeze(collection, Plan(holes=("leave-system-out",)))
    with pytest.raises(CannotStudy, match="No run has a group"):
        freeze(collection, Plan(holes=("leave-group-out",)))


def test_without_grades_there_is_nothing_to_take_away():
    collection = factories.make_collection()
    with pytest.raises(CannotStudy, match="There is no rater 'reference'"):
        freeze(collection)
