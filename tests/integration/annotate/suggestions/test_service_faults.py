"""Both services by one script of faults: what each means is the same, whichever protocol it came by."""

from dataclasses import replace

import pytest

from annotate.formats.records import GradeScale
from annotate.llm import answers, concurrent_requests, providers
from annotate.llm.answers import NUMBER, State
from annotate.llm.messages import Request
from tests.model_service.script import MARKED

SCALE = GradeScale(0, 3)
REQUEST = Request("m", "the system part", "the pair", most_tokens=64, temperature=0.0)
both = pytest.mark.parametrize("service", providers.list_names())


def outcomes(service, *requests, timeout=10.0):
    async def attempts():
        provider = providers.find_provider(service)
        client = provider.client(replace(provider.endpoint, timeout=timeout))
        found = []
        for request in requests:
            try:
                found.append(await client.answer(request, provider.capabilities(request.model)))
            except providers.Fault as fault:
                found.append(fault)
        await client.close()
        return found

    return concurrent_requests.run_coroutine(attempts())


@both
@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("429", "rate limit"),
        ("500", "server fault 500"),
        ("529", "overloaded"),
        ("reset", "connection lost"),
        ("cut", "broken answer"),
    ],
)
def test_a_fault_that_passes_is_told_with_its_cause_and_the_next_attempt_is_answered(serve, service, fault, cause):
    serve(share=1.0, faults=(fault,))
    first, second = outcomes(service, REQUEST, REQUEST)
    assert isinstance(first, providers.Passing)
    assert (first.cause, first.after) == (cause, None)
    assert answers.read_answer(second, SCALE, NUMBER).grade in SCALE


@both
def test_the_wait_that_a_service_asks_for_is_told(serve, service):
    serve(share=1.0, faults=("429 with retry-after",))
    [fault] = outcomes(service, REQUEST)
    assert (type(fault), fault.after) == (providers.Passing, 1.0)


@both
def test_a_service_that_takes_too_long_is_asked_again(serve, service):
    serve(seconds=2.0)
    [fault] = outcomes(service, REQUEST, timeout=0.3)
    assert (type(fault), fault.cause) == (providers.Passing, "timeout")


@both
def test_a_service_that_is_not_there_is_asked_again(serve, service, monkeypatch):
    serve()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    [fault] = outcomes(service, REQUEST)
    assert (type(fault), fault.cause) == (providers.Passing, "connection lost")


@both
def test_a_filter_before_the_model_is_no_refusal_of_the_model(serve, service):
    serve(share=1.0, faults=("filter",))
    [fault] = outcomes(service, REQUEST)
    assert type(fault) is providers.Filtered


@both
@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("refusal", State.REFUSED),
        ("off the scale", State.UNPARSED),
        ("empty", State.EMPTY),
        ("too long", State.TRUNCATED),
        ("words", State.UNPARSED),
    ],
)
def test_an_answer_without_a_grade_has_its_state_and_was_paid(serve, service, fault, state):
    serve(share=1.0, faults=(fault,))
    [reply] = outcomes(service, REQUEST)
    assert answers.read_answer(reply, SCALE, NUMBER) == answers.Answer(state)
    assert reply.tokens.given > 0


def test_the_second_request_reads_the_system_part_from_the_cache(serve):
    serve()
    long = replace(REQUEST, fixed="the system part " * 200)
    first, second = outcomes("anthropic", long, long)
    assert first.tokens.written == second.tokens.cached > 0
    assert first.tokens.cached == second.tokens.written == 0


@both
def test_what_is_asked_for_reaches_the_service(serve, service):
    server = serve()
    outcomes(service, REQUEST)
    [said] = server.script.asked
    assert (said["model"], said["temperature"], said["max_tokens"]) == ("m", 0.0, 64)


def test_an_answer_that_begins_with_a_mark_has_no_chances(serve):
    serve(share=1.0, faults=(MARKED,))
    [reply] = outcomes("openai", Request("m", "", "the pair", most_tokens=8, first_token_of=("0", "1", "2", "3")))
    assert answers.read_answer(reply, SCALE, NUMBER).grade == 2
    assert reply.probabilities is None


def test_chances_of_the_first_token_are_told_where_the_server_tells_them(serve):
    serve()
    request = Request("m", "", "the pair", most_tokens=8, first_token_of=("0", "1", "2", "3"))
    [reply] = outcomes("openai", request)
    assert sum(reply.probabilities) == pytest.approx(1)
    assert max(reply.probabilities) == reply.probabilities[int(reply.text)] == pytest.approx(0.7)
