"""Agreement in groups, its details and several raters through the API."""

import pytest

from annotate.work import engine
from evaluation import web
from tests import factories
from tests.api_caller import Caller
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
TWO = {"first": "people", "second": "model-a"}


@pytest.fixture
def collection():
    """Two people judge all six holes before a reveal; one of them follows the model once."""
    made = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(made, grade=1)
    factories.build_pool(made)
    small.show_suggestions(made, reveal=1)
    for after in (3, 1):
        assessor = factories.make_assessor(made)
        for before, last in ((0, 0), (1, 1), (3, after), (0, 0), (1, 1), (3, 3)):
            small.decide(assessor, factories.judge(assessor, before), last)
    return made


@pytest.fixture
def get(collection):
    caller = Caller(collection.created_by, collection)
    return lambda path, **asked: caller.get(f"agreement/{path}", **asked).json()


def test_groups_come_with_people_among_themselves_and_what_a_reveal_did(get):
    told = get("groups/", **TWO)
    assert [(topic["key"], topic["figures"]["n"], topic["among_people"]["n"]) for topic in told["topics"]] == [
        ("q1", 3, 3),
        ("q2", 3, 3),
    ]
    assert told["topics"][0]["among_people"]["alpha"] == pytest.approx(1.0)
    assert told["topics"][0]["among_people"]["reason"]["difference"]
    assert [group["key"] for group in told["grades"]] == ["0", "1", "3"]
    assert (told["anchoring"]["decided"], told["anchoring"]["changed"], told["anchoring"]["towards"]) == (12, 1, 1)
    assert told["anchoring"]["share_of_differing"] == pytest.approx(1 / 8)


def test_details_are_null_with_the_reason_until_they_are_computed(get):
    told = get("details/", **TWO)
    assert told["intervals"] is None
    assert told["reason"]["intervals"] == web.BEING_COMPUTED
    engine.run_waiting()
    told = get("details/", **TWO)
    assert told["intervals"]["pairs"]["alpha"]["ordinal"]["n"] == 6
    assert told["among_people"]["topics"]["kappa_from"]["2"]["low"] == 1.0
    assert [row["figures"]["n"] for row in told["overlap"]] == [6]


def test_several_raters_have_one_alpha(get):
    names = ["assessor-1", "assessor-2", "model-a"]
    told = get("several/", raters=names)
    assert [each["rater"] for each in told["raters"]] == ["assessor-1:blind", "assessor-2:blind", "model-a"]
    assert (told["n"], told["complete"], told["intervals"]) == (6, 6, None)
    engine.run_waiting()
    assert get("several/", raters=names)["intervals"]["topics"]["ordinal"]["n"] == 2


@pytest.mark.parametrize(
    ("path", "asked", "sentence"),
    [
        ("several/", {"raters": ["model-a"]}, "Choose two raters or more."),
        ("several/", {"raters": ["model-a", "nobody"]}, "There is no rater 'nobody'"),
        ("groups/", {"first": "people", "second": "people"}, "Choose two different raters."),
        ("details/", {"first": "people"}, "There is no rater ''"),
    ],
)
def test_who_cannot_be_compared_is_refused_in_words(get, path, asked, sentence):
    assert get(path, **asked)["detail"].startswith(sentence)
