import json
import math

import pytest

from evaluation.studies.kinds.holes.plan import Plan
from evaluation.studies.kinds.holes.report import make_report
from evaluation.tables import table as tables_table
from tests import renderer
from tests.unit.evaluation.studies.kinds.holes import small

GROUPS = {"s0": "good", "s1": "good", "s5": "poor"}
PLAN = Plan(
    holes=("relevant", "leave-group-out", "depth:3"), fillers=("model:truth", "bpref"), fractions=(0.3, 0.9), trials=3
)


@pytest.fixture(scope="module")
def report():
    given = small.inputs(groups=GROUPS, models={"model:truth": small.qrels()})
    return make_report(PLAN, json.loads(json.dumps(small.result(PLAN, given), sort_keys=True)))


def test_figures_and_tables_are_named_by_what_they_show(report):
    assert list(report.figures) == [
        "ranking-relevant",
        "agreement-relevant",
        "agreement-over-all-relevant",
        "ranking-leave-group-out",
        "ranking-depth-3",
    ]
    kinds = ["ranking", "agreement", "agreement-over-all", "confusion", "systems"]
    assert list(report.tables) == [
        *(f"{kind}-relevant" for kind in kinds),
        *(f"{kind}-leave-group-out" for kind in [*kinds, "left-out"]),
        *(f"{kind}-depth-3" for kind in kinds),
    ]


def test_every_figure_says_its_numbers_seed_gain_ties_and_what_an_unjudged_passage_counts(report):
    for figure in report.figures.values():
        for said in (figure.description, figure.words["subtitle"].replace("\n", " ")):
            for part in ("6 systems, 8 topics", "seed 1", "gain linear", "unjudged passages gain nothing"):
                assert part in said
            assert "equal scores stand by passage id, equal means tie" in said
    assert "equal scores of a run stand by passage id" in dict(report.facts)["ties"]


def test_every_figure_is_drawn_and_every_table_written(report):
    svg = renderer.draw(report.figures["ranking-relevant"], "svg").decode()
    assert "model:truth" in svg
    for table in report.tables.values():
        assert table.rows
        assert "nan" not in tables_table.write_csv(table).lower()
        assert tables_table.write_latex(table)


def test_no_number_of_a_figure_is_nan(report):
    for figure in report.figures.values():
        for row in figure.rows:
            assert not any(isinstance(value, float) and math.isnan(value) for value in row.values())


def test_findings_say_of_each_filler_whether_it_beats_the_trivial_ones(report):
    [of_truth, of_bpref, *others] = report.findings
    assert of_truth.startswith("model:truth, holes relevant: ")
    assert "At 90% tau-b is 1.000 on average, +" in of_truth
    assert of_bpref.startswith("bpref, holes relevant: against the ranking by nDCG@10 with all grades, it ")
    assert len(others) == 4


def test_a_measure_of_its_own_is_told_with_its_own_ranking_by_all_grades(report):
    of_bpref = report.findings[1]
    table = report.tables["ranking-relevant"]
    place = table.columns.index("tau-b, own ranking")
    own = {row[0]: row[place] for row in table.rows}
    assert (own["model:truth"], own["none"]) == (None, None)
    assert of_bpref.endswith(f"with its own ranking by all grades tau-b is {own['bpref']:.3f} on average.")
    assert "of its own" not in report.findings[0]


def test_it_is_warned_of_holes_that_tell_by_themselves_and_of_few_trials(report):
    assert "being a hole tells that a passage is relevant" in report.warnings[0]
    assert report.warnings[1] == "3 trials say little of the spread: take 10 or more."


def test_it_is_told_who_was_left_out(report):
    table = report.tables["left-out-leave-group-out"]
    assert [row[:2] for row in table.rows] == [("good", 2), ("poor", 1)]


def test_a_model_that_leaves_holes_open_is_told():
    said = {topic: {"d0": 3} for topic in small.qrels()}
    plan = Plan(holes=("all",), fillers=("model:few",), fractions=(0.9,), trials=12)
    found = make_report(plan, small.result(plan, small.inputs(models={"model:few": said})))
    assert any(warning.startswith("model:few leaves up to 9") for warning in found.warnings)


def test_a_filler_that_is_worse_everywhere_is_said_to_be_so_at_all_fractions():
    said = {topic: {name: 3 - grade for name, grade in grades.items()} for topic, grades in small.qrels().items()}
    plan = Plan(holes=("all",), fillers=("model:contrary",), fractions=(0.5, 0.9), trials=12)
    [finding] = make_report(plan, small.result(plan, small.inputs(models={"model:contrary": said}))).findings
    assert "at any fraction (at all 2 fractions it is worse than the best of them). " in finding


def test_what_a_judge_says_of_itself_is_told_once_whatever_its_numbers_are():
    plan = Plan(holes=("all",), fillers=("model:truth",), fractions=(0.3, 0.9), trials=12)
    result = small.result(plan, small.inputs(models={"model:truth": small.qrels()}))
    for row, warnings in zip(
        [row for row in result["results"] if row["fill"] == "model:truth"],
        [{"too few grades: 31": 1, "a mean of 1.18, not 0.68": 2}, {"a mean of 1.2, not 0.59": 3}],
        strict=True,
    ):
        row["warnings"] = warnings
    assert list(make_report(plan, result).warnings) == [
        "model:truth, holes all, in 1 of 24 trials, such as: too few grades: 31.",
        "model:truth, holes all, in 5 of 24 trials, such as: a mean of 1.18, not 0.68.",
    ]


def test_counts_that_are_whole_in_every_trial_have_no_decimals(report):
    table = next(table for name, table in report.tables.items() if name.startswith("ranking"))
    holes, tau_b = (table.columns.index(name) for name in ("holes", "tau-b"))
    assert all(isinstance(row[holes], int) for row in table.rows)
    assert all(isinstance(row[tau_b], float) for row in table.rows)
