"""From a query to the request that asks for its backstory, and from the answer to the text."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.llm import answers, fences
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template

MOST_TOKENS = 400
MOST_CHARACTERS = 2000
_AVOID = "Do without these words, and without words of the same stem: {words}."


@dataclass(frozen=True)
class BackstoryWriting:
    """All that is the same for the topics of a batch."""

    model: str
    template: Template
    temperature: float | None = None
    is_fenced: bool = True

    def request(self, query: str, avoid: Sequence[str]) -> Request:
        """`avoid`: words that the text should do without."""
        words = _AVOID.format(words=", ".join(avoid)) if avoid else ""
        fixed, text = self.template.filled({"query": fences.data("query", query, self.is_fenced), "avoid": words})
        return Request(self.model, fixed, text, MOST_TOKENS, self.temperature)


def read(reply: Reply) -> tuple[State, str]:
    """How the answer ended, and its text where that is DONE: one paragraph of at most `MOST_CHARACTERS`.

    Lines are joined; more than one paragraph is a remark beside the text, and UNPARSED.
    """
    if state := answers.broken_off(reply):
        return state, ""
    text = answers.unfenced(reply.text)
    if not text:
        return State.EMPTY, ""
    paragraphs = [" ".join(part.split()) for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()]
    if len(paragraphs) != 1 or len(paragraphs[0]) > MOST_CHARACTERS:
        return State.UNPARSED, ""
    return State.DONE, paragraphs[0]
