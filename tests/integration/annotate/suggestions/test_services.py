"""What every service must do, asked by its real SDK: of a stand-in always, of the real one by `make test-live`."""

import os
from dataclasses import dataclass

import pytest

from annotate.formats.records import GradeScale
from annotate.llm import answers, concurrent_requests, endpoints, prompts, providers
from annotate.llm.answers import GRADE_FIELD
from annotate.llm.capabilities import adapt_to_refusal, with_room
from annotate.llm.messages import Stop
from annotate.llm.requests import Against, AnswerForm, GradeRequests, InformationNeed
from tests import live
from tests.model_service.server import NO_MODEL

STAND_IN, REAL = "stand-in", "real"
WHERE = [STAND_IN, REAL] if live.IS_LIVE else [STAND_IN]
SCALE = GradeScale(0, 3)
WORDS = {0: ("off", "Nothing on it."), 1: ("near", ""), 2: ("on it", ""), 3: ("perfect", "It answers the query.")}
NEED, PASSAGE = (
    InformationNeed("why is the sky blue"),
    "The sky is blue since air scatters short waves of light the most.",
)
ONE_OF_EACH = ("claude-haiku-4-5", "gpt-4o")  # of each service one that does not think, which can be cut


@dataclass(frozen=True)
class Asked:
    """A family of models, at the stand-in or at its real service."""

    family: str
    is_real: bool

    @property
    def service(self):
        return live.FAMILIES[self.family]

    @property
    def model(self):
        return live.find_model(self.family) if self.is_real else self.family


def make_family(request, serve, tmp_path, monkeypatch):
    family, where = request.param
    if where == REAL and (sentence := live.find_missing(family)):
        pytest.skip(sentence)
    is_local = live.FAMILIES[family] == live.LOCAL
    address = os.environ.get(live.LOCAL_URL, "") if where == REAL else f"{serve(needs_key=not is_local).address}/v1"
    monkeypatch.setattr(endpoints, "FOLDER", tmp_path)
    if is_local:
        live.name_local(tmp_path, address)
    return Asked(family, where == REAL)


def cases(families):
    return {"params": [(family, where) for family in families for where in WHERE], "ids": "-".join}


family = pytest.fixture(**cases(live.FAMILIES))(make_family)
one_of_each = pytest.fixture(**cases(ONE_OF_EACH))(make_family)


def ask(family, request, *, is_whole=True):
    """What is answered: a reply, or the fault. What the model refuses is left out, and an answer that is cut is asked
    once more with more room, as batches do."""

    async def attempt():
        provider = providers.find_provider(family.service)
        client = provider.open_client()
        try:
            known = await client.list_capabilities(request.model, provider.capabilities(request.model))
            while True:
                try:
                    reply = await client.answer(request, known)
                except providers.Unsupported as refusal:
                    known = adapt_to_refusal(known, refusal.parameter, str(refusal))
                    assert known is not None, refusal
                    continue
                if family.is_real:
                    live.count(family.family, reply.tokens)
                if reply.stop is Stop.LENGTH and is_whole and not known.room:
                    known = with_room(known)
                    continue
                return reply
        except providers.Fault as fault:
            return fault
        finally:
            await client.close()

    return concurrent_requests.run_coroutine(attempt())


def request_to(family, form=AnswerForm.DIRECT, **more):
    template = prompts.load_template(form.lower(), prompts.JUDGING)
    said = {"model": family.model, "template": template, "form": form, "words": WORDS}
    return GradeRequests(against=Against.QUERY, scale=SCALE, **{**said, **more}).request(NEED, PASSAGE)


def test_it_grades_and_counts(family):
    reply = ask(family, request_to(family))
    assert answers.read_answer(reply, SCALE, answers.NUMBER).grade in SCALE
    assert reply.stop is Stop.END
    assert reply.tokens.fresh + reply.tokens.cached + reply.tokens.written > 20
    assert reply.tokens.given > 0
    assert reply.request_id
    assert reply.milliseconds >= 0
    assert reply.probabilities is None or sum(reply.probabilities) == pytest.approx(1)


def test_it_holds_to_a_schema(family):
    said = answers.read_answer(
        ask(family, request_to(family, AnswerForm.RATIONALE, is_structured=True)), SCALE, GRADE_FIELD
    )
    assert said.grade in SCALE
    assert said.reason


def test_an_answer_that_is_cut_is_told_from_one_that_ended(one_of_each):
    reply = ask(
        one_of_each, request_to(one_of_each, AnswerForm.RATIONALE, is_structured=True, most_tokens=3), is_whole=False
    )
    assert answers.read_answer(reply, SCALE, GRADE_FIELD).state is answers.State.TRUNCATED


def test_a_model_that_is_not_there_closes_the_service(one_of_each):
    fault = ask(one_of_each, request_to(one_of_each, model=NO_MODEL))
    assert isinstance(fault, providers.Closed)


def test_a_key_that_is_refused_closes_the_service_and_is_told_to_nobody(one_of_each, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "sk-wrong-1234567890")
    fault = ask(one_of_each, request_to(one_of_each))
    assert isinstance(fault, providers.Closed)
    assert "sk-wrong" not in f"{fault} {fault.cause} {fault.args}"
