from evaluation.studies.design import run_all
from evaluation.studies.kinds.sources import parts
from evaluation.studies.kinds.sources.report import make_report
from tests import renderer
from tests.unit.evaluation.studies.kinds.sources import small
from tests.unit.evaluation.studies.kinds.sources.test_parts import ASSESSORS


def report(plan=small.PLAN, **changes):
    inputs = small.inputs(**changes)
    return make_report(plan, run_all(parts, plan, inputs))


def test_the_findings_say_what_became_of_the_ranking_and_of_significant_pairs():
    findings = report(assessors=ASSESSORS).findings
    assert findings[0] == "Under people and model tau-b is undefined: all values of the second are equal."
    assert findings[1].startswith("Under model the ranking of systems has tau-b -1.000 (-1.000 to ")
    assert findings[3] == (
        "Judged@2 in the mean over systems: people 0.42, people and model 0.75, model 0.75, calibrated 0.75."
    )
    assert findings[4].startswith("Without the 2 grades of ann, who moves the ranking most,")


def test_a_judge_of_a_systems_family_is_warned_of_and_so_are_runs_that_name_none():
    assert report().warnings[0] == (
        "Circularity: the judge of people and model (gpt-4o) is of the model family of 1 of the systems (gpt-ranker): "
        "its labels may favour what they retrieve."
    )
    assert "No run names its model family: nothing is known of circularity." in report(families={}).warnings


def test_it_warns_where_nothing_is_said_of_single_assessors():
    sentence = "Nothing is said of single assessors: no grade of theirs counts under this rule."
    assert sentence in report().warnings
    assert sentence not in report(small.PLAN.model_copy(update={"with_assessors": False})).warnings


def test_every_figure_says_n_gain_ties_unjudged_and_seed():
    for figure in report(assessors=ASSESSORS).figures.values():
        for fact in ("topics: 2", "systems: 3", "passage id", "unjudged passage counts", "seed 0", "P@2"):
            assert fact in figure.description


def test_captions_of_tables_say_n_and_leave_the_rest_to_the_facts():
    found = report(assessors=ASSESSORS)
    for table in found.tables.values():
        assert table.caption.endswith("2 topics, 3 systems")
        assert "seed" not in table.caption.replace("seed's", "")
    assert dict(found.facts)["intervals"].endswith("seed 0")


def test_every_figure_can_be_drawn():
    found = report(assessors=ASSESSORS)
    assert list(found.figures) == ["systems", "labels", "circularity", "assessors"]
    for figure in found.figures.values():
        assert renderer.draw(figure, "svg").startswith(b"<svg ")


def test_circularity_has_a_table_where_some_run_names_its_family():
    assert "circularity" in report().tables
    assert "circularity" not in report(families={}).tables
