import pytest

from annotate.models import Work
from annotate.pool.operations import retrieval
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tbird\n")
    factories.import_text(collection, "PASSAGES", "p1\tA bird sings.\n")
    return collection


@pytest.fixture
def researcher(client, collection):
    client.force_login(collection.memberships.get(role="RESEARCHER").user)
    return client


def address(collection):
    return f"/c/{collection.slug}/pool/retrieval/"


def test_it_starts_and_leads_to_its_progress(researcher, collection):
    answer = researcher.post(address(collection))
    [queued] = Work.objects.filter(kind=retrieval.RETRIEVE)
    assert answer["Location"] == f"/c/{collection.slug}/work/{queued.pk}/"
    assert queued.arguments == {"systems": [], "with_variants": False}


def test_variants_are_asked_for_by_the_box(researcher, collection):
    line = '{"variant_id": "w", "query_id": "q1", "profile": "child", "number": 1, "text": "birdie"}'
    factories.import_text(collection, "VARIANTS", line, name="v.jsonl")
    assert "For the 1 query variant too" in researcher.get(f"/c/{collection.slug}/pool/").content.decode()
    researcher.post(address(collection), {"with_variants": "on"})
    assert Work.objects.get(kind=retrieval.RETRIEVE).arguments["with_variants"]


def test_why_nothing_can_be_retrieved_is_said_on_the_pool_page(researcher, collection):
    answer = researcher.post(address(collection), {"with_variants": "on"}, follow=True)
    assert answer.redirect_chain == [(f"/c/{collection.slug}/pool/", 302)]
    assert "There is no query variant with a text" in answer.content.decode()


def test_the_pool_page_says_what_the_systems_need(client):
    empty = factories.make_collection()
    client.force_login(empty.memberships.get(role="RESEARCHER").user)
    page = client.get(f"/c/{empty.slug}/pool/").content.decode()
    assert "They need topics and passages" in page
    assert "built-in systems" in page


def test_others_cannot_start_it_and_looking_does_not(researcher, collection, client):
    assert researcher.get(address(collection)).status_code == 405
    client.force_login(factories.make_assessor(collection).user)
    assert client.post(address(collection)).status_code in (403, 404)
    client.force_login(factories.make_user())
    assert client.post(address(collection)).status_code == 404
    assert not Work.objects.filter(kind=retrieval.RETRIEVE).exists()
