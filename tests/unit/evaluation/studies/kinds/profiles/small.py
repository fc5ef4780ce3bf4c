"""A study that is small enough to be reckoned by hand."""

from annotate.formats import runs
from annotate.formats.records import Variant
from evaluation.studies.kinds.profiles.plan import Inputs, Plan

PLAN = Plan(measure="P@2", before="people", after="people,model", resamples=50)
BEFORE = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
AFTER = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1, "b": 0, "c": 0}}
VARIANTS = [
    Variant("x1", "q1", "child", 1),
    Variant("x2", "q1", "child", 2),
    Variant("x3", "q2", "child", 1),
    Variant("y1", "q1", "expert", 1),
    Variant("y2", "q2", "expert", 1),
]
RUNS = {
    "bm25": {"x1": "ab", "x2": "ca", "x3": "bc", "y1": "ac", "y2": "ab"},
    "dense": {"x1": "bc", "x2": "b", "x3": "ac", "y1": "ba", "y2": "ba"},
}
SEED = {"bm25": {"q1": "ac", "q2": "ac"}, "dense": {"q1": "ba", "q2": "bc"}}


def ranked(tag, rankings):
    scores = {query: {name: -float(rank) for rank, name in enumerate(names)} for query, names in rankings.items()}
    return runs.build_run(tag, scores)


def inputs(**changes):
    told = {
        "runs": [ranked(tag, rankings) for tag, rankings in RUNS.items()],
        "variants": VARIANTS,
        "before": BEFORE,
        "after": AFTER,
        "seed_runs": [ranked(tag, rankings) for tag, rankings in SEED.items()],
        "methods": {"child": "group"},
    }
    return Inputs(**(told | changes))
