"""Words of a text in any script."""

import re
import unicodedata

# Scripts written without spaces (kana, Han, Thai, Lao, Myanmar, Khmer): each character stands for itself.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# Marks that Python's `\w` leaves out though they belong inside Hebrew, Arabic and Indic words.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(f"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\\w{_MARKS}])+")


def split(text: str) -> list[str]:
    """The words of `text` in order, normalised (NFKC) and case-folded; punctuation is left out."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def stem(word: str) -> str:
    """`word` without its last letters when it is long, so that its inflections meet in any language.

    Plain truncation to six characters: the simplest conflation that needs no language.
    """
    return word[:6]
