"""Two rules through the API: what moved and what survives, with reasons where there is no figure."""

import pytest

from annotate.models import Suggestion, Work
from annotate.work import engine
from evaluation import web
from evaluation.engine import ranking_shift
from evaluation.statistics import system_pairs
from tests.api_caller import Caller
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
BESIDE = {"rule": "reference", "other": "model:gpt", "measure": "P@1"}


@pytest.fixture
def collection():
    """The reference likes d1 in both topics, the model d2."""
    made = small.with_qrels("q1 d1 1, q1 d2 0, q2 d1 1, q2 d2 0", "q1 d1 0, q1 d2 1, q2 d1 0, q2 d2 1")
    for tag in ("d1", "d2"):
        small.add_run(made, tag)
    return made


@pytest.fixture
def get(collection):
    caller = Caller(collection.created_by, collection)
    return lambda path="comparison/", **asked: caller.get(path, **asked)


def test_the_ranking_is_told_at_once_with_who_moved_and_how_far(get):
    told = get(**BESIDE).json()
    assert [told[name] for name in ("tau_b", "tau_ap", "tau_a", "gamma", "spearman")] == [-1.0] * 5
    assert (told["rule"], told["other"], told["topics"], told["pairs"], told["swapped"]) == (
        "reference",
        "model:gpt",
        ["q1", "q2"],
        1,
        1,
    )
    assert [(system["run_tag"], system["places_up"]) for system in told["moved"]] == [("d1", -1), ("d2", 1)]
    assert told["changes"] is None
    assert told["reason"] == {"changes": web.BEING_COMPUTED}


def test_what_survives_comes_once_it_is_computed(get):
    get(**BESIDE)
    engine.run_waiting()
    told = get(**BESIDE).json()["changes"]
    assert told["is_stale"] is False
    assert set(told["intervals"]) == {"tau_b", "tau_ap", "tau_a", "gamma", "spearman"}
    assert (told["intervals"]["tau_b"]["low"], told["intervals"]["tau_b"]["resamples"]) == (-1.0, 1000)
    assert sum(told["classes"].values()) == told["pairs"] == 1
    assert told["reason"]["p"].startswith(system_pairs.ALL_EXPLAINED)


def test_a_computation_that_failed_says_so(get):
    get(**BESIDE)
    Work.objects.filter(kind="finding").update(state="FAILED", error="no memory")
    assert get(**BESIDE).json()["reason"]["changes"] == "its computation failed: no memory"


def test_without_a_common_topic_every_figure_is_null_with_its_reason(get):
    told = get(rule="reference", other="people").json()
    assert told["tau_b"] is None
    assert told["reason"]["tau_b"] == ranking_shift.NO_COMMON_TOPIC
    assert (told["topics_only_rule"], told["topics_only_other"]) == (["q1", "q2"], [])


@pytest.mark.parametrize(
    ("asked", "place", "beginning"),
    [
        ({}, "other", "is missing"),
        ({"other": "nobody"}, "other", "'nobody' is not a source"),
        ({"other": "people", "measure": "Fame@10"}, "measure", "unknown measure 'Fame'"),
        ({"other": "people", "measure": "P(rel=9)@10"}, "measure", "P(rel=9)@10 calls a passage relevant from grade 9"),
        ({"other": "people", "models": "maybe"}, "models", "models is chances or left out"),
        ({"other": "model:nobody"}, "rule", "The collection has no model rater named 'nobody'."),
    ],
)
def test_what_cannot_be_compared_is_refused_in_words(get, asked, place, beginning):
    answer = get(rule="reference", **asked)
    assert answer.status_code == 400
    (fault,) = answer.json()["faults"]
    assert fault["place"] == place
    assert fault["reason"].startswith(beginning)


def test_scores_have_intervals_ranges_and_the_share_of_models(get):
    told = get("scores/", rule="reference,model:gpt", measures="P@2,nDCG@2,Judged@2").json()
    first = told["systems"][0]
    measures = first["measures"]
    assert (first["run_tag"], first["model_gains"]) == ("d1", 0.0)
    assert (measures["P@2"]["interval"]["low"], measures["P@2"]["interval"]["n"]) == (0.5, 2)
    assert measures["P@2"]["range"] == {"name": "bounds", "mean_at_lowest": 0.5, "mean_at_highest": 0.5}
    assert measures["nDCG@2"]["range"]["name"] == "sensitivity range"
    assert measures["Judged@2"]["range"] is None
    assert measures["Judged@2"]["reason"]["range"].startswith("the measure looks at no hole")
    assert measures["P@2"]["short_topics"] == 2


def test_scores_count_grades_of_models_by_their_probabilities_when_asked(get):
    Suggestion.objects.update(probabilities=[0.5, 0.0, 0.0, 0.5])
    told = get("scores/", rule="model:gpt", measures="DCG(gain=exp)@1", models="chances").json()
    assert told["by_chances"] == 4
    assert told["systems"][0]["measures"]["DCG(gain=exp)@1"]["mean"] == 3.5
