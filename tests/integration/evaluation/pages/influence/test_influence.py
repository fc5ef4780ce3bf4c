import csv
import io

import pytest
from django.utils import timezone

from annotate.models import Work
from annotate.work import engine
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return small.three_systems()


def compute(collection, **said):
    return visitors.researcher(collection).post(f"/c/{collection.slug}/pairs/influence/compute/", said)


def test_it_is_asked_for_and_shown_with_what_it_separates(collection, read):
    assert "It was not computed yet" in read(collection, "pairs/influence").words
    answer = compute(collection)
    assert answer.headers["Location"] == f"/c/{collection.slug}/pairs/influence/"
    assert "influence of holes" in read(collection, "pairs/influence").words
    engine.run_waiting()
    page = read(collection, "pairs/influence").words
    assert "4 holes 2 can move the ranking 2 ignored: in topics without anything relevant yet" in page
    assert "1 q1 h 0.50000 0.06529 1 h>r 3 r>x>h" in page
    assert "2 q1 x 0.31546 0.06529 2 r>x>h" in page


def test_its_work_leads_back_to_it(collection, read):
    compute(collection, orders="yes")
    engine.run_waiting()
    queued = Work.objects.latest("pk")
    assert f'href="/c/{collection.slug}/pairs/influence/"' in read(collection, f"work/{queued.pk}").content.decode()
    assert "those that move the ranking of systems most" in read(collection, "pairs").words


def test_what_came_since_is_said(collection, read):
    compute(collection)
    engine.run_waiting()
    assessor = factories.make_assessor(collection)
    for _ in range(2):
        factories.judge(assessor, 2, now=timezone.now())
    assert "and 2 judgments came since." in read(collection, "pairs/influence").words
    factories.import_qrels(collection, "q1 0 d9 1\n", rater="nist")
    assert "and 2 judgments came since." in read(collection, "pairs/influence").words


def test_an_import_makes_it_stale_without_a_judgment(collection, read):
    compute(collection)
    engine.run_waiting()
    small.add_run(collection, "x>h")
    assert "and grades, runs or settings have changed since." in read(collection, "pairs/influence").words


def test_a_weighting_that_is_refused_says_why(collection):
    factories.import_qrels(collection, small.lines("q1 h 1"), rater="gpt", kind="MODEL")
    answer = compute(collection, weights="gpt")
    assert answer.status_code == 422
    assert "some of them grade blind" in visitors.words(answer)
    assert compute(collection, weights="nobody").status_code == 422


def test_the_weighted_order_shows_both_figures(collection, read):
    factories.import_qrels(collection, small.lines("q1 h 1, q1 x 0"), rater="gpt", kind="MODEL")
    small.show_suggestions(collection, shown=1)
    compute(collection, weights="gpt")
    engine.run_waiting()
    page = read(collection, "pairs/influence").words
    assert "1 q1 h 0.16667 0.50000 0.06529" in page
    assert "weighted by the probabilities of gpt" in page


def test_it_is_downloaded(collection):
    visitor, address = visitors.researcher(collection), f"/c/{collection.slug}/pairs/influence"
    assert visitor.get(f"{address}.csv").status_code == 409
    compute(collection)
    engine.run_waiting()
    rows = list(csv.DictReader(io.StringIO(visitor.get(f"{address}.csv").content.decode())))
    assert [row["passage"] for row in rows] == ["h", "x"]
    assert rows[0]["systems by rank"] == "1: h>r; 3: r>x>h"
    assert float(rows[0]["influence"]) == pytest.approx(0.5)
    assert r"\toprule" in visitor.get(f"{address}.tex").content.decode()
    assert visitor.get(f"{address}.pdf").status_code == 404


def test_only_researchers_see_and_compute_it(collection):
    for visitor, status in ((visitors.assessor(collection), 403), (visitors.stranger(), 404)):
        for page in ("pairs/influence/", "pairs/influence.csv"):
            assert visitor.get(f"/c/{collection.slug}/{page}").status_code == status
        assert visitor.post(f"/c/{collection.slug}/pairs/influence/compute/").status_code == status
    assert not Work.objects.filter(kind="influence").exists()
