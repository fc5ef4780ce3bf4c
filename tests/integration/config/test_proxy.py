"""Behind a proxy that ends TLS: forms are taken from the address that people see, and from no other."""

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse

from tests import factories, visitors

ADDRESS = "judging.example.org"


@pytest.fixture(autouse=True)
def proxied(settings, db):
    settings.ALLOWED_HOSTS = ["inside"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.HTTPS = True
    settings.BEHIND_PROXY = True
    settings.CSRF_TRUSTED_ORIGINS = [f"https://{ADDRESS}"]
    factories.make_user("ann")


def sign_in(origin: str):
    """As the proxy sends it on: its own name for the server, and who ended TLS."""
    client = Client(enforce_csrf_checks=True, HTTP_HOST="inside", HTTP_X_FORWARDED_PROTO="https")
    where = reverse("sign_in")
    client.get(where)
    said = {"username": "ann", "password": factories.PASSWORD, "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    return client.post(where, said, headers={"Origin": origin})


def warnings() -> list[str]:
    return [found.id for found in run_checks(include_deployment_checks=True) if found.id == "annotate.W002"]


def test_a_form_from_the_address_that_people_see_is_taken():
    assert sign_in(f"https://{ADDRESS}").status_code == 302
    assert warnings() == []


def test_a_form_from_another_address_is_refused():
    assert sign_in("https://elsewhere.example.org").status_code == 403


def test_where_the_address_is_not_trusted_the_page_and_the_check_at_the_start_name_the_setting(settings):
    settings.CSRF_TRUSTED_ORIGINS = []

    assert "CSRF_TRUSTED_ORIGINS lacks this address" in visitors.words(sign_in(f"https://{ADDRESS}"))
    assert warnings() == ["annotate.W002"]


FORWARDED = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"]


@pytest.mark.parametrize("header", FORWARDED)
@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.0.1", "::1"])
def test_a_proxy_on_this_machine_that_nobody_told_of_is_refused_with_the_setting(settings, header, peer):
    settings.BEHIND_PROXY = False
    answer = Client(HTTP_HOST="inside", REMOTE_ADDR=peer, headers={header: "1.1 proxy"}).get(reverse("sign_in"))
    assert answer.status_code == 503
    assert "set LACUNA_BEHIND_PROXY=True" in answer.content.decode()


@pytest.mark.parametrize("header", FORWARDED)
def test_the_same_header_from_elsewhere_is_not_believed(settings, header):
    settings.BEHIND_PROXY = False
    for changed in ({"REMOTE_ADDR": "192.0.2.1", "headers": {header: "127.0.0.1"}}, {"REMOTE_ADDR": "127.0.0.1"}):
        assert Client(HTTP_HOST="inside", **changed).get(reverse("sign_in")).status_code == 200


def test_a_stranger_behind_an_untold_proxy_locks_nobody_out(settings):
    settings.BEHIND_PROXY = False
    stranger = Client(HTTP_HOST="inside", headers={"X-Forwarded-For": "203.0.113.9"})
    for _ in range(12):
        assert stranger.post(reverse("sign_in"), {"username": "ann", "password": "wrong"}).status_code == 503
    said = {"username": "ann", "password": factories.PASSWORD}
    assert Client(HTTP_HOST="inside").post(reverse("sign_in"), said).status_code == 302
