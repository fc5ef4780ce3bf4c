import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.findings.agreement import matrix
from tests import factories
from tests.integration.evaluation import comparing, small

pytestmark = pytest.mark.django_db


def cells(collection):
    return {
        (row.rater.name, cell.second.name): cell
        for row in matrix.compute_matrix(collection).rows
        for cell in row.cells
        if cell is not None
    }


def test_each_cell_is_the_alpha_of_its_two_raters_both_ways():
    collection = small.with_qrels("q1 a 0, q1 b 0, q1 c 1, q2 a 2", "q1 a 0, q1 b 1, q1 c 1, q2 a 2, q2 c 0")
    found = cells(collection)
    alone = comparing.compare(collection, "nist", "gpt").figures.alpha["ordinal"].value
    assert set(found) == {("nist", "gpt"), ("gpt", "nist")}
    assert found["nist", "gpt"].alpha.value == pytest.approx(alone)
    assert found["gpt", "nist"].alpha.value == pytest.approx(alone)
    assert found["nist", "gpt"].n == 4


def test_people_stand_blind_beside_a_model_and_with_final_grades_beside_a_reference():
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    small.show_suggestions(collection, shown=1)
    judgment = factories.judge(factories.make_assessor(collection), 1)
    factories.import_qrels(collection, f"{judgment.pair.topic.query_id} 0 {judgment.pair.passage_id} 1\n")
    found = cells(collection)
    assert (found["people", "model-a"].first.address, found["people", "model-a"].n) == ("people:blind", 0)
    assert (found["people", "nist"].first.address, found["people", "nist"].n) == ("people", 1)
    assert ("people", "assessor-1") not in found


@pytest.mark.parametrize(("second", "heat"), [("q1 a 0, q1 b 3", 9), ("q1 a 3, q1 b 0", 0), ("q2 a 0, q2 b 3", 0)])
def test_the_heat_goes_from_no_agreement_to_full(second, heat):
    assert cells(small.with_qrels("q1 a 0, q1 b 3", second))["nist", "gpt"].heat == heat


def test_a_single_rater_and_none_make_a_matrix_without_cells():
    assert cells(small.with_qrels("q1 a 0")) == {}
    assert matrix.compute_matrix(factories.make_collection()).rows == ()


def test_people_among_themselves_stand_beside_whoever_is_no_person():
    collection = factories.make_holes(factories.make_collection(target=2), topics=1)
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    for grades in ((0, 1, 2), (0, 1, 2)):
        assessor = factories.make_assessor(collection)
        for grade in grades:
            factories.judge(assessor, grade)
    found = matrix.compute_matrix(collection)
    beside = {row.rater.name: among for row, among in zip(found.rows, found.among, strict=True)}
    assert (beside["model-a"].n, beside["model-a"].alpha.value) == (3, 1.0)
    assert (beside["people"], beside["assessor-1"]) == (None, None)
    assert cells(collection)["people", "model-a"].among == beside["model-a"]
    assert cells(collection)["assessor-1", "assessor-2"].among is None
    assert not found.has_repeats


def test_all_judgments_are_read_twice_however_many_people_there_are():
    """Once as final grades and once as those given blind; what came again is read apart."""
    for people in (1, 5):
        collection = factories.make_holes(factories.make_collection(target=people), topics=1)
        factories.make_suggestions(collection, grade=1)
        for _ in range(people):
            factories.judge(factories.make_assessor(collection), 1)
        with CaptureQueriesContext(connection) as statements:
            matrix.compute_matrix(collection)
        grades = [each["sql"] for each in statements if '"first_grade"' in each["sql"] or '."grade"' in each["sql"]]
        judged = [sql for sql in grades if 'FROM "annotate_judgment"' in sql and '"round" = 1' in sql]
        assert len(judged) == 2
