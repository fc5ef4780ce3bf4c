"""Texts of the size that people judge, made up by a seed: topics with backstories, passages, words of a long tail."""

from collections.abc import Iterator

import numpy as np

from annotate.formats.records import Passage, Topic

TOPICS = 54
_VOCABULARY = 20_000
_LETTERS = list("etaoinshrdlucmfwypvbgkjqxz")
_MEDIAN_WORDS = 55  # MS MARCO's passages
_SHORTEST, _LONGEST = 15, 220


def topics(seed: int = 1) -> list[Topic]:
    """54 topics of 4 to 8 words, each with a backstory of about 60."""
    random = np.random.default_rng(seed)
    words = _vocabulary(random)
    return [
        Topic(f"q{number}", _told(words, random, random.integers(4, 9)), backstory=_told(words, random, 60))
        for number in range(1, TOPICS + 1)
    ]


def passages(count: int, seed: int = 2) -> Iterator[Passage]:
    """Passages p1, p2 ...: lengths are lognormal around 55 words, words fall off as natural language does."""
    random = np.random.default_rng(seed)
    words = _vocabulary(random)
    lengths = np.clip(random.lognormal(np.log(_MEDIAN_WORDS), 0.45, count), _SHORTEST, _LONGEST).astype(int)
    for number, length in enumerate(lengths.tolist(), start=1):
        yield Passage(f"p{number}", _told(words, random, length))


def shares(pairs: int, topics: int = TOPICS) -> list[int]:
    """How many of the pairs each topic has, as equal as can be."""
    few, more = divmod(pairs, topics)
    return [few + (number < more) for number in range(topics)]


def _vocabulary(random: np.random.Generator) -> list[str]:
    lengths = random.integers(2, 11, _VOCABULARY)
    letters = random.choice(_LETTERS, lengths.sum(), p=_falling(len(_LETTERS)))
    return ["".join(part) for part in np.split(letters, np.cumsum(lengths)[:-1])]


def _falling(count: int) -> np.ndarray:
    """Zipf's law: the chance of a rank is in proportion to 1 / (rank + 2)."""
    chances = 1 / (np.arange(count) + 3)
    return chances / chances.sum()


_CHANCES = np.cumsum(_falling(_VOCABULARY))


def _told(words: list[str], random: np.random.Generator, length: int) -> str:
    chosen = np.searchsorted(_CHANCES, random.random(length)).clip(max=_VOCABULARY - 1)
    return " ".join([words[number] for number in chosen]).capitalize() + "."
