"""Small inputs of the study: one made by hand, and ones with many pairs."""

import dataclasses

from annotate.formats import runs
from annotate.rules import drawing
from benchmarks import mixed_intervals
from evaluation.engine import run_index
from evaluation.studies.kinds.mixed import parts as mixed_parts
from evaluation.studies.kinds.mixed.inputs import Inputs, Stratum
from evaluation.studies.kinds.mixed.plan import Plan


def small(**changes):
    """One topic, two systems, depth 2; the pairs a and b of the frame are sampled, c is not; r is the reference's."""
    first = runs.build_run("first", {"q": {"a": 2.0, "r": 1.0}})
    second = runs.build_run("second", {"q": {"b": 2.0, "c": 1.0}})
    return Inputs(
        **{
            "rankings": run_index.build([first, second], 2),
            "depth": 2,
            "strata": (Stratum("q", ("a", "b", "c"), ("a", "b")),),
            "known": {"q": {"r": 3}},
            "model": {"q": {"a": 1, "b": 2, "c": 1}},
            "model_name": "gpt",
            "people": {("q", "a"): 3, ("q", "b"): 1},
            **changes,
        }
    )


def sampled(share=0.5, seed=1, unit="pair", **changes):
    """The made truth of the benchmark, a share of its pairs, or of its topics, judged."""
    on = mixed_intervals.made(systems=5, topics=12)
    frame = {each.query_id: each.frame for each in on.inputs.strata}
    people = dict(zip(on.inputs.frame, on.people.astype(int).tolist(), strict=True))
    if unit == "pair":
        drawn = drawing.sample_within_topics(frame, drawing.sizes_by_share(frame, share), seed)
    else:
        number = drawing.sizes_by_share({"all": frame}, share)["all"]
        drawn = {topic: frame[topic] for topic in drawing.sample_topics(list(frame), number, seed)}
    strata = tuple(
        Stratum(topic, names, drawn.get(topic, ()), unit == "pair" or topic in drawn) for topic, names in frame.items()
    )
    made = dataclasses.replace(on.inputs, strata=strata, model_name="judge", unit=unit)
    answered = {pair: people[pair] for pair in made.sampled}
    return dataclasses.replace(made, **{"people": answered, **changes})


def result(inputs, **said):
    """What the whole study says."""
    plan = Plan(**said)
    parts = mixed_parts.list_parts(plan, inputs)
    return mixed_parts.gather(plan, inputs, {name: mixed_parts.run_part(plan, inputs, name) for name in parts})
