"""Strategies for ids and texts as no collection has them, but a file may."""

import unicodedata

from hypothesis import strategies as st


def _is_allowed(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cs")


ids = st.one_of(
    st.sampled_from(["007", "7", "A1", "a1", "\u00e9", "e\u0301", "D1.2/a:b", "nan", "-1", "Q0", "#", '"', "\u200b"]),
    st.text(st.characters(codec="utf-8").filter(_is_allowed), min_size=1, max_size=12),
)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
