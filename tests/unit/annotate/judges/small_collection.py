"""A collection that a judge can learn from in no time."""

import numpy as np

from annotate.formats.records import GradeScale
from annotate.judges.text_features import TopicText

SUBJECTS = {"cats": "cats purr and meow", "ships": "ships sail the sea", "bread": "bread is baked with flour"}
FILLERS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda", "sigma", "omega"]


def passage(subject: str, share: int, rng: np.random.Generator) -> str:
    own = SUBJECTS[subject].split()
    return " ".join([*own[: share + 1], *rng.choice(FILLERS, 12)] if share else rng.choice(FILLERS, 14))


def small(scale: GradeScale = GradeScale(), count: int = 30) -> dict:  # noqa: B008
    """Three topics whose passages have more of the topic's words the higher the grade."""
    rng = np.random.default_rng(7)
    grades = {
        (subject, f"{subject}-{number:02}"): scale.low + number % len(scale.grades)
        for subject in SUBJECTS
        for number in range(count)
    }
    texts = {pid: passage(subject, grade - scale.low, rng) for (subject, pid), grade in grades.items()}
    topics = {subject: TopicText(f"what do {text}") for subject, text in SUBJECTS.items()}
    return {"topics": topics, "passages": texts, "grades": grades, "scale": scale}
