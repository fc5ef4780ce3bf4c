"""A study small enough to be seen through: topics with grades of every kind, systems from good to poor."""

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.engine import run_index
from evaluation.studies.design import run_all
from evaluation.studies.kinds.holes import parts
from evaluation.studies.kinds.holes.inputs import Inputs

TOPICS, PASSAGES, SYSTEMS = 8, 20, 6


def qrels():
    """Of each topic 20 pairs: 3 of grade 3, 4 of 2, 5 of 1, 8 of 0."""
    grades = [3] * 3 + [2] * 4 + [1] * 5 + [0] * 8
    return {f"q{topic}": {f"d{number}": grade for number, grade in enumerate(grades)} for topic in range(TOPICS)}


def rankings(depth=None):
    """The systems s0 (ideal) to s5; each moves passages farther from where they should be."""
    found = []
    for system in range(SYSTEMS):
        scores = {
            f"q{topic}": {f"d{n}": -float(n + system * ((7 * n + 3 * topic) % 5)) for n in range(PASSAGES)}
            for topic in range(TOPICS)
        }
        found.append(runs.build_run(f"s{system}", scores))
    return run_index.build(found, depth)


def inputs(**changes):
    given = {"rankings": rankings(), "qrels": qrels(), "scale": GradeScale()}
    return Inputs(**{**given, **changes})


def result(plan, given):
    """All parts computed and put together."""
    return run_all(parts, plan, given)


def rows(plan, given):
    """The rows of the result by filler; of the last fraction."""
    return {row["fill"]: row for row in result(plan, given)["results"]}
