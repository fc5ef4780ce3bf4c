"""The whole study on values: what it says, and that the same inputs say the same."""

import dataclasses
import json

import pytest

from benchmarks import mixed_intervals
from evaluation.studies.kinds.mixed import parts, report
from evaluation.studies.kinds.mixed.designs import quantile
from evaluation.studies.kinds.mixed.plan import Plan
from tests import shared_data
from tests.unit.evaluation.studies.kinds.mixed import made


def test_intervals_stand_beside_people_alone_and_the_model_alone():
    found = made.result(made.sampled())
    assert (found["unit"], found["measure"], found["gain"]) == ("pair", "DCG@10 over its greatest value", "linear")
    assert (found["topics"], found["sample"], found["answered"]) == (12, found["sample"], found["sample"])
    first = found["systems"][0]
    assert first["high"] - first["low"] < first["people_only"]["high"] - first["people_only"]["low"]
    # The judge grades too high: its own value lies outside.
    assert first["model_only"] > first["high"]
    assert found["more_to_halve"] > 0


def test_a_sample_without_a_model_tells_what_people_alone_tell():
    found = made.result(made.sampled(model=None, model_name=""))
    for system in found["systems"]:
        assert system["model_only"] is None
        assert {name: system[name] for name in ("value", "low", "high")} == system["people_only"]
    assert found["model"] is None


def test_pairs_that_the_model_did_not_grade_enter_as_nothing_and_are_counted():
    inputs = made.sampled()
    model = {topic: dict(list(given.items())[::2]) for topic, given in inputs.model.items()}
    found = made.result(dataclasses.replace(inputs, model=model))
    assert found["without_model_grade"] > 0
    assert any("that the model did not grade" in sentence for sentence in report.make_report(Plan(), found).warnings)


def test_the_order_of_inputs_changes_no_byte():
    inputs = made.sampled()
    turned = dataclasses.replace(
        inputs,
        people=dict(reversed(inputs.people.items())),
        model={topic: dict(reversed(given.items())) for topic, given in reversed(inputs.model.items())},
    )
    assert json.dumps(made.result(inputs)) == json.dumps(made.result(turned))


def test_whole_topics_tell_of_these_topics_and_of_a_population():
    found = made.result(made.sampled(unit="topic"))
    assert (found["measure"], found["topics_sampled"]) == ("nDCG@10", 6)
    for system in found["systems"]:
        assert system["population"]["low"] < system["low"] < system["high"] < system["population"]["high"]
    assert quantile(6) > 2.5


def test_a_judge_taught_in_folds_is_a_part_each_and_said_to_be_approximate():
    inputs = made.sampled()
    inputs = dataclasses.replace(
        inputs,
        queries={topic: f"what is {topic}" for topic in inputs.topics},
        texts={name: f"the passage {name} tells of {topic}" for topic, name in inputs.frame},
    )
    plan = Plan(method="cross-fitted", folds=2)
    assert parts.list_parts(plan, inputs) == ["fold 1", "fold 2"]
    found = made.result(inputs, method="cross-fitted", folds=2)
    assert found["refused"] == []
    assert found["is_approximate"]
    told = report.make_report(plan, found)
    assert any(sentence.startswith("Approximate:") for sentence in told.warnings)
    frozen = made.result(inputs)
    widths = [sum(each["high"] - each["low"] for each in one["systems"]) for one in (found, frozen)]
    assert widths[0] < 1.2 * widths[1]


def test_a_report_has_words_a_figure_and_tables_after_a_way_through_json():
    found = json.loads(json.dumps(made.result(made.sampled()), sort_keys=True))
    told = report.make_report(Plan(), found)
    assert set(told.tables) == {"systems", "pairs"}
    assert "is not nDCG" in told.warnings[0]
    figure = told.figures["systems"]
    assert {row["source"] for row in figure.rows} == {"mixed", "people", "model"}
    for word in ("seed: ", "gain: linear", "ties: ", "unjudged: ", "sample: "):
        assert word in figure.description
    assert any("more pairs would have to be judged" in sentence for sentence in told.findings)


def test_a_report_of_a_refusal_says_why_and_what_to_do():
    told = report.make_report(Plan(), made.result(dataclasses.replace(made.sampled(), order="pool")))
    assert told.findings[0].startswith("No intervals. No sample was recorded")
    assert not told.figures and not told.tables


@pytest.mark.parametrize("unit", ["pair", "topic"])
def test_a_report_of_each_design_and_of_all_judged(unit):
    told = report.make_report(Plan(), made.result(made.sampled(share=1.0, unit=unit)))
    assert told.findings[-1] == "More judgments make no interval narrower: the interval has no width."
    assert told.tables["pairs"].rows


def test_on_dl19_intervals_hold_what_all_grades_say():
    shared_data.path("dl19", "qrels.txt")
    on = mixed_intervals.dl19()
    found = mixed_intervals.coverage(on, 200)
    assert 0.93 <= found.systems.mean() <= 0.97
    assert found.systems.min() >= 0.90
    assert 0.93 <= found.differences.mean() <= 0.97
    whole = mixed_intervals.coverage(on, 1, share=1.0)
    assert whole.half_width == 0 and (whole.systems == 1).all()
