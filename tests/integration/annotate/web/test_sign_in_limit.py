import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest.mock import patch

import pytest
from axes.models import AccessAttempt
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.web import access
from tests import factories, served, visitors

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


def test_an_address_that_tries_many_names_waits_whatever_the_name_and_others_do_not(monkeypatch):
    monkeypatch.setattr(access, "FAILURES_OF_ADDRESS", 20)
    answers = [sign_in(name=f"nobody-{number}").status_code for number in range(20)]
    assert set(answers) == {200}
    refused = sign_in(factories.PASSWORD)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "900")
    assert "Too many passwords from your address were wrong. Try again in 15 minutes." in refused.content.decode()
    assert sign_in(factories.PASSWORD, address="192.0.2.2").status_code == 302


def test_failures_of_an_address_are_forgotten_after_the_wait(monkeypatch):
    monkeypatch.setattr(access, "FAILURES_OF_ADDRESS", 5)
    for number in range(5):
        sign_in(name=f"nobody-{number}")
    assert sign_in(factories.PASSWORD).status_code == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=15, seconds=1))
    assert sign_in(factories.PASSWORD).status_code == 302


def test_one_password_is_compared_at_a_time_and_who_finds_no_place_is_answered_at_once(rf):
    """Of ten at once three have a place, one of them its turn."""
    at_once, most, begun, ends = [], [], threading.Semaphore(0), threading.Event()

    def compare(request):
        at_once.append(request)
        most.append(len(at_once))
        begun.release()
        ends.wait(10)
        at_once.remove(request)
        return HttpResponse()

    guard = access.SignInMiddleware(compare)
    guard_of_address = patch.object(access, "_count_failures", return_value=0)
    with guard_of_address, ThreadPoolExecutor(10) as pool:
        asked = [pool.submit(guard, rf.post(reverse("sign_in"))) for _ in range(10)]
        assert begun.acquire(timeout=10)
        served.wait_for(lambda: sum(one.done() for one in asked) == 7)
        ends.set()
        answers = [one.result().status_code for one in asked]
    assert sorted(answers) == [200] * 3 + [429] * 7
    assert max(most) == 1
    assert guard(rf.get(reverse("sign_in"))).status_code == 200
