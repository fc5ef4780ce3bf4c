"""Models as their services describe them (December 2026): what they refuse, when they think, what that costs."""

import re
from dataclasses import dataclass

LEVELS = ("low", "medium", "high", "xhigh", "max")
THOUGHT = {"none": 0, "minimal": 60, "low": 700, "medium": 2500, "high": 6000, "xhigh": 12000, "max": 30000}
SAMPLING = ("temperature", "top_p", "top_k")


@dataclass(frozen=True)
class Model:
    """`thinks` by itself, unless one of the types `off` is sent; then `efforts` say how much. `limits`: the names that
    its limit of tokens may have. `logprobs`: of how many tokens it tells them. `marks`: it thinks in its text."""

    thinks: bool = False
    off: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    usual_effort: str = "high"
    has_sampling: bool = True
    limits: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    logprobs: int = 20
    has_system: bool = True
    marks: bool = False
    has_enabled: bool = False
    has_batches: bool = True
    cache_from: int = 512
    lifecycle: str = "active"

    def thought(self, body: dict) -> int:
        """Tokens of thinking before the answer."""
        if self.marks:
            return 300
        if not self.thinks or body.get("thinking", {}).get("type") in self.off:
            return 0
        effort = body.get("output_config", {}).get("effort") or body.get("reasoning_effort") or self.usual_effort
        return THOUGHT[effort]


_CURRENT = Model(thinks=True, efforts=LEVELS, has_sampling=False)
MODELS = {
    "claude-haiku-4-5": Model(has_enabled=True, cache_from=4096),
    "claude-of-yesterday": Model(has_enabled=True, lifecycle="deprecated"),
    "claude-haiku-5-5": Model(True, ("disabled",), LEVELS, "medium", has_sampling=False),
    "claude-opus-5": Model(True, ("disabled",), LEVELS, has_sampling=False),
    "claude-sonnet-5-5": Model(True, ("between_tools",), LEVELS, has_sampling=False),
    "claude-opus-5-5": Model(True, (), LEVELS, "medium", has_sampling=False),
    "claude-fable-5-2": _CURRENT,
    "claude-of-tomorrow": _CURRENT,
    "without-batches": Model(has_batches=False),
    "gpt-4o": Model(),
    "gpt-5": Model(
        True, (), ("minimal", "low", "medium", "high"), "medium", False, ("max_completion_tokens",), logprobs=0
    ),
    "o1-mini": Model(True, (), (), "medium", False, ("max_completion_tokens",), logprobs=0, has_system=False),
    "reasoner-of-tomorrow": Model(
        True, (), (), "medium", False, ("max_completion_tokens",), logprobs=0, has_system=False
    ),
    "five-logprobs": Model(logprobs=5),
    "local-think": Model(limits=("max_tokens",), logprobs=0, marks=True),
}
USUAL = Model()


def find_model(name: str) -> Model:
    """By its name, also as clouds write it, and with the day of a snapshot."""
    plain = re.sub(r"[-@]\d{8}.*$", "", name.rpartition("anthropic.")[2])
    return MODELS.get(plain, USUAL)


def find_refusal(body: dict, is_chat: bool) -> tuple[str, str] | None:
    """(parameter, sentence) of a 400, in the words of the services."""
    model = find_model(body.get("model", ""))
    if not is_chat:
        return _refusal_of_messages(model, body)
    for name in ("max_tokens", "max_completion_tokens"):
        if name in body and name not in model.limits:
            return (
                name,
                f"Unsupported parameter: '{name}' is not supported with this model. Use '{model.limits[0]}' instead.",
            )
    for name in SAMPLING:
        if not model.has_sampling and body.get(name, 1) != 1:
            words = f"Unsupported value: '{name}' does not support {body[name]} with this model."
            return name, f"{words} Only the default (1) value is supported."
    if body.get("logprobs") and not model.logprobs:
        return "logprobs", "You are not allowed to request logprobs from this model."
    if body.get("top_logprobs", 0) > model.logprobs:
        return "top_logprobs", f"Invalid value for 'top_logprobs': must be less than or equal to {model.logprobs}."
    effort = body.get("reasoning_effort")
    if effort and effort not in model.efforts:
        return "reasoning_effort", f"Unsupported value: 'reasoning_effort' does not support '{effort}' with this model."
    if not model.has_system and any(message["role"] == "system" for message in body["messages"]):
        return "messages[0].role", "Unsupported value: 'messages[0].role' does not support 'system' with this model."
    return None


def _refusal_of_messages(model: Model, body: dict) -> tuple[str, str] | None:
    kind = body.get("thinking", {}).get("type")
    if kind in ("disabled", "between_tools") and model.thinks and kind not in model.off:
        return "thinking", (
            f'"thinking.type.{kind}" is not supported for this model. Use "thinking.type.adaptive" and '
            '"output_config.effort" to control thinking behavior.'
        )
    for name in SAMPLING:
        if name in body and not model.has_sampling:
            return name, f"`{name}` is deprecated for this model."
    effort = body.get("output_config", {}).get("effort")
    if effort and not model.efforts:
        return "output_config.effort", "This model does not support the effort parameter."
    if kind in model.off and effort in ("xhigh", "max"):
        return "output_config.effort", f"effort `{effort}` is not supported with thinking off."
    return None


def info(name: str) -> dict:
    """What the service's list of models says."""
    model = find_model(name)

    def can(is_supported: bool) -> dict:
        return {"supported": is_supported}

    types = {
        "adaptive": can(model.thinks),
        "between_tools": can("between_tools" in model.off),
        "disabled": can(not model.thinks or "disabled" in model.off),
        "enabled": can(model.has_enabled),
    }
    capabilities = {
        "batch": can(model.has_batches),
        **{part: can(True) for part in ("citations", "code_execution", "image_input", "pdf_input")},
        "context_management": can(False),
        "effort": {"supported": bool(model.efforts), **{level: can(level in model.efforts) for level in LEVELS}},
        "server_tools": can(False),
        "structured_outputs": can(True),
        "thinking": {"supported": model.thinks or model.has_enabled, "types": types},
    }
    return {
        "type": "model",
        "id": name,
        "display_name": re.sub("-", " ", name).title(),
        "created_at": "2026-10-07T00:00:00Z",
        "lifecycle": model.lifecycle,
        "max_input_tokens": 1_000_000,
        "max_tokens": 128_000,
        "capabilities": capabilities,
    }
