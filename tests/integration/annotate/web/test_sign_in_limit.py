from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse

from tests import factories, visitors

LIMIT = 10


@pytest.fixture(autouse=True)
def user(db):
    return factories.make_user("ada")


def sign_in(password="wrong", name="ada", address="192.0.2.1", **headers):
    said = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address, headers=headers).post(reverse("sign_in"), said)


def fail(times=LIMIT, **said):
    return [sign_in(**said) for _ in range(times)]


def test_after_ten_wrong_passwords_the_right_one_waits_too_and_the_page_says_until_when():
    answers = fail()
    assert [answer.status_code for answer in answers] == [200] * 9 + [429]

    refused = sign_in(factories.PASSWORD)

    assert refused.status_code == 429
    assert "Try again in 15 minutes, at 20" in visitors.words(refused)
    assert 0 < int(refused.headers["Retry-After"]) <= 15 * 60


@pytest.mark.postgresql
def test_waiting_ends_though_somebody_goes_on_trying():
    fail(LIMIT + 3)
    attempt = AccessAttempt.objects.get()
    assert attempt.failures_since_start == LIMIT

    attempt.attempt_time -= timedelta(minutes=15, seconds=1)
    attempt.save()

    assert sign_in(factories.PASSWORD).status_code == 302


def test_a_success_begins_the_count_anew():
    fail(LIMIT - 1)
    assert sign_in(factories.PASSWORD).status_code == 302
    assert not AccessAttempt.objects.exists()
    assert fail(LIMIT - 1)[-1].status_code == 200


def test_other_names_and_other_addresses_are_not_concerned():
    factories.make_user("bob")
    fail()
    assert sign_in(factories.PASSWORD, name="bob").status_code == 302
    assert sign_in(factories.PASSWORD, address="192.0.2.2").status_code == 302


def test_the_letters_of_the_name_do_not_make_another_count():
    fail(LIMIT - 1, name="Ada")
    assert sign_in(name="ADA").status_code == 429


def test_another_browser_does_not_make_another_count():
    fail(LIMIT - 1, user_agent="one")
    assert sign_in(user_agent="two").status_code == 429


@pytest.mark.parametrize(("is_behind", "status"), [(True, 302), (False, 429)])
def test_an_address_that_a_header_names_counts_behind_a_proxy_only(settings, is_behind, status):
    settings.BEHIND_PROXY = is_behind
    fail(x_forwarded_for="203.0.113.1")
    assert sign_in(factories.PASSWORD, x_forwarded_for="203.0.113.2").status_code == status


def test_what_a_client_writes_before_the_address_of_the_proxy_does_not_help(settings):
    settings.BEHIND_PROXY = True
    answers = [sign_in(x_forwarded_for=f"198.51.100.{n}, 203.0.113.1") for n in range(LIMIT)]
    assert answers[-1].status_code == 429


def test_an_address_that_is_none_falls_back_to_the_proxy_s(settings):
    settings.BEHIND_PROXY = True
    assert fail(x_forwarded_for="nowhere")[-1].status_code == 429
    assert AccessAttempt.objects.get().ip_address == "192.0.2.1"
