"""The share of a system's gains that a model's grades give, over the passages that the measure looks at."""

import pytest

from annotate.rules import completion
from evaluation.findings.leaderboard import scores
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """One run of four: a hole first, then grade 2 of the reference, a model's 2, the reference's 1."""
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    factories.import_text(collection, "RUN", "".join(f"q1 Q0 d{n} {n} {9 - n} sys\n" for n in range(1, 5)))
    factories.import_qrels(collection, "q1 0 d2 2\nq1 0 d4 1\n")
    factories.import_qrels(collection, "q1 0 d3 2\n", rater="m", kind="MODEL")
    return collection


@pytest.mark.parametrize(
    ("measure", "share"),
    [
        ("nDCG@2", 0.0),  # the hole and the reference's 2
        ("nDCG(unjudged=condensed)@2", 0.5),  # the hole is passed over: the reference's 2 and the model's 2
        ("nDCG(unjudged=condensed)@3", 0.4),
    ],
)
def test_of_a_condensed_list_the_passages_that_were_scored_count(collection, measure, share):
    board = scores.compute_leaderboard(collection, completion.parse_rule("reference,model:m"), [measure])
    (system,) = board.systems
    assert system.model_gains.number == pytest.approx(share)
