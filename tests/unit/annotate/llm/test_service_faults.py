from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.llm import providers

KEY = "sk-test-1a2b3c"
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def of_status(status, body="", headers=None, message="said"):
    return providers.fault_of_status(status, headers or {}, body, message)


@pytest.mark.parametrize(("status", "cause"), [(429, "rate limit"), (529, "overloaded"), (408, "timeout")])
def test_what_passes_has_a_cause_that_can_be_counted(status, cause):
    fault = of_status(status)
    assert isinstance(fault, providers.Passing)
    assert fault.cause == cause


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (500, "", providers.Passing),
        (503, "", providers.Passing),
        (400, "", providers.Rejected),
        (413, "", providers.Rejected),
        (422, "", providers.Rejected),
        (400, {"error": {"code": "content_filter"}}, providers.Filtered),
        (401, "", providers.Closed),
        (403, "", providers.Closed),
        (404, "", providers.Missing),
        (429, {"error": {"code": "insufficient_quota"}}, providers.Closed),
        (400, {"error": {"message": "Your credit balance is too low"}}, providers.Closed),
    ],
)
def test_each_answer_says_what_is_to_be_done(status, body, kind):
    assert type(of_status(status, body)) is kind


def test_a_service_that_asks_to_wait_is_heard():
    assert of_status(429, headers={"retry-after": "7"}).after == 7
    assert of_status(500).after is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_key_that_a_server_repeats_is_told_to_nobody(status, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fault = of_status(status, {"error": f"bad key {KEY}"}, message=f"Incorrect API key: {KEY}")
    assert KEY not in f"{fault} {fault.cause} {fault.args}"


def test_the_parts_of_a_refused_key_that_a_service_repeats_are_not_told_either():
    assert "sk-te" not in str(of_status(401, message="Incorrect API key provided: sk-te*****2b3c."))


def test_a_whole_page_as_the_message_is_cut():
    assert len(str(of_status(404, message="<html>" + "x" * 10_000))) <= providers.MOST_IN_MESSAGE


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("3", 3.0),
        (" 0.5 ", 0.5),
        ("-2", 0.0),
        ("inf", 600.0),
        ("100000", 600.0),
        ("nan", None),
        ("soon", None),
        ("", None),
        ("Fri, 02 Jan 2026 03:04:15 GMT", 10.0),
        ("Fri, 02 Jan 2026 03:04:15", 10.0),
        ("Fri, 02 Jan 2020 03:04:15 GMT", 0.0),
    ],
)
def test_retry_after_is_a_number_or_a_date(said, seconds):
    assert providers.read_retry_after({"retry-after": said}, NOW) == seconds


DATES = st.from_regex(r"[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,6} \d{1,3}:\d\d:\d\d [+-]?\w{0,6}", fullmatch=True)


@given(
    st.text(max_size=40)
    | DATES
    | st.sampled_from(["Fri, 31 Dec 9999 23:59:59 -2359", "Mon, 01 Jan 0001 00:00:00 +2359"])
)
def test_whatever_a_server_says_the_wait_is_short_or_none(said):
    seconds = providers.read_retry_after({"retry-after": said})
    assert seconds is None or 0 <= seconds <= providers.LONGEST_WAIT
