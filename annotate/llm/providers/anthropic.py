"""Anthropic's Messages API and Message Batches API, by the official SDK; the one module that imports it.

The key and another address are read from the environment by the SDK alone.
"""

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from annotate.llm import service_faults
from annotate.llm.messages import Reply, Request, Stop, Tokens
from annotate.llm.prices import PriceTable
from annotate.llm.provider import BatchState, Capabilities, Endpoint, Provider

if TYPE_CHECKING:
    from anthropic import AnthropicError
    from anthropic.types import Message
    from anthropic.types.messages import MessageBatchIndividualResponse

_STOPS = {
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSAL,
}


class AnthropicMessages:
    """One client for a batch's whole life. Attempts are counted and paced by the caller, so the SDK makes one each."""

    def __init__(self, endpoint: Endpoint) -> None:
        import anthropic  # a second

        self._client = anthropic.AsyncAnthropic(max_retries=0, timeout=endpoint.timeout)

    async def answer(self, request: Request) -> Reply:
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
    import anthropic

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


def _reply(message: "Message", started: float | None) -> Reply:
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


def _result(entry: "MessageBatchIndividualResponse") -> Reply | service_faults.Fault:
    result = entry.result
    if result.type == "succeeded":
        return _reply(result.message, started=None)
    if result.type == "errored":
        error = result.error.error
        if error.type == "invalid_request_error":
            return service_faults.Rejected(error.type, error.message)
        return service_faults.Passing(error.type, error.message)
    return service_faults.Passing(result.type)


def _fault(error: "AnthropicError") -> service_faults.Fault:
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        return service_faults.fault_of_status(error.status_code, error.response.headers, error.body, error.message)
    if isinstance(error, anthropic.APITimeoutError):
        return service_faults.Passing("timeout")
    if isinstance(error, anthropic.APIConnectionError):
        return service_faults.Passing("connection lost")
    if isinstance(error, anthropic.APIResponseValidationError):
        return service_faults.Passing("broken answer")
    return service_faults.Closed("not usable", service_faults.remove_keys(str(error)))


PROVIDER = Provider(
    name="anthropic",
    label="Anthropic",
    sdk="anthropic",
    endpoint=Endpoint(key="ANTHROPIC_API_KEY", address="ANTHROPIC_BASE_URL"),
    client=AnthropicMessages,
    batch_client=AnthropicMessages,
    capabilities=lambda model: Capabilities(own_temperature=1.0),
    prices=PriceTable(
        as_of="2026-11-30",
        batch_share="0.5",
        dollars={
            "claude-haiku-5-5": ("0.10", "0.01", "0.125", "0.50"),
            "claude-haiku-4-5": ("1", "0.10", "1.25", "5"),
            "claude-sonnet-5-5": ("2", "0.10", "2.50", "10"),
            "claude-sonnet-5": ("2", "0.20", "2.50", "10"),
            "claude-sonnet-4-6": ("3", "0.30", "3.75", "15"),
            "claude-sonnet-4-5": ("3", "0.30", "3.75", "15"),
            "claude-opus-5-5": ("4", "0.20", "5", "20"),
            "claude-opus-5": ("5", "0.50", "6.25", "25"),
            "claude-opus-4-8": ("5", "0.50", "6.25", "25"),
            "claude-opus-4-7": ("5", "0.50", "6.25", "25"),
            "claude-opus-4-6": ("5", "0.50", "6.25", "25"),
            "claude-opus-4-5": ("5", "0.50", "6.25", "25"),
        },
    ),
)
