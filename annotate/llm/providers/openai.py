"""Chat completions in OpenAI's form, by its official SDK: OpenAI itself, or any server of that form behind a base URL.

The SDK, which only this file knows, is an optional extra. It alone reads the key and another address from the
environment.
"""

import math
import time
from typing import TYPE_CHECKING, Any

from annotate.llm import service_faults
from annotate.llm.messages import Reply, Request, Stop, Tokens
from annotate.llm.prices import PriceTable
from annotate.llm.provider import Endpoint, Provider

if TYPE_CHECKING:
    from openai import OpenAIError
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion
    from openai.types.chat.chat_completion import Choice

_STOPS = {"length": Stop.LENGTH, "content_filter": Stop.FILTER}
_MOST_TOKENS = 20


class OpenAIChat:
    """One client for a batch's whole life. Attempts are counted and paced by the caller, so the SDK makes one each."""

    def __init__(self, endpoint: Endpoint) -> None:
        import openai  # a second

        self._client = openai.AsyncOpenAI(max_retries=0, timeout=endpoint.timeout)

    async def answer(self, request: Request) -> Reply:
        import openai

        started = time.monotonic()
        try:
            completion = await self._client.chat.completions.create(**_parameters(request))
            return _reply(completion, request, started)
        except openai.OpenAIError as error:
            raise _fault(error) from error
        except (ValueError, TypeError, AttributeError, ArithmeticError) as error:
            # Cut JSON is no fault to the SDK, and what is missing in it shows where it is read.
            raise service_faults.Passing("broken answer") from error

    async def close(self) -> None:
        await self._client.close()


def _parameters(request: Request) -> dict[str, Any]:
    messages = [{"role": "system", "content": request.fixed}] if request.fixed else []
    asked: dict[str, Any] = {
        "model": request.model,
        "messages": [*messages, {"role": "user", "content": request.text}],
        "max_tokens": request.most_tokens,
    }
    if request.temperature is not None:
        asked["temperature"] = request.temperature
    if request.schema is not None:
        form = {"name": "answer", "schema": dict(request.schema), "strict": True}
        asked["response_format"] = {"type": "json_schema", "json_schema": form}
    if request.first_token_of:
        asked |= {"logprobs": True, "top_logprobs": _MOST_TOKENS}
    return asked


def _reply(completion: "ChatCompletion", request: Request, started: float) -> Reply:
    choices = completion.choices
    if not choices:
        raise service_faults.Passing("broken answer", "The service answered without a choice.")
    choice, usage = choices[0], completion.usage
    refusal = choice.message.refusal
    text = choice.message.content or refusal or ""
    if not isinstance(text, str):
        raise service_faults.Passing("broken answer", "The service answered with something else than text.")
    return Reply(
        text=text,
        stop=Stop.REFUSAL if refusal else _STOPS.get(choice.finish_reason, Stop.END),
        stop_reason="refusal" if refusal else choice.finish_reason or "",
        tokens=_tokens(usage) if usage else Tokens(),
        request_id=completion._request_id or completion.id or "",
        milliseconds=round(1000 * (time.monotonic() - started)),
        probabilities=_first_token(choice, request.first_token_of),
    )


def _tokens(usage: "CompletionUsage") -> Tokens:
    """Servers of this form leave out what they do not count."""
    cached = (usage.prompt_tokens_details.cached_tokens or 0) if usage.prompt_tokens_details else 0
    return Tokens(max(0, (usage.prompt_tokens or 0) - cached), cached, 0, usage.completion_tokens or 0)


def _first_token(choice: "Choice", texts: tuple[str, ...]) -> tuple[float, ...] | None:
    """The share of each text among the likeliest first tokens, where the server tells them and the answer begins with
    one of these texts: of an answer that begins otherwise its first token says nothing."""
    tokens = choice.logprobs.content if choice.logprobs else None
    if not tokens or tokens[0].token.strip() not in texts:
        return None
    shares = {likely.token.strip(): math.exp(likely.logprob) for likely in reversed(tokens[0].top_logprobs)}
    likely = [shares.get(text, 0.0) for text in texts]
    total = sum(likely)
    return tuple(one / total for one in likely) if total > 0 else None


def _fault(error: "OpenAIError") -> service_faults.Fault:
    import openai

    if isinstance(error, openai.APIStatusError):
        return service_faults.fault_of_status(error.status_code, error.response.headers, error.body, error.message)
    if isinstance(error, openai.APITimeoutError):
        return service_faults.Passing("timeout")
    if isinstance(error, openai.APIConnectionError):
        return service_faults.Passing("connection lost")
    if isinstance(error, openai.APIResponseValidationError):
        return service_faults.Passing("broken answer")
    return service_faults.Closed("not usable", service_faults.remove_keys(str(error)))


PROVIDER = Provider(
    name="openai",
    label="OpenAI, or a server that speaks its protocol",
    sdk="openai",
    endpoint=Endpoint(
        key="OPENAI_API_KEY",
        address="OPENAI_BASE_URL",
        hint=", and OPENAI_BASE_URL for another server than OpenAI's; a local server takes any key",
    ),
    client=OpenAIChat,
    prices=PriceTable(
        as_of="2026-11-30",
        batch_share="0.5",
        dollars={
            "gpt-4o": ("2.50", "1.25", "2.50", "10"),
            "gpt-4o-mini": ("0.15", "0.075", "0.15", "0.60"),
            "gpt-3.5-turbo": ("0.50", "0.50", "0.50", "1.50"),
        },
    ),
)
