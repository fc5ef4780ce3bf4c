"""Made-up data by a seed: runs of systems from poor to good over real qrels, texts of the size that people judge."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Passage, Qrels, Topic

_SHARE_OF_JUDGED = 0.7
_PASSAGES = 8_841_823
_STEPS = 64


def write_runs(folder: Path, qrels: Qrels, *, systems: int = 60, depth: int = 1000, seed: int = 1) -> list[Path]:
    """Writes a file for each system and returns their paths; the same arguments give the same bytes.

    A system ranks a random part of what is judged for a topic among passages that nobody judged: by grade times
    skill, with noise. Scores are multiples of 1/64, so they are exact in 32 bits, and many are tied.
    """
    paths = []
    for number, skill in enumerate(np.linspace(0.0, 2.0, systems)):
        tag = f"generated{number:02d}"
        random = np.random.default_rng((seed, number))
        rankings = (_ranking(query_id, qrels[query_id], depth, skill, tag, random) for query_id in sorted(qrels))
        paths.append(folder / f"{tag}.run")
        paths[-1].write_text("".join(rankings))
    return paths


def _ranking(
    query_id: str, judged: dict[str, int], depth: int, skill: float, tag: str, random: np.random.Generator
) -> str:
    result = [passage_id for passage_id in judged if random.random() < _SHARE_OF_JUDGED][:depth]
    gains = [max(judged[passage_id], 0) for passage_id in result]
    others = [name for name in map(str, _some_passages(depth, random)) if name not in judged][: depth - len(result)]
    names = np.array(result + others)
    signal = skill * np.concatenate([gains, np.full(len(others), -0.5)])
    scores = np.rint((signal + random.normal(size=len(names)) + 20) * _STEPS) / _STEPS
    down = np.argsort(-scores, kind="stable")
    rows = enumerate(zip(names[down].tolist(), scores[down].tolist(), strict=True), 1)
    return "".join(f"{query_id} Q0 {name} {rank} {score:.6f} {tag}\n" for rank, (name, score) in rows)


def _some_passages(depth: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Different passage numbers, more than there are ranks: enough when some are judged."""
    return random.choice(_PASSAGES, size=2 * depth, replace=False, shuffle=False)


TOPICS = 54
_VOCABULARY = 20_000
_LETTERS = list("etaoinshrdlucmfwypvbgkjqxz")
_MEDIAN_WORDS = 55  # MS MARCO's passages
_SHORTEST, _LONGEST = 15, 220


def make_topics(seed: int = 1) -> list[Topic]:
    """54 topics of 4 to 8 words, each with a backstory of about 60."""
    random = np.random.default_rng(seed)
    words = _vocabulary(random)
    return [
        Topic(f"q{number}", _told(words, random, int(random.integers(4, 9))), backstory=_told(words, random, 60))
        for number in range(1, TOPICS + 1)
    ]


def make_passages(count: int, seed: int = 2) -> Iterator[Passage]:
    """Passages p1, p2 ...: lengths are lognormal around 55 words, words fall off as natural language does."""
    random = np.random.default_rng(seed)
    words = _vocabulary(random)
    lengths = np.clip(random.lognormal(np.log(_MEDIAN_WORDS), 0.45, count), _SHORTEST, _LONGEST).astype(int)
    for number, length in enumerate(lengths.tolist(), start=1):
        yield Passage(f"p{number}", _told(words, random, length))


def shares_of_topics(pairs: int, topics: int = TOPICS) -> list[int]:
    """How many of the pairs each topic has, as equal as can be."""
    few, more = divmod(pairs, topics)
    return [few + (number < more) for number in range(topics)]


def _vocabulary(random: np.random.Generator) -> list[str]:
    lengths = random.integers(2, 11, _VOCABULARY)
    letters = random.choice(_LETTERS, lengths.sum(), p=_falling(len(_LETTERS)))
    return ["".join(part) for part in np.split(letters, np.cumsum(lengths)[:-1])]


def _falling(count: int) -> NDArray[np.float64]:
    """Zipf's law: the probability of a rank is in proportion to 1 / (rank + 2)."""
    falling = 1 / (np.arange(count) + 3)
    return np.asarray(falling / falling.sum())


_CHANCES = np.cumsum(_falling(_VOCABULARY))


def _told(words: list[str], random: np.random.Generator, length: int) -> str:
    chosen = np.searchsorted(_CHANCES, random.random(length)).clip(max=_VOCABULARY - 1)
    return " ".join([words[number] for number in chosen]).capitalize() + "."
