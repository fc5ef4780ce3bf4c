"""Runs of made-up systems, from poor to good, over the topics of real qrels."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels

_SHARE_OF_JUDGED = 0.7
_PASSAGES = 8_841_823
_STEPS = 64


def write(folder: Path, qrels: Qrels, *, systems: int = 60, depth: int = 1000, seed: int = 1) -> list[Path]:
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
    found = [passage_id for passage_id in judged if random.random() < _SHARE_OF_JUDGED][:depth]
    gains = [max(judged[passage_id], 0) for passage_id in found]
    others = [name for name in map(str, _some_passages(depth, random)) if name not in judged][: depth - len(found)]
    names = np.array(found + others)
    signal = skill * np.concatenate([gains, np.full(len(others), -0.5)])
    scores = np.rint((signal + random.normal(size=len(names)) + 20) * _STEPS) / _STEPS
    down = np.argsort(-scores, kind="stable")
    rows = enumerate(zip(names[down].tolist(), scores[down].tolist(), strict=True), 1)
    return "".join(f"{query_id} Q0 {name} {rank} {score:.6f} {tag}\n" for rank, (name, score) in rows)


def _some_passages(depth: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Different passage numbers, more than there are ranks: enough when some are judged."""
    return random.choice(_PASSAGES, size=2 * depth, replace=False, shuffle=False)
