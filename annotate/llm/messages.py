"""What is asked of a model and what it answers, whichever service carries it."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True)
class Request:
    """`fixed` is the same for the requests of a batch (guidelines, worked examples) and comes first, so that a service
    can cache it; `text` is what differs. `schema` is a JSON schema of the answer, for services that can hold to one.
    `first_token_of`: the texts whose probabilities as the first token are wanted, of a service that tells them.
    `most_tokens` are those of the answer; thinking comes on top. `is_reasoned`: the prompt wants reasons before the
    answer. `effort`: a level of reasoning effort, empty for the least. `parameters`: of sampling, beside `temperature`.
    """

    model: str
    fixed: str
    text: str
    most_tokens: int
    temperature: float | None = None
    schema: Mapping[str, object] | None = None
    first_token_of: tuple[str, ...] = ()
    is_reasoned: bool = False
    effort: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)


class Stop(StrEnum):
    """Why the model stopped."""

    END = "END"
    LENGTH = "LENGTH"
    REFUSAL = "REFUSAL"
    FILTER = "FILTER"


@dataclass(frozen=True)
class Tokens:
    """As the service counts them. `fresh` were read at full price, `cached` from a cache, `written` into one;
    `thought` are those of `given` that were spent on thinking."""

    fresh: int = 0
    cached: int = 0
    written: int = 0
    given: int = 0
    thought: int = 0

    @property
    def total(self) -> int:
        """Read and written, as a budget in tokens counts them."""
        return self.fresh + self.cached + self.written + self.given

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.fresh + other.fresh,
            self.cached + other.cached,
            self.written + other.written,
            self.given + other.given,
            self.thought + other.thought,
        )


@dataclass(frozen=True)
class Reply:
    """The raw answer. `probabilities` are those of `Request.first_token_of`, where the service gave them."""

    text: str
    stop: Stop
    stop_reason: str  # in the service's own words
    tokens: Tokens = field(default_factory=Tokens)
    request_id: str = ""
    milliseconds: int = 0
    model: str = ""  # the version that answered, in the service's words
    probabilities: tuple[float, ...] | None = None


async def read_json_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[dict[str, Any]]:
    """The objects of a file of results, one a line. A line that is blank or broken is passed over, so that it costs no
    other line. Lines end with a line feed alone: texts may hold other signs that count as ends of lines."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if (read := _read_json_line(line)) is not None:
                yield read
    if (read := _read_json_line(rest)) is not None:
        yield read


def _read_json_line(line: bytes) -> dict[str, Any] | None:
    try:
        read = json.loads(line)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
