import numpy as np
import pytest

from annotate.formats import runs
from benchmarks import hole_sweep
from evaluation.engine import pair_index, run_index

QRELS = {"q1": {f"d{number}": number % 4 for number in range(80)}, "q2": {"e": 0, "f": 2}}
SYSTEMS = [
    runs.build_run(tag, {"q1": {f"d{n}": float(n * sign) for n in range(80)}}) for tag, sign in (("a", 1), ("b", -1))
]


@pytest.fixture(scope="module")
def found():
    index = pair_index.build(run_index.build(SYSTEMS, 10), [QRELS])
    grades = pair_index.grades(index, QRELS)
    return index, grades, hole_sweep.run(index, grades)


def test_the_floor_of_each_relevant_grade_is_left_out_and_none_of_grade_0(found):
    _, grades, sweep = found
    assert sweep.grades.shape == (180, 84)
    for trial, left in enumerate(sweep.grades):
        tenths = 1 + trial // 20
        kept = [int(np.count_nonzero(left == grade)) for grade in range(4)]
        full = [int(np.count_nonzero(grades == grade)) for grade in range(4)]
        assert kept == [full[0], *(n - n * tenths // 10 for n in full[1:])]


def test_qrels_of_a_trial_are_its_grades_without_the_holes(found):
    index, grades, sweep = found
    assert hole_sweep.qrels(index, grades) == QRELS
    left = hole_sweep.qrels(index, sweep.grades[-1])
    assert (pair_index.grades(index, left) == sweep.grades[-1]).all()
    assert left.keys() == QRELS.keys()


def test_each_trial_has_means_and_a_tau_b(found):
    *_, sweep = found
    assert sweep.means.shape == (180, 2)
    assert set(sweep.tau_b[~np.isnan(sweep.tau_b)].tolist()) <= {1.0, -1.0}
