import pytest

from evaluation.studies.design import run_all
from evaluation.studies.kinds.profiles import parts
from evaluation.studies.kinds.profiles.report import make_report
from tests import renderer
from tests.unit.evaluation.studies.kinds.profiles import small


def report(plan=small.PLAN, **changes):
    inputs = small.inputs(**changes)
    return make_report(plan, run_all(parts, plan, inputs))


def test_the_findings_say_which_profiles_do_best_and_how_much_was_missing():
    found = report()
    assert found.findings[0] == (
        "In the mean over the systems P@2 is highest with the variants of expert (0.625, 0.500 to 0.750) and lowest "
        "with those of child (0.375, 0.250 to 0.500)."
    )
    assert found.findings[1] == "Of the first 2 passages 43.8 % have no grade; after filling 0.0 %."
    assert "None of the 2 profiles differs significantly from the seed's queries." in found.findings


def test_the_findings_say_plainly_what_profiles_make_of_pairs_of_systems():
    [said] = [finding for finding in report().findings if "significantly better" in finding]
    assert said.startswith("Two profiles find the same system significantly better on ")
    assert said.endswith("% the system that one profile finds significantly better has the lower mean by the other.")


def test_the_facts_say_how_many_grades_count_by_their_probabilities():
    probabilities = {"q1": {"c": (0.75, 0.25, 0.0, 0.0)}}
    facts = dict(report(after=small.BEFORE, after_probabilities=probabilities).facts)
    assert facts["probabilities"] == "grades of models that count by them: 1 after"
    assert "probabilities" not in dict(report().facts)


def test_it_warns_of_holes_of_few_systems_and_of_what_was_left_out():
    warnings = report(after=None, seed_runs=[], runs=[*small.inputs().runs, small.ranked("x", {"x1": "a"})]).warnings
    assert warnings == (
        "44 % of the first 2 passages are holes and count as not relevant: what tells profiles apart may be what was "
        "judged for them.",
        "There are 2 systems: correlations of rankings take few values.",
        "Left out: 1 of the systems, such as x: it ranked no variant of expert.",
        "No run of the topics' own queries is there: nothing is said of the seed.",
    )


@pytest.mark.parametrize(
    ("before", "after", "rests"),
    [
        ("reference", "reference,model:gpt", "44 % of them on gpt."),
        ("reference", "model:gpt, reference", "at least 44 % of them on gpt."),
        ("sparse.txt", "filled.txt", "at least 44 % of them on filled.txt."),
    ],
)
def test_it_warns_on_whom_the_figures_after_filling_rest_where_much_was_open(before, after, rests):
    warnings = report(small.PLAN.model_copy(update={"before": before, "after": after})).warnings
    assert warnings[0] == (
        f"Before filling 44 % of the first 2 passages had no grade: the figures after filling rest for {rests}"
    )


def test_where_little_was_open_or_nothing_was_filled_it_does_not_warn_of_filling():
    for sides in ({"before": small.AFTER}, {"after": small.BEFORE}, {"after": None}):
        assert "Before filling" not in " ".join(report(**sides).warnings)


def test_every_figure_says_n_gain_ties_unjudged_and_seed():
    for figure in report().figures.values():
        for fact in ("topics: 2", "systems: 2", "passage id", "unjudged passage counts", "seed 0", "P@2"):
            assert fact in figure.description


def test_captions_of_tables_say_n_and_leave_the_rest_to_the_facts():
    found = report()
    for table in found.tables.values():
        assert table.caption.endswith("2 topics, 2 systems")
        assert "seed" not in table.caption.replace("seed's", "")
    assert dict(found.facts)["intervals"].endswith("seed 0")


def test_every_figure_can_be_drawn():
    found = report()
    assert list(found.figures) == ["systems-by-profile", "profile-means", "missing", "rankings", "pair-classes"]
    for figure in found.figures.values():
        assert renderer.draw(figure, "svg").startswith(b"<svg ")


def test_where_there_is_no_number_a_table_says_why():
    rows = report().tables["rankings"].rows
    assert rows[0] == ("child", "expert", "undefined: all values of the first are equal")


def test_tables_without_a_row_are_left_out():
    one = [variant for variant in small.VARIANTS if variant.profile == "child"]
    tables = report(variants=one, seed_runs=[]).tables
    assert list(tables) == [
        "profiles",
        "systems-by-profile",
        "three-way-anova",
        "two-way-anova",
        "pair-classes-by-method",
    ]
