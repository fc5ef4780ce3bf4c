"""Agreement and leaderboard are for the researchers of the collection."""

import pytest

from tests import factories

pytestmark = pytest.mark.django_db
PAGES = ["agreement", "leaderboard", "suggestions/calibration"]
PARTS = [
    "agreement/details/",
    "agreement/pairs/",
    "agreement/pairs.csv",
    "agreement/matrix.csv",
    "leaderboard/changes/",
    "leaderboard/system/",
    "leaderboard/systems.csv",
    "leaderboard/pairs.csv",
    "leaderboard/correlations.csv",
    "leaderboard/places.csv",
    "leaderboard/topics.csv",
    "leaderboard/figure-means.svg",
    "suggestions/calibration/bins.csv",
    "suggestions/calibration/reliability.svg",
]


@pytest.fixture
def collection():
    return factories.make_collection("mine", by=factories.make_user("researcher", may_create_collections=True))


def address(page):
    return f"/c/mine/{page}/"


@pytest.mark.postgresql
@pytest.mark.parametrize("page", PAGES)
def test_the_researcher_sees_it(client, collection, page):
    client.force_login(collection.created_by)
    assert client.get(address(page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_it_is_only_read(client, collection, page):
    client.force_login(collection.created_by)
    assert client.post(address(page)).status_code == 405


@pytest.mark.parametrize("page", PAGES)
def test_to_a_stranger_it_does_not_exist(client, collection, page):
    client.force_login(factories.make_user())
    assert client.get(address(page)).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_an_assessor_may_not_see_it(client, collection, page):
    client.force_login(factories.make_assessor(collection).user)
    assert client.get(address(page)).status_code == 403


@pytest.mark.parametrize("page", PAGES)
def test_who_is_not_signed_in_signs_in_first(client, collection, page):
    answer = client.get(address(page) + "?first=nist")
    assert (answer.status_code, answer["Location"]) == (302, f"/sign-in/?next=/c/mine/{page}/%3Ffirst%3Dnist")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_them_is_as_closed_as_they_are(client, collection, part):
    address = f"/c/mine/{part}"
    assert client.get(address).status_code == 302
    client.force_login(factories.make_user())
    assert client.get(address).status_code == 404
    client.force_login(factories.make_assessor(collection).user)
    assert client.get(address).status_code == 403
    assert client.post(address).status_code == 405
