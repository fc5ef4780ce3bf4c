import pytest

from annotate.models import Collection
from annotate.work import engine
from tests.integration.evaluation import small

QUEUED = {"subject": "order by influence", "state": "QUEUED"}


@pytest.fixture
def collection(db):
    return small.three_systems()


def test_it_is_null_with_a_reason_until_it_is_asked_for(researcher):
    told = researcher.get("influence/").json()
    assert (told["influence"], told["computed_at"]) == (None, None)
    assert told["reason"] == {"influence": "it was not computed yet: ask for it at influence/compute/"}


@pytest.mark.postgresql
def test_it_is_computed_and_holes_are_judged_in_its_order(researcher, collection):
    answer = researcher.post("influence/compute/", {"orders": True})
    assert (answer.status_code, answer.json()) == (202, QUEUED)
    engine.run_waiting()
    told = researcher.get("influence/").json()
    assert (told["is_stale"], told["judgments"]) == (False, 0)
    assert [(hole["passage_id"], round(hole["influence"], 5)) for hole in told["influence"]["top"]] == [
        ("h", 0.5),
        ("x", 0.31546),
    ]
    assert Collection.objects.get(pk=collection.pk).order == "INFLUENCE"


def test_refusals_are_sentences(researcher, assessor, stranger):
    answer = researcher.post("influence/compute/", {"weights": "gpt"})
    assert answer.status_code == 409
    assert "some of them grade blind" in answer.json()["detail"]
    assert researcher.post("influence/compute/", {"orders": "perhaps"}).status_code == 400
    for caller, status in ((assessor, 403), (stranger, 404)):
        assert caller.get("influence/").status_code == status
        assert caller.post("influence/compute/", {}).status_code == status
