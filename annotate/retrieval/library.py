"""What the systems retrieve from: passages, and an index for each field and analysis, built when first needed."""

from collections.abc import Sequence

from annotate.formats.records import Passage
from annotate.retrieval import analysis, inverted

ANALYSES: dict[str, analysis.Analysis] = {
    "plain": analysis.plain,
    "stemmed": analysis.stemmed,
    "grams": analysis.character_grams,
}


class Library:
    """Passages to retrieve from. Indexes are shared between systems, so each is built once."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self.passage_ids = [passage.passage_id for passage in passages]
        self._indexes: dict[tuple[str, str], inverted.Inverted] = {}

    def index(self, field: str = "whole", terms: str = "stemmed") -> inverted.Inverted:
        """The index of a field (`whole`, `title`, `lead`) by an analysis (`plain`, `stemmed`, `grams`)."""
        key = (field, terms)
        if key not in self._indexes:
            texts = [text_of(passage, field) for passage in self.passages]
            self._indexes[key] = inverted.build(texts, ANALYSES[terms])
        return self._indexes[key]


def text_of(passage: Passage, field: str) -> str:
    """One field of a passage as text: its title, its first paragraph (`lead`), or title and text (`whole`)."""
    if field == "title":
        return passage.title
    if field == "lead":
        return passage.text.split("\n\n", 1)[0]
    if field == "whole":
        return f"{passage.title}\n{passage.text}"
    raise ValueError(f"no field {field!r}: whole, title or lead")
