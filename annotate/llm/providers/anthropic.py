"""Anthropic's Messages API and Message Batches API, by the official SDK; the one module that imports it."""

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from annotate.llm import providers
from annotate.llm.capabilities import EFFORTS, SAMPLING, Capabilities, PriceTable, Thinking, find_refused, plan_call
from annotate.llm.endpoints import Endpoint, remove_keys
from annotate.llm.messages import Reply, Request, Stop, Tokens, read_json_lines
from annotate.llm.providers import BatchState, ListedBatch, Provider

if TYPE_CHECKING:
    from anthropic import AnthropicError
    from anthropic.types import Message, ModelInfo, ThinkingCapability
    from anthropic.types.messages import MessageBatchIndividualResponse

_STOPS = {"max_tokens": Stop.LENGTH, "model_context_window_exceeded": Stop.LENGTH, "refusal": Stop.REFUSAL}


class AnthropicMessages:
    """One client for a batch's whole life. Attempts are counted and paced by the caller, so the SDK makes one each."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._client: Any = self._open(endpoint)  # clients of clouds lack some of what the others have

    def _open(self, endpoint: Endpoint) -> object:
        import anthropic  # a second

        key = endpoint.read_key() or ("none" if endpoint.url else None)  # the SDK does not go without one
        return anthropic.AsyncAnthropic(
            api_key=key, base_url=endpoint.read_address(), max_retries=0, timeout=endpoint.timeout
        )

    async def answer(self, request: Request, capabilities: Capabilities) -> Reply:
        started = time.monotonic()
        parameters, sampling = _parameters(request, capabilities)
        with _faults(_SENT & {*parameters, *sampling, *_PARTS}):
            return _reply(await self._client.messages.create(**parameters, extra_body=sampling), started)

    async def list_capabilities(self, model: str, known: Capabilities) -> Capabilities:
        import anthropic

        try:
            return _told_capabilities(await self._client.models.retrieve(model, timeout=10), known)
        except (anthropic.AnthropicError, ValueError, TypeError, AttributeError):
            return known  # servers of this form may have no list of models; what is wrong with a key a call will tell

    async def submit(self, requests: Iterable[tuple[str, Request]], capabilities: Capabilities, token: str) -> str:
        entries: Any = []
        for name, request in requests:
            parameters, sampling = _parameters(request, capabilities, is_batch=True)
            entries.append({"custom_id": name, "params": parameters | sampling})
        with _faults():
            return str((await self._client.messages.batches.create(requests=entries)).id)

    async def list_batches(self, since: datetime) -> list[ListedBatch]:
        found = []
        with _faults():
            async for batch in self._client.messages.batches.list(limit=100):  # the newest first
                if batch.created_at < since:
                    break
                requests = sum(batch.request_counts.model_dump().values())
                found.append(ListedBatch(batch.id, requests, batch.processing_status == "ended"))
        return found

    async def look(self, batch_id: str) -> BatchState:
        with _faults():
            batch = await self._client.messages.batches.retrieve(batch_id)
            counts = batch.request_counts
            failed = counts.errored + counts.expired + counts.canceled
            return BatchState(batch.processing_status == "ended", counts.processing, counts.succeeded, failed)

    async def cancel(self, batch_id: str) -> None:
        with _faults():
            await self._client.messages.batches.cancel(batch_id)

    async def results(self, batch_id: str) -> AsyncIterator[tuple[str, Reply | providers.Fault]]:
        with _faults():
            manager = self._client.messages.batches.with_streaming_response.results(batch_id)
            stream = await manager.__aenter__()
        try:
            # Read here: the SDK gives up the whole stream for one line that is blank or broken.
            async for line in read_json_lines(stream.iter_bytes()):
                if entry := _entry(line):
                    yield entry
        except Exception as error:  # the SDK lets pass what its HTTP library says of a stream that breaks off
            raise providers.broken_answer() from error
        finally:
            await manager.__aexit__(None, None, None)

    async def close(self) -> None:
        await self._client.close()


class BedrockMessages(AnthropicMessages):
    """Claude on Amazon Bedrock: by a bearer token, else by what boto3 finds."""

    def _open(self, endpoint: Endpoint) -> object:
        import anthropic

        return anthropic.AsyncAnthropicBedrock(
            api_key=endpoint.read_key(),
            aws_region=endpoint.region,
            base_url=endpoint.url or None,
            max_retries=0,
            timeout=endpoint.timeout,
        )


class VertexMessages(AnthropicMessages):
    """Claude on Google Vertex AI: by an access token, which lasts for an hour, else by what google-auth finds."""

    def _open(self, endpoint: Endpoint) -> object:
        import anthropic

        return anthropic.AsyncAnthropicVertex(
            region=endpoint.region,
            project_id=endpoint.project,
            access_token=endpoint.read_key(),
            base_url=endpoint.url or None,
            max_retries=0,
            timeout=endpoint.timeout,
        )


@contextmanager
def _faults(sent: frozenset[str] = frozenset()) -> Iterator[None]:
    """The SDK's faults as ours. Cut JSON is none to the SDK: what is missing in it shows where it is read."""
    import anthropic

    try:
        yield
    except anthropic.AnthropicError as error:
        raise _fault(error, sent) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise providers.broken_answer() from error


def _parameters(
    request: Request, capabilities: Capabilities, *, is_batch: bool = False
) -> tuple[dict[str, Any], dict[str, float]]:
    """What is sent, and beside it the parameters of sampling, which older models take and the SDK has no argument for.

    The beginning that all requests share is cached from here back, in a batch for an hour, which may pass between two
    of its requests.
    """
    call = plan_call(request, capabilities)
    asked: dict[str, Any] = {
        "model": request.model,
        "max_tokens": call.most_tokens,
        "messages": [{"role": "user", "content": request.text}],
    }
    if request.fixed:
        lifetime = {"type": "ephemeral", "ttl": "1h"} if is_batch else {"type": "ephemeral"}
        asked["system"] = [{"type": "text", "text": request.fixed, "cache_control": lifetime}]
    if call.thinking:
        asked["thinking"] = {"type": call.thinking}
    output: dict[str, Any] = {"effort": call.effort} if call.effort else {}
    if request.schema is not None and capabilities.is_structured:
        output["format"] = {"type": "json_schema", "schema": dict(request.schema)}
    if output:
        asked["output_config"] = output
    return asked, dict(call.sampling)


# What a refusal may be about, beside the parameters by their first names.
_PARTS = frozenset({"output_config.effort", "effort", "output_config.format", "json_schema"})
_SENT = frozenset({"max_tokens", "thinking", *SAMPLING}) | _PARTS


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
            thought=usage.output_tokens_details.thinking_tokens if usage.output_tokens_details else 0,
        ),
        # A message out of a batch's results came with no response of its own.
        request_id=getattr(message, "_request_id", None) or message.id,
        milliseconds=round(1000 * (time.monotonic() - started)) if started is not None else 0,
        model=message.model or "",
    )


def _entry(line: dict[str, Any]) -> tuple[str, Reply | providers.Fault] | None:
    """A line of results; None where it is not whole."""
    from anthropic.types.messages import MessageBatchIndividualResponse

    try:
        entry = MessageBatchIndividualResponse.model_validate(line)
        return entry.custom_id, _result(entry)
    except (ValueError, TypeError, AttributeError):
        return None


def _result(entry: "MessageBatchIndividualResponse") -> Reply | providers.Fault:
    result = entry.result
    if result.type == "succeeded":
        return _reply(result.message, started=None)
    if result.type == "errored":
        error = result.error.error
        if error.type == "invalid_request_error":
            parameter = find_refused(error.message, sent=_SENT)
            if parameter:
                return providers.Unsupported(parameter, error.message)
            return providers.Rejected(error.type, error.message)
        return providers.Passing(error.type, error.message)
    return providers.Passing(result.type)


def _fault(error: "AnthropicError", sent: frozenset[str]) -> providers.Fault:
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        said, headers = _message_of(error.body) or error.message, error.response.headers
        return providers.fault_of_status(error.status_code, headers, error.body, said, sent)
    if isinstance(error, anthropic.APITimeoutError):
        return providers.fault_of_connection("timeout", error)
    if isinstance(error, anthropic.APIConnectionError):
        return providers.fault_of_connection("connection lost", error)
    if isinstance(error, anthropic.APIResponseValidationError):
        return providers.broken_answer()
    return providers.Closed("not usable", remove_keys(str(error)))


def _message_of(body: object) -> str:
    """The service's own sentence."""
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else ""


def _told_capabilities(model: "ModelInfo", known: Capabilities) -> Capabilities:
    """What the service's list of models says; of parameters of sampling and of caches it says nothing."""
    told = model.capabilities
    ends = {"deprecated": "the service will retire this model", "retired": "the service has retired this model"}
    adapted = (*known.adapted, *([ends[model.lifecycle]] if model.lifecycle in ends else []))
    known = replace(known, adapted=adapted, most_tokens=model.max_tokens or known.most_tokens)
    if told is None:
        return known
    levels = {name: getattr(told.effort, name, None) for name in EFFORTS}
    efforts = tuple(name for name, level in levels.items() if level is not None and level.supported)
    return replace(
        known,
        thinking=_told_thinking(told.thinking),
        efforts=efforts if told.effort.supported else (),
        is_structured=told.structured_outputs.supported,
        has_batches=told.batch.supported,
    )


def _told_thinking(told: "ThinkingCapability") -> Thinking:
    """Models that take `enabled` alone think when they are asked to; those that are adaptive think by themselves."""
    if not told.supported or not told.types.adaptive.supported or told.types.enabled.supported:
        return Thinking.NONE
    if told.types.disabled.supported:
        return Thinking.DISABLED
    return Thinking.BETWEEN_TOOLS if told.types.between_tools.supported else Thinking.ALWAYS


_LEVELS = ("low", "medium", "high", "xhigh", "max")
_CURRENT = Capabilities(Thinking.ALWAYS, _LEVELS, frozenset(), 1.0, most_tokens=128_000, cache_from=512)
_EARLIER = Capabilities(own_temperature=1.0, most_tokens=64_000)
# As of 2026-12-01. The longest name that begins the model's counts; `claude-` alone is any later model, which is
# taken for a current one: what is not sent is not refused.
_CAPABILITIES = {
    "claude-": _CURRENT,
    "claude-haiku-5-5": replace(_CURRENT, thinking=Thinking.DISABLED),
    "claude-sonnet-5-5": replace(_CURRENT, thinking=Thinking.BETWEEN_TOOLS),
    "claude-sonnet-5": replace(_CURRENT, thinking=Thinking.DISABLED, cache_from=1024),
    "claude-opus-5": replace(_CURRENT, thinking=Thinking.DISABLED),
    "claude-opus-5-5": _CURRENT,
    "claude-opus-4-8": replace(_CURRENT, thinking=Thinking.NONE, cache_from=1024),
    "claude-opus-4-7": replace(_CURRENT, thinking=Thinking.NONE, cache_from=2048),
    "claude-opus-4-6": replace(_EARLIER, efforts=_LEVELS, most_tokens=128_000, cache_from=4096),
    "claude-sonnet-4-6": replace(_EARLIER, efforts=_LEVELS, cache_from=2048),
    "claude-opus-4-5": replace(_EARLIER, cache_from=4096),
    "claude-sonnet-4-5": replace(_EARLIER, cache_from=1024),
    "claude-haiku-4-5": replace(_EARLIER, cache_from=4096),
    "claude-3": replace(_EARLIER, is_structured=False, most_tokens=4096),
}


def _known_capabilities(model: str) -> Capabilities:
    """Clouds put `anthropic.` before the name, and a version behind it."""
    model = model.rpartition("anthropic.")[2]
    known = max((name for name in _CAPABILITIES if model.startswith(name)), key=len, default="")
    return _CAPABILITIES[known] if known else Capabilities(own_temperature=1.0)


PROVIDER = Provider(
    name="anthropic",
    label="Anthropic",
    sdk="anthropic",
    endpoint=Endpoint(key="ANTHROPIC_API_KEY", address="ANTHROPIC_BASE_URL"),
    client=AnthropicMessages,
    batch_client=AnthropicMessages,
    capabilities=_known_capabilities,
    prices=PriceTable(
        as_of="2026-11-30",
        batch_share="0.5",
        dollars={  # fresh, cached, written, given, written for an hour; above so many tokens so many times as much
            "claude-fable-5-2": ("8", "0.20", "10", "40", "16"),
            "claude-mythos-5-2": ("8", "0.20", "10", "40", "16"),
            "claude-fable-5-1": ("10", "0.25", "12.50", "50", "20"),
            "claude-mythos-5-1": ("10", "0.25", "12.50", "50", "20"),
            "claude-fable-5": ("10", "1", "12.50", "50", "20"),
            "claude-mythos-5": ("10", "1", "12.50", "50", "20"),
            "claude-haiku-5-5": ("0.10", "0.01", "0.125", "0.50", "0.20", "100000", "5", "5"),
            "claude-haiku-4-5": ("1", "0.10", "1.25", "5", "2"),
            "claude-sonnet-5-5": ("2", "0.10", "2.50", "10", "4"),
            "claude-sonnet-5": ("2", "0.20", "2.50", "10", "4"),
            "claude-sonnet-4-6": ("3", "0.30", "3.75", "15", "6"),
            "claude-sonnet-4-5": ("3", "0.30", "3.75", "15", "6"),
            "claude-opus-5-5": ("4", "0.20", "5", "20", "8"),
            "claude-opus-5": ("5", "0.50", "6.25", "25", "10"),
            "claude-opus-4-8": ("5", "0.50", "6.25", "25", "10"),
            "claude-opus-4-7": ("5", "0.50", "6.25", "25", "10"),
            "claude-opus-4-6": ("5", "0.50", "6.25", "25", "10"),
            "claude-opus-4-5": ("5", "0.50", "6.25", "25", "10"),
        },
    ),
)

_CLOUD = replace(PROVIDER, batch_client=None, prices=PriceTable("", {}), has_own_prices=True)
CLOUDS = (
    replace(
        _CLOUD,
        name="bedrock",
        label="Claude on Amazon Bedrock",
        endpoint=Endpoint(
            key="AWS_BEARER_TOKEN_BEDROCK",
            address="",
            hint=', or install boto3 (pip install "anthropic[bedrock]") and give it credentials',
            key_package="boto3",
        ),
        client=BedrockMessages,
        needs=("region",),
    ),
    replace(
        _CLOUD,
        name="vertex",
        label="Claude on Google Vertex AI",
        endpoint=Endpoint(
            key="VERTEX_ACCESS_TOKEN",
            address="",
            hint=', or install google-auth (pip install "anthropic[vertex]") and give it credentials',
            key_package="google.auth",
        ),
        client=VertexMessages,
        needs=("region", "project"),
    ),
)
