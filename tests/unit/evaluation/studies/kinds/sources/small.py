"""A study that is small enough to be reckoned by hand."""

from annotate.formats import runs
from evaluation.engine import run_index
from evaluation.studies.kinds.sources import inputs as sources_inputs
from evaluation.studies.kinds.sources import plan as plans
from evaluation.studies.kinds.sources.inputs import Inputs
from evaluation.studies.kinds.sources.plan import Plan

PLAN = Plan(measure="P@2", model="gpt", calibrated="calibrated-1", model_family="gpt-4o", resamples=50)
PEOPLE = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "c": -1}}
MODEL = {"q1": {"a": 0, "b": 1, "c": 1}, "q2": {"a": 1, "b": 1}}
CHANCES = {"q1": {"a": (0.9, 0.1), "c": (0.5, 0.5)}, "q2": {"c": (0.0, 1.0)}}
RUNS = {"bm25": {"q1": "ab", "q2": "ca"}, "dense": {"q1": "cb", "q2": "b"}, "gpt-ranker": {"q1": "bc", "q2": "bc"}}


def index(rankings=RUNS):
    return run_index.build(
        runs.build_run(tag, {query: {name: -rank for rank, name in enumerate(names)} for query, names in each.items()})
        for tag, each in rankings.items()
    )


def inputs(**changes):
    told = {
        "runs": index(),
        "grades": {
            plans.PEOPLE: sources_inputs.grades_of_one(PEOPLE, sources_inputs.OF_PEOPLE),
            plans.BOTH: sources_inputs.combine_grades(PEOPLE, MODEL),
            plans.MODEL: sources_inputs.grades_of_one(MODEL, sources_inputs.OF_MODEL),
            plans.CALIBRATED: sources_inputs.combine_probabilities(PEOPLE, CHANCES),
        },
        "families": {"bm25": "", "dense": "BERT", "gpt-ranker": "BERT, GPT-4"},
        "highest": 1,
    }
    return Inputs(**(told | changes))
