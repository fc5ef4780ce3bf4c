import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from annotate.formats.records import GradeScale, Qrels
from evaluation.engine import rater_agreement
from evaluation.measures.grade_matrix import UNJUDGED
from evaluation.studies.kinds.holes import systems

SCALE = GradeScale()
PAIRS = 12


@given(
    arrays(np.int16, PAIRS, elements=st.integers(0, 3)),
    arrays(np.int16, (2, PAIRS), elements=st.integers(-1, 3)),
    arrays(np.bool_, (2, PAIRS)),
)
def test_agreement_is_that_of_the_two_raters_on_the_holes_and_over_all(truth, filled, holes):
    """As rater_agreement has it of the labels written out; pairs that were kept agree with themselves."""
    full = np.append(truth, [UNJUDGED, -3]).astype(np.int16)
    vectors = np.where(holes, filled, truth)
    tables = systems.confusion_tables(holes, full, np.pad(vectors, ((0, 0), (0, 2))), SCALE)
    over_all = systems.add_kept_grades(tables, holes, full, SCALE)
    for trial in range(2):
        _same(systems.agreement_figures(tables[[trial]], SCALE, ["none"]), truth, vectors[trial], holes[trial])
        _same(
            systems.agreement_figures(over_all[[trial]], SCALE, ["none"]),
            truth,
            vectors[trial],
            np.ones(PAIRS, np.bool_),
        )


def _same(found, truth, labelled, chosen):
    expected = rater_agreement.compare(_qrels(truth, chosen), _qrels(labelled, chosen), SCALE)
    values = {
        "kappa_binary": expected.kappa["binary"],
        "kappa": expected.kappa["unweighted"],
        "alpha_ordinal": expected.alpha["ordinal"],
        "gamma": expected.gamma,
        "tau_b": expected.tau_b,
    }
    for kind, value in values.items():
        [number] = found[kind]
        if value.value is None:
            assert isinstance(number, str) and number
        else:
            assert number == pytest.approx(value.value, abs=1e-9)


def _qrels(grades, chosen) -> Qrels:
    return {"q": {f"d{n}": int(grade) for n, grade in enumerate(grades) if chosen[n] and grade >= 0}}
