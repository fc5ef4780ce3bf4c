import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse

from annotate.web import access
from tests import factories, visitors


@pytest.fixture(autouse=True)
def one(settings):
    settings.VERSION = "1.2.3"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "status"), [("sign_in", 200), ("home", 302), ("api_collections", 401), ("collection", 404)]
)
def test_each_answer_of_pages_and_api_tells_the_version(client, name, status):
    client = visitors.of(factories.make_user()) if name == "collection" else client
    answer = client.get(reverse(name, args=["nowhere"] if name == "collection" else []))

    assert (answer.status_code, answer.headers["X-Lacuna-Version"]) == (status, "1.2.3")


@pytest.mark.django_db
def test_a_page_has_the_version_that_its_answer_tells(client):
    assert 'data-version="1.2.3"' in client.get(reverse("sign_in")).content.decode()


def test_other_scripts_are_another_version(monkeypatch):
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "a1b2", raising=False)

    assert access.running_version() == "1.2.3-a1b2"
