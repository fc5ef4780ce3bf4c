"""What the model of the stand-in says."""

import json
import re

from tests.model_service import script

_WORDINGS = re.compile(r"Write (one|\d+) wordings?")
TEXTS = {
    "off the scale": "7",
    "empty": "",
    "words": "I would rather not say a number.",
    "marked": "##final score: 2",
    "echo": f"You gave me the key {script.KEY}.",
    "unstorable": "half of an emoji \ud83d and a \0",
}


def cut(text: str, body: dict, thought: int = 0) -> tuple[str, bool]:
    """The text as far as the tokens go that were allowed, four signs each, and whether something is missing."""
    allowed = body.get("max_completion_tokens") or body["max_tokens"]
    most = 4 * max(0, allowed - thought)
    return text[:most], len(text) > most


def text(asked: str, fault: str, is_structured: bool) -> str:
    if fault in TEXTS:
        return TEXTS[fault]
    if fault in ("refusal", "too long"):
        return "I think that"
    if "Tell the situation" in asked:
        return f"Somebody in situation {script.number(asked, 'story') % 1000} has to find something out."
    if wanted := _WORDINGS.search(asked):
        number = 1 if wanted[1] == "one" else int(wanted[1])
        return json.dumps([f"wording {script.number(asked, str(one)) % 10**6}" for one in range(number)])
    grade = script.grade_of(asked)
    if is_structured:
        return json.dumps({"reason": "It says so.", "grade": grade})
    if "##final score" in asked:
        return f"##final score: {grade}"
    if "Relevance Category" in asked:
        return f"It says so.\nRelevance Category: {grade}"
    if "M, T and O" in asked:
        return json.dumps({"M": grade, "T": 1, "O": grade})
    if "Final grade: " in asked.split("Pairs that people graded")[-1]:
        return f"It says so.\nFinal grade: {grade}"
    return str(grade)
