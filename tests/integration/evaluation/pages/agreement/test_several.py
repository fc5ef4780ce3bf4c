import csv
import io

import pytest

from annotate.models import Collection
from annotate.work import engine
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
FOUR = "q1 a 0, q1 b 0, q1 c 1, q2 a 2"


@pytest.fixture
def three():
    """A reference and two models; the second model graded three of the four pairs."""
    collection = small.with_qrels(FOUR, "q1 a 0, q1 b 1, q1 c 1, q2 a 2")
    factories.import_qrels(collection, small.lines("q1 a 0, q1 c 1, q2 a 2"), rater="third", kind="MODEL")
    return collection


def several(collection: Collection, *names: str, **address: str):
    visitor = visitors.researcher(collection)
    return visitor.get(f"/c/{collection.slug}/agreement/several/", {"raters": names, **address})


def test_any_number_of_raters_have_one_alpha_and_its_interval_later(three):
    page = visitors.words(several(three, "nist", "gpt", "third"))
    assert "3 raters, 4 pairs that two of them or more graded" in page
    assert "3 pairs graded by all of them, 0 by one alone" in page
    assert "being computed" in page
    engine.run_waiting()
    page = visitors.words(several(three, "nist", "gpt", "third"))
    assert "95 % intervals over 2 topics: percentile bootstrap, 1000 resamples, seed 0." in page
    assert "being computed" not in page
    assert "intervals over 4 pairs" in visitors.words(several(three, "nist", "gpt", "third", over="pairs"))


def test_it_is_downloaded_with_its_intervals(three):
    address = f"/c/{three.slug}/agreement/several.csv"
    visitor, raters = visitors.researcher(three), {"raters": ["nist", "gpt", "third"]}
    assert b"being computed" in visitor.get(address, raters).content
    engine.run_waiting()
    rows = {row["alpha"]: row for row in csv.DictReader(io.StringIO(visitor.get(address, raters).content.decode()))}
    assert set(rows) == {"nominal", "ordinal", "interval"}
    low, value, high = (float(rows["ordinal"][name]) for name in ("low", "value", "high"))
    assert low - 1e-9 <= value <= high + 1e-9
    assert visitor.get(address).status_code == 422


def test_all_people_and_all_raters_are_one_click(three):
    page = several(three).content.decode()
    assert 'href="?raters=nist&amp;raters=gpt&amp;raters=third"' in page
    assert "All people" not in page


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("nist",), "Choose two raters or more."),
        (("nist", "nobody"), "Select a valid choice. nobody is not one of the available choices."),
    ],
)
def test_who_cannot_be_compared_is_said(three, names, sentence):
    answer = several(three, *names)
    assert answer.status_code == 422
    assert sentence in visitors.words(answer)


def test_of_people_only_blind_grades_count_beside_a_model_and_never_beside_their_consensus():
    collection = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    factories.judge(first, 1)
    small.show_suggestions(collection, shown=1)
    factories.judge(second, 1)
    assert "1 pair that two of them or more graded" in visitors.words(several(collection, "assessor-1", "assessor-2"))
    beside_a_model = visitors.words(several(collection, "assessor-1", "assessor-2", "model-a"))
    assert "assessor-2, blind assessor : 0 grades, given blind" in beside_a_model
    assert "includes the grades of" in visitors.words(several(collection, "people", "assessor-1"))
    assert "All people" in visitors.words(several(collection))
