"""Chat completions and the Batch API in OpenAI's form, by its official SDK: OpenAI itself, Azure OpenAI, or any server
of that form behind a base URL. Only this file knows the SDK.
"""

import json
import math
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from annotate.llm import providers
from annotate.llm.capabilities import MOST_LOGPROBS, SAMPLING, Capabilities, PriceTable, Thinking, plan_call
from annotate.llm.endpoints import Endpoint, remove_keys
from annotate.llm.messages import Reply, Request, Stop, Tokens
from annotate.llm.providers import BatchState, ListedBatch, Provider

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAIError
    from openai.types import Batch, CompletionUsage
    from openai.types.chat import ChatCompletion
    from openai.types.chat.chat_completion import Choice

_STOPS = {"length": Stop.LENGTH, "content_filter": Stop.FILTER}


class OpenAIChat:
    """One client for a batch's whole life. Attempts are counted and paced by the caller, so the SDK makes one each."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._client = self._open(endpoint)

    def _open(self, endpoint: Endpoint) -> "AsyncOpenAI":
        import openai  # a second

        # Servers at home need no key, and the SDK does not go without one.
        address = endpoint.read_address()
        key = endpoint.read_key() or ("none" if address else None)
        return openai.AsyncOpenAI(api_key=key, base_url=address, max_retries=0, timeout=endpoint.timeout)

    async def answer(self, request: Request, capabilities: Capabilities) -> Reply:
        started = time.monotonic()
        parameters = _parameters(request, capabilities)
        with _faults(frozenset(parameters) | _PARTS):
            # Local servers take it, and the SDK has no argument for it.
            more = {name: parameters.pop(name) for name in ("top_k",) if name in parameters}
            completion = await self._client.chat.completions.create(**parameters, extra_body=more)
            return _reply(completion, request.first_token_of, round(1000 * (time.monotonic() - started)))

    async def list_capabilities(self, model: str, known: Capabilities) -> Capabilities:
        """Lists of models in this form hold names alone."""
        return known

    async def submit(self, requests: Iterable[tuple[str, Request]], capabilities: Capabilities, token: str) -> str:
        """As a file of a line for each request. Probabilities are not asked for: results come without the request that
        says of which texts."""
        without = replace(capabilities, logprobs=0)
        lines = [
            {"custom_id": name, "method": "POST", "url": _URL, "body": _parameters(request, without)}
            for name, request in requests
        ]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        if len(content) > MOST_BYTES:
            megabytes = f"{len(content) / 1e6:,.0f} MB for {len(lines):,} requests, of at most {MOST_BYTES / 1e6:,.0f}"
            raise providers.Rejected("file too large", f"{megabytes}: ask without the service's batches")
        try:
            with _faults():
                file = await self._client.files.create(file=("requests.jsonl", content), purpose="batch")
        except providers.Passing as fault:  # whether it came or not: nothing is asked of a file alone
            raise providers.Passing("connection lost", f"The file was not uploaded: {fault}", fault.after) from fault
        with _faults():
            made = await self._client.batches.create(
                input_file_id=file.id, endpoint=_URL, completion_window="24h", metadata={_TOKEN: token}
            )
            return made.id

    async def list_batches(self, since: datetime) -> list[ListedBatch]:
        found = []
        with _faults():
            async for batch in self._client.batches.list(limit=100):  # the newest first
                if batch.created_at < since.timestamp():
                    break
                requests = batch.request_counts.total if batch.request_counts else 0
                token = (batch.metadata or {}).get(_TOKEN, "")
                found.append(ListedBatch(batch.id, requests, batch.status in _OVER, token))
        return found

    async def look(self, batch_id: str) -> BatchState:
        with _faults():
            batch = await self._client.batches.retrieve(batch_id)
            counts = batch.request_counts
            done, failed, total = (counts.completed, counts.failed, counts.total) if counts else (0, 0, 0)
            return BatchState(batch.status in _OVER, total - done - failed, done, failed, _fault_of_batch(batch))

    async def cancel(self, batch_id: str) -> None:
        with _faults():
            await self._client.batches.cancel(batch_id)

    async def results(self, batch_id: str) -> AsyncIterator[tuple[str, Reply | providers.Fault]]:
        """Those of the output file and of the error file: what expired or was cancelled is in the latter."""
        with _faults():
            batch = await self._client.batches.retrieve(batch_id)
        for file_id in filter(None, (batch.output_file_id, batch.error_file_id)):
            with _faults():
                content = (await self._client.files.content(file_id)).content
            for line in content.splitlines():
                if entry := _read_entry(line):
                    yield entry

    async def close(self) -> None:
        await self._client.close()


class AzureChat(OpenAIChat):
    """Azure OpenAI: the model is the name of the deployment."""

    def _open(self, endpoint: Endpoint) -> "AsyncOpenAI":
        import openai

        return openai.AsyncAzureOpenAI(
            azure_endpoint=endpoint.url,
            api_key=endpoint.read_key(),
            api_version=endpoint.api_version,
            max_retries=0,
            timeout=endpoint.timeout,
        )


MOST_BYTES = 200_000_000  # of a batch's file; 50,000 requests, which no chunk of ours has
_URL: Literal["/v1/chat/completions"] = "/v1/chat/completions"
_TOKEN = "lacuna"  # of a batch's metadata
_OVER = ("completed", "failed", "expired", "cancelled")
# Codes of a batch's fault that pass once others have ended.
_QUEUE_FULL = ("token_limit_exceeded", "rate_limit_exceeded")


@contextmanager
def _faults(sent: frozenset[str] = frozenset()) -> Iterator[None]:
    """The SDK's faults as ours. Cut JSON is none to the SDK: what is missing in it shows where it is read."""
    import openai

    try:
        yield
    except openai.OpenAIError as error:
        raise _fault(error, sent) from error
    except (ValueError, TypeError, AttributeError, ArithmeticError) as error:
        raise providers.broken_answer() from error


def _fault_of_batch(batch: "Batch") -> providers.Fault | None:
    """Of a batch that the service did not begin: why, for all its requests."""
    if batch.status != "failed":
        return None
    first = next(iter((batch.errors.data if batch.errors else None) or ()), None)
    code, message = (first.code or "", first.message or "") if first else ("", "")
    message = remove_keys(message or "the service gave no reason")[: providers.MOST_IN_MESSAGE]
    return providers.Passing("queue full", message) if code in _QUEUE_FULL else providers.Rejected("not begun", message)


def _read_entry(line: bytes) -> tuple[str, Reply | providers.Fault] | None:
    """A line of results; None where it is blank or broken."""
    from openai.types.chat import ChatCompletion

    try:
        entry = json.loads(line)
        name, response, error = str(entry["custom_id"]), entry.get("response"), entry.get("error")
        if not response:
            return name, providers.Passing(_CODES.get(error["code"], str(error["code"])), str(error.get("message", "")))
        status, body = response["status_code"], response["body"]
        if status != 200:
            said = _message_of(body.get("error")) or str(body)
            return name, providers.fault_of_status(status, {}, body, said, _SENT)
        reply = _reply(ChatCompletion.model_validate(body), (), 0)
        return name, replace(reply, request_id=str(response.get("request_id") or reply.request_id))
    except providers.Fault as fault:  # an answer without a choice
        return name, fault
    except (ValueError, TypeError, AttributeError, KeyError, ArithmeticError):
        return None


_CODES = {"batch_expired": "expired", "batch_cancelled": "canceled"}


def _parameters(request: Request, capabilities: Capabilities) -> dict[str, Any]:
    call = plan_call(request, capabilities)
    system, text = (request.fixed, request.text) if capabilities.has_system else ("", _joined(request))
    messages = [{"role": "system", "content": system}] if system else []
    asked: dict[str, Any] = {
        "model": request.model,
        "messages": [*messages, {"role": "user", "content": text}],
        capabilities.limit: call.most_tokens,
        **call.sampling,
    }
    if call.effort:
        asked["reasoning_effort"] = call.effort
    if request.schema is not None and capabilities.is_structured:
        form = {"name": "answer", "schema": dict(request.schema), "strict": True}
        asked["response_format"] = {"type": "json_schema", "json_schema": form}
    if call.logprobs:
        asked |= {"logprobs": True, "top_logprobs": call.logprobs}
    return asked


def _joined(request: Request) -> str:
    """For models that take no system message."""
    return f"{request.fixed}\n\n{request.text}" if request.fixed else request.text


# What a refusal may be about, beside the parameters by their names.
_PARTS = frozenset({"system", "json_schema"})
_SENT = frozenset({"max_tokens", "max_completion_tokens", "reasoning_effort", "response_format", *SAMPLING}) | _PARTS


def _reply(completion: "ChatCompletion", first_token_of: tuple[str, ...], milliseconds: int) -> Reply:
    choices = completion.choices
    if not choices:
        raise providers.broken_answer("The service answered without a choice.")
    choice, usage = choices[0], completion.usage
    refusal = choice.message.refusal
    text = choice.message.content or refusal or ""
    if not isinstance(text, str):
        raise providers.broken_answer("The service answered with something else than text.")
    return Reply(
        text=text,
        stop=Stop.REFUSAL if refusal else _STOPS.get(choice.finish_reason, Stop.END),
        stop_reason="refusal" if refusal else choice.finish_reason or "",
        tokens=_tokens(usage) if usage else Tokens(),
        # A completion out of a batch's results came with no response of its own.
        request_id=getattr(completion, "_request_id", None) or completion.id or "",
        milliseconds=milliseconds,
        model=completion.model or "",
        probabilities=_first_token(choice, first_token_of),
    )


def _tokens(usage: "CompletionUsage") -> Tokens:
    """Servers of this form leave out what they do not count."""
    details = usage.prompt_tokens_details
    cached, written = (details.cached_tokens or 0, details.cache_write_tokens or 0) if details else (0, 0)
    thought = (usage.completion_tokens_details.reasoning_tokens or 0) if usage.completion_tokens_details else 0
    fresh = max(0, (usage.prompt_tokens or 0) - cached - written)
    return Tokens(fresh, cached, written, usage.completion_tokens or 0, thought)


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


def _fault(error: "OpenAIError", sent: frozenset[str]) -> providers.Fault:
    import openai

    if isinstance(error, openai.APIStatusError):
        said, headers = _message_of(error.body) or error.message, error.response.headers
        return providers.fault_of_status(error.status_code, headers, error.body, said, sent)
    if isinstance(error, openai.APITimeoutError):
        return providers.fault_of_connection("timeout", error)
    if isinstance(error, openai.APIConnectionError):
        return providers.fault_of_connection("connection lost", error)
    if isinstance(error, openai.APIResponseValidationError):
        return providers.broken_answer()
    return providers.Closed("not usable", remove_keys(str(error)))


def _message_of(body: object) -> str:
    """The service's own sentence; the SDK has taken the outer object off."""
    message = body.get("message") if isinstance(body, dict) else None
    return message if isinstance(message, str) else ""


_PLAIN = Capabilities(logprobs=MOST_LOGPROBS, limit="max_completion_tokens", cache_from=1024)
_REASONING = Capabilities(
    Thinking.ALWAYS, ("low", "medium", "high"), frozenset({"seed"}), 1.0, limit=_PLAIN.limit, cache_from=1024
)
# As of 2026-12-01. The longest name that begins the model's counts; of any other nothing is known.
_CAPABILITIES = {
    "gpt-": _PLAIN,
    "gpt-5": replace(_REASONING, efforts=("minimal", "low", "medium", "high")),
    "gpt-5-chat": _PLAIN,
    "gpt-5.": replace(_REASONING, efforts=("none", "low", "medium", "high")),
    "o1": _REASONING,
    "o1-mini": replace(_REASONING, efforts=(), has_system=False, is_structured=False),
    "o3": _REASONING,
    "o4": _REASONING,
}


def _known_capabilities(model: str) -> Capabilities:
    known = max((name for name in _CAPABILITIES if model.startswith(name)), key=len, default="")
    return _CAPABILITIES[known] if known else Capabilities(logprobs=MOST_LOGPROBS)


PROVIDER = Provider(
    name="openai",
    label="OpenAI, or a server that speaks its protocol",
    sdk="openai",
    endpoint=Endpoint(
        key="OPENAI_API_KEY",
        address="OPENAI_BASE_URL",
        hint=", or OPENAI_BASE_URL for another server than OpenAI's, which needs no key",
        needs_key_elsewhere=False,
    ),
    client=OpenAIChat,
    batch_client=OpenAIChat,
    capabilities=_known_capabilities,
    prices=PriceTable(
        as_of="2026-10-16",
        batch_share="0.5",
        dollars={  # fresh, cached, written, given (0: an hour costs no more); above so many tokens so many times it
            "gpt-5.6-sol": ("5", "0.50", "6.25", "30", "0", "272000", "2", "1.5"),
            "gpt-5.6-terra": ("2", "0.20", "2.50", "12", "0", "272000", "2", "1.5"),
            "gpt-5.6-luna": ("0.20", "0.02", "0.25", "1.20", "0", "272000", "2", "1.5"),
            "gpt-5.5": ("5", "0.50", "5", "30", "0", "272000", "2", "1.5"),
            "gpt-5.4": ("2.50", "0.25", "2.50", "15", "0", "272000", "2", "1.5"),
            "gpt-5.4-mini": ("0.75", "0.075", "0.75", "4.50"),
            "gpt-5.4-nano": ("0.20", "0.02", "0.20", "1.25"),
            "gpt-5.2": ("1.75", "0.175", "1.75", "14"),
            "gpt-5.1": ("1.25", "0.125", "1.25", "10"),
            "gpt-5": ("1.25", "0.125", "1.25", "10"),
            "gpt-5-mini": ("0.25", "0.025", "0.25", "2"),
            "gpt-5-nano": ("0.05", "0.005", "0.05", "0.40"),
            "gpt-5-chat-latest": ("1.25", "0.125", "1.25", "10"),
            "gpt-4.1": ("2", "0.50", "2", "8"),
            "gpt-4.1-mini": ("0.40", "0.10", "0.40", "1.60"),
            "gpt-4.1-nano": ("0.10", "0.025", "0.10", "0.40"),
            "gpt-4o": ("2.50", "1.25", "2.50", "10"),
            "gpt-4o-mini": ("0.15", "0.075", "0.15", "0.60"),
            "o3": ("2", "0.50", "2", "8"),
            "o4-mini": ("1.10", "0.275", "1.10", "4.40"),
            "gpt-3.5-turbo": ("0.50", "0.50", "0.50", "1.50"),
        },
    ),
)

CLOUDS = (
    replace(
        PROVIDER,
        name="azure",
        label="Azure OpenAI",
        endpoint=Endpoint(key="AZURE_OPENAI_API_KEY", address=""),
        client=AzureChat,
        batch_client=None,
        prices=PriceTable("", {}),
        needs=("base_url", "api_version"),
        has_own_prices=True,
    ),
)
