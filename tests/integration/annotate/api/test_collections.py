"""Collections and their progress."""

import pytest

from annotate.collections.operations import people
from annotate.models import Collection
from tests import factories

pytestmark = pytest.mark.usefixtures("holes")


def test_the_list_tells_roles_and_progress(assessor, membership, collection):
    people.add_member(collection=collection, user=membership.user, role="RESEARCHER", now=factories.NOW)
    factories.judge(membership)
    told = assessor.client.get("/api/v1/collections/").json()
    assert told == [
        {
            "slug": collection.slug,
            "title": collection.title,
            "scale": "0-3",
            "roles": ["ASSESSOR", "RESEARCHER"],
            "progress": {"wanted": 6, "done": 1},
        }
    ]


def test_a_collection_tells_its_guidelines_and_a_researcher_its_raters(researcher, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\n")
    factories.make_suggestions(collection)
    told = researcher.get().json()
    assert told["guidelines"]["grades"][3] == {"grade": 3, "name": "perfectly relevant", "description": ""}
    assert told["raters"] == [{"name": "model-a", "kind": "MODEL"}, {"name": "nist", "kind": "REFERENCE"}]


@pytest.mark.postgresql
def test_the_description_is_for_researchers(assessor, researcher, collection):
    Collection.objects.update(description="the reference is weak in q1")
    assert researcher.get().json()["description"] == "the reference is weak in q1"
    assert assessor.get().json()["description"] is None


def test_an_assessor_learns_nothing_of_raters_and_holes(assessor, collection):
    before = [assessor.get().content, assessor.get("progress/").content]
    factories.make_suggestions(collection)
    assert [assessor.get().content, assessor.get("progress/").content] == before
    assert assessor.get().json()["raters"] is None
    assert assessor.get("progress/").json() == {
        "wanted": 6,
        "done": 0,
        "mine": {"judged": 0, "total": 6, "skipped": 0},
        "holes": None,
        "without_text": None,
    }


@pytest.mark.postgresql
def test_a_researcher_sees_what_is_left(researcher, membership, collection):
    factories.judge(membership, 2)
    factories.judge(membership, None)
    assert researcher.get("progress/").json() == {"wanted": 6, "done": 2, "mine": None, "holes": 5, "without_text": 0}


def test_the_list_asks_as_often_for_many_collections_as_for_one(assessor, membership, django_assert_num_queries):
    for _ in range(3):
        other = factories.make_collection()
        people.add_member(collection=other, user=membership.user, role="ASSESSOR", now=factories.NOW)
    assert Collection.objects.count() == 4
    with django_assert_num_queries(3):  # token, person, memberships
        assert len(assessor.client.get("/api/v1/collections/").json()) == 4
