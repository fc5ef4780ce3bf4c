"""What every service must do, asked by its real SDK: of a stand-in always, of the real one by `make test-live`."""

import os

import pytest

from annotate.formats.records import GradeScale
from annotate.llm import answers, concurrent_requests, prompts, providers
from annotate.llm.answers import GRADE_FIELD
from annotate.llm.messages import Stop
from annotate.llm.requests import Against, AnswerForm, GradeRequests, InformationNeed
from tests.model_service.server import NO_MODEL

STAND_IN, REAL = "stand-in", "real"
MODELS = {"anthropic": "claude-haiku-4-5", "openai": os.environ.get("LACUNA_LIVE_OPENAI_MODEL", "gpt-4o-mini")}
WHERE = [STAND_IN, REAL] if os.environ.get("LACUNA_LIVE") else [STAND_IN]
SCALE = GradeScale(0, 3)
WORDS = {0: ("off", "Nothing on it."), 1: ("near", ""), 2: ("on it", ""), 3: ("perfect", "It answers the query.")}
NEED, PASSAGE = (
    InformationNeed("why is the sky blue"),
    "The sky is blue since air scatters short waves of light the most.",
)


@pytest.fixture(params=[(name, where) for name in providers.list_names() for where in WHERE], ids="-".join)
def service(request, serve):
    name, where = request.param
    if where == STAND_IN:
        serve()
    elif sentence := providers.find_provider(name).missing_setup():
        pytest.skip(sentence)
    return name


def asked(service, request):
    """What one attempt brings: a reply, or the fault."""

    async def attempt():
        client = providers.find_provider(service).open_client()
        try:
            return await client.answer(request, providers.find_provider(service).capabilities(request.model))
        except providers.Fault as fault:
            return fault
        finally:
            await client.close()

    return concurrent_requests.run_coroutine(attempt())


def request_to(service, form=AnswerForm.DIRECT, **more):
    template = prompts.load_template(form.lower(), prompts.JUDGING)
    said = {"model": MODELS[service], "template": template, "form": form, "words": WORDS}
    return GradeRequests(against=Against.QUERY, scale=SCALE, **{**said, **more}).request(NEED, PASSAGE)


def test_it_grades_and_counts(service):
    reply = asked(service, request_to(service))
    assert answers.read_answer(reply, SCALE, answers.NUMBER).grade in SCALE
    assert reply.stop is Stop.END
    assert reply.tokens.fresh + reply.tokens.cached + reply.tokens.written > 20
    assert reply.tokens.given > 0
    assert reply.request_id
    assert reply.milliseconds >= 0
    assert reply.probabilities is None or sum(reply.probabilities) == pytest.approx(1)


def test_it_holds_to_a_schema(service):
    said = answers.read_answer(
        asked(service, request_to(service, AnswerForm.RATIONALE, is_structured=True)), SCALE, GRADE_FIELD
    )
    assert said.grade in SCALE
    assert said.reason


def test_an_answer_that_is_cut_is_told_from_one_that_ended(service):
    reply = asked(service, request_to(service, AnswerForm.RATIONALE, is_structured=True, most_tokens=3))
    assert answers.read_answer(reply, SCALE, GRADE_FIELD).state is answers.State.TRUNCATED


def test_a_model_that_is_not_there_closes_the_service(service):
    fault = asked(service, request_to(service, model=NO_MODEL))
    assert isinstance(fault, providers.Closed)


def test_a_key_that_is_refused_closes_the_service_and_is_told_to_nobody(service, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "sk-wrong-1234567890")
    fault = asked(service, request_to(service))
    assert isinstance(fault, providers.Closed)
    assert "sk-wrong" not in f"{fault} {fault.cause} {fault.args}"
