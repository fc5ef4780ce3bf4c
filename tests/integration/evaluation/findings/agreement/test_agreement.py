import pytest

from annotate.draws.operations import draws
from evaluation.agreement import alpha
from evaluation.findings.agreement import agreement
from evaluation.inputs import raters
from evaluation.inputs.judgments import Part
from tests import factories
from tests.integration.evaluation import comparing, small

pytestmark = pytest.mark.django_db


def rounded(values):
    return {name: round(value.number, 4) for name, value in values.items()}


def parts(found):
    return {each.part: each.figures for each in found.parts}


@pytest.fixture
def shown():
    """Six holes; the model gives each of them grade 1."""
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    return collection


def test_two_raters_worked_by_hand():
    collection = small.with_qrels("q1 a 0, q1 b 0, q1 c 1, q2 a 2, q2 b 3", "q1 a 0, q1 b 1, q1 c 1, q2 a 2, q2 c 0")
    found = comparing.compare(collection, "reference", "gpt")
    assert (found.figures.n, found.figures.only_first, found.figures.only_second) == (4, 1, 1)
    assert rounded(found.figures.kappa) == {"unweighted": 0.6364, "linear": 0.7143, "quadratic": 0.8, "binary": 1.0}
    assert found.figures.confusion.tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert (found.figures.share_equal.value, found.figures.mean_difference.value) == (0.75, 0.25)
    assert (found.parts, found.among) == ((), None)


def test_negative_grades_and_answers_off_the_scale_are_left_out_and_counted():
    collection = small.with_qrels("q1 a 0, q1 b -2, q1 c -1", "q1 a 9, q1 b 1, q1 c 1")
    found = comparing.compare(collection, "nist", "gpt")
    assert found.figures.n == 0
    assert (found.first.counted, found.first.left_out) == (1, ((2, "negative grades"),))
    assert (found.second.counted, found.second.left_out) == (2, ((1, agreement.WITHOUT_GRADE),))
    assert found.figures.alpha["ordinal"].reason == alpha.NO_COMMON_PAIR


@pytest.mark.postgresql
def test_beside_a_model_only_grades_given_blind_count(shown):
    assessor = factories.make_assessor(shown)
    small.show_suggestions(shown, hidden=1)
    factories.judge(assessor, 3)
    small.show_suggestions(shown, shown=1)
    factories.judge(assessor, 1)
    small.show_suggestions(shown, reveal=1)
    small.decide(assessor, factories.judge(assessor, 2), 1)
    found = comparing.compare(shown, "people", "model-a")
    assert found.first.rater.address == "people:blind"
    assert found.figures.confusion.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]
    assert found.first.left_out == ((1, "grades not given blind"),)
    assert comparing.compare(shown, "model-a", "assessor-1").figures.confusion.tolist()[1] == [0, 0, 1, 1]


def test_what_people_saw_stands_side_by_side_and_is_never_mixed(shown):
    assessor = factories.make_assessor(shown)
    for shares, grade in (({"hidden": 1}, 3), ({"shown": 1}, 1), ({"shown": 1}, 1)):
        small.show_suggestions(shown, **shares)
        factories.judge(assessor, grade)
    small.show_suggestions(shown, reveal=1)
    small.decide(assessor, factories.judge(assessor, 2), 1)
    found = parts(comparing.compare(shown, "people", "model-a"))
    assert {part: figures.n for part, figures in found.items()} == {
        Part.HIDDEN: 1,
        Part.BEFORE: 1,
        Part.SHOWN: 2,
        Part.AFTER: 1,
    }
    assert {part: figures.share_equal.value for part, figures in found.items()} == {
        Part.HIDDEN: 0.0,
        Part.BEFORE: 0.0,
        Part.SHOWN: 1.0,
        Part.AFTER: 1.0,
    }


def test_reference_pairs_that_were_mixed_in_are_in_no_figure_beside_a_model(shown):
    factories.import_qrels(shown, "q1 0 d1.1 2\n")
    draws.draw_calibration(collection=shown, number=1, seed=1, by=None, now=factories.NOW)
    assessor = factories.make_assessor(shown)
    judged = [factories.judge(assessor) for _ in range(6)]
    found = comparing.compare(shown, "people", "model-a")
    assert sum(judgment.is_calibration for judgment in judged) == 1
    assert (found.figures.n, parts(found)[Part.HIDDEN].n) == (5, 5)


def test_beside_a_reference_peoples_final_grades_count(shown):
    small.show_suggestions(shown, reveal=1)
    assessor = factories.make_assessor(shown)
    judgment = factories.judge(assessor, 2)
    small.decide(assessor, judgment, 1)
    pair = judgment.pair
    factories.import_qrels(shown, f"{pair.topic.query_id} 0 {pair.passage_id} 1\n")
    assert comparing.compare(shown, "reference", "people").figures.share_equal.value == 1.0
    assert comparing.compare(shown, "reference", "people:blind").figures.share_equal.value == 0.0


def test_agreement_among_people_stands_beside_that_with_a_model(shown):
    shown.target = 2
    shown.save()
    factories.build_pool(shown)
    for grades in ((0, 1, 3), (0, 1, 3)):
        assessor = factories.make_assessor(shown)
        for grade in grades:
            factories.judge(assessor, grade)
    found = comparing.compare(shown, "people", "model-a")
    assert (found.among.alpha["ordinal"].value, found.among.n) == (1.0, 3)


def test_alone_nobody_agrees_with_people_and_the_reason_is_said(shown):
    factories.judge(factories.make_assessor(shown), 2)
    found = comparing.compare(shown, "people", "model-a")
    assert (found.among.alpha["ordinal"].reason, found.among.n) == ("fewer than two raters", 0)


def test_cannot_judge_and_pairs_without_consensus_are_left_out_and_counted(shown):
    shown.target = 2
    shown.save()
    factories.build_pool(shown)
    for grades in ((0, None), (3, None)):
        assessor = factories.make_assessor(shown)
        for grade in grades:
            factories.judge(assessor, grade)
    assert comparing.compare(shown, "people", "model-a").first.left_out == (
        (2, "judgments “cannot judge”"),
        (1, "pairs on which people's grades give no consensus"),
    )


@pytest.mark.parametrize("pair", [("nist", "nist"), ("nist", "reference"), ("people", "people:blind")])
def test_a_rater_is_not_compared_with_itself(pair):
    with pytest.raises(agreement.NotComparable, match="two different raters"):
        comparing.compare(small.with_qrels("q1 a 0"), *pair)


def test_an_assessor_is_not_compared_with_the_consensus_that_holds_the_same_grades(shown):
    factories.judge(factories.make_assessor(shown), 2)
    with pytest.raises(agreement.NotComparable, match="includes the grades of assessor-1"):
        comparing.compare(shown, "people", "assessor-1")


def test_nobody_of_that_name_is_refused():
    with pytest.raises(raters.NoSuchRater):
        comparing.compare(small.with_qrels("q1 a 0"), "nist", "nobody")
