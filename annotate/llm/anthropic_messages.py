"""Anthropic's Messages API and Message Batches API, by the official SDK; the one module that imports it.

Keys come from the environment (ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL) and are read by the SDK alone.
"""

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
from anthropic.types import Message
from anthropic.types.messages import MessageBatchIndividualResponse

from annotate.llm import service_faults
from annotate.llm.messages import Reply, Request, Stop, Tokens
from annotate.llm.provider import BatchState

KEY = "ANTHROPIC_API_KEY"
_STOPS = {
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSAL,
}


class AnthropicMessages:
    """One client for a batch's whole life. Attempts are counted and paced by the caller, so the SDK makes one each."""

    name = "anthropic"

    def __init__(self, timeout: float = 120.0) -> None:
        self._client = anthropic.AsyncAnthropic(max_retries=0, timeout=timeout)

    async def ask(self, request: Request) -> Reply:
        started = time.monotonic()
        call = self._client.messages.create(**_parameters(request), extra_body=_sampling(request))
        with _faults():
            return _reply(await call, started)

    async def submit(self, requests: Iterable[tuple[str, Request]]) -> str:
        entries: Any = [
            {"custom_id": name, "params": _parameters(request) | _sampling(request)} for name, request in requests
        ]
        with _faults():
            return (await self._client.messages.batches.create(requests=entries)).id

    async def look(self, batch_id: str) -> BatchState:
        with _faults():
            batch = await self._client.messages.batches.retrieve(batch_id)
            counts = batch.request_counts
            failed = counts.errored + counts.expired + counts.canceled
            return BatchState(batch.processing_status == "ended", counts.processing, counts.succeeded, failed)

    async def cancel(self, batch_id: str) -> None:
        with _faults():
            await self._client.messages.batches.cancel(batch_id)

    async def results(self, batch_id: str) -> AsyncIterator[tuple[str, Reply | service_faults.Fault]]:
        with _faults():
            entries = await self._client.messages.batches.results(batch_id)
        try:
            async for entry in entries:
                yield entry.custom_id, _result(entry)
        except Exception as error:  # the SDK lets pass what its HTTP library says of a stream that breaks off
            raise service_faults.Passing("broken answer") from error

    async def close(self) -> None:
        await self._client.close()


@contextmanager
def _faults() -> Iterator[None]:
    """The SDK's faults as ours. Cut JSON is none to the SDK: what is missing in it shows where it is read."""
    try:
        yield
    except anthropic.AnthropicError as error:
        raise _fault(error) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise service_faults.Passing("broken answer") from error


def _parameters(request: Request) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.most_tokens,
        "messages": [{"role": "user", "content": request.text}],
    }
    if request.fixed:
        # Cached from here back: the next requests of the batch begin with the same text.
        asked["system"] = [{"type": "text", "text": request.fixed, "cache_control": {"type": "ephemeral"}}]
    if request.schema is not None:
        asked["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
    return asked


def _sampling(request: Request) -> dict[str, float]:
    """What the service takes of older models and the SDK (from 1.0 on) has no argument for."""
    return {} if request.temperature is None else {"temperature": request.temperature}


def _reply(message: Message, started: float | None) -> Reply:
    usage = message.usage
    return Reply(
        text="".join(block.text for block in message.content if block.type == "text"),
        stop=_STOPS.get(message.stop_reason or "", Stop.END),
        stop_reason=message.stop_reason or "",
        tokens=Tokens(
            fresh=usage.input_tokens,
            cached=usage.cache_read_input_tokens or 0,
            written=usage.cache_creation_input_tokens or 0,
            given=usage.output_tokens,
        ),
        # A message out of a batch's results came with no response of its own.
        request_id=getattr(message, "_request_id", None) or message.id,
        milliseconds=round(1000 * (time.monotonic() - started)) if started is not None else 0,
    )


def _result(entry: MessageBatchIndividualResponse) -> Reply | service_faults.Fault:
    result = entry.result
    if result.type == "succeeded":
        return _reply(result.message, started=None)
    if result.type == "errored":
        error = result.error.error
        if error.type == "invalid_request_error":
            return service_faults.Rejected(error.type, error.message)
        return service_faults.Passing(error.type, error.message)
    return service_faults.Passing(result.type)


def _fault(error: anthropic.AnthropicError) -> service_faults.Fault:
    if isinstance(error, anthropic.APIStatusError):
        return service_faults.fault_of_status(error.status_code, error.response.headers, error.body, error.message)
    if isinstance(error, anthropic.APITimeoutError):
        return service_faults.Passing("timeout")
    if isinstance(error, anthropic.APIConnectionError):
        return service_faults.Passing("connection lost")
    if isinstance(error, anthropic.APIResponseValidationError):
        return service_faults.Passing("broken answer")
    return service_faults.Closed("not usable", service_faults.remove_keys(str(error)))
