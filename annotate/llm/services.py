"""The services by name, and what is missing where one cannot be used. No key is read here, only whether it is set."""

import importlib.util
import os
from collections.abc import Mapping

from annotate.llm import keys
from annotate.llm.provider import Batching, Provider

ANTHROPIC = "anthropic"
OPENAI = "openai"
NAMES = (ANTHROPIC, OPENAI)


def missing(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """What a person has to do before the service can be used, in a sentence; empty where nothing is missing."""
    if name == ANTHROPIC:
        if not environment.get("ANTHROPIC_API_KEY"):
            return "Set ANTHROPIC_API_KEY in the environment of the server and of the worker."
        return keys.flaw("ANTHROPIC_API_KEY", environment) or _flaw_of_address("ANTHROPIC_BASE_URL", environment)
    if name == OPENAI:
        if importlib.util.find_spec("openai") is None:
            return "Install the extra: pip install openai."
        if not environment.get("OPENAI_API_KEY"):
            return (
                "Set OPENAI_API_KEY in the environment of the server and of the worker, and OPENAI_BASE_URL for "
                "another server than OpenAI's; a local server takes any key."
            )
        return keys.flaw("OPENAI_API_KEY", environment) or _flaw_of_address("OPENAI_BASE_URL", environment)
    raise KeyError(name)


def _flaw_of_address(name: str, environment: Mapping[str, str]) -> str:
    is_address = environment.get(name, "http://").startswith(("http://", "https://"))
    return "" if is_address else f"{name} has to begin with http:// or https://."


def open_provider(name: str) -> Provider:
    """A client of the service. Its SDK is imported here: each costs a second."""
    if name == ANTHROPIC:
        from annotate.llm.anthropic_messages import AnthropicMessages

        return AnthropicMessages()
    if name == OPENAI:
        from annotate.llm.openai_chat import OpenAIChat

        return OpenAIChat()
    raise KeyError(name)


def open_batching(name: str) -> Batching | None:
    """A client for large batches, where the service has them."""
    if name != ANTHROPIC:
        return None
    from annotate.llm.anthropic_messages import AnthropicMessages

    return AnthropicMessages()
