import csv
import io

import pytest

from annotate.work import engine
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """Two people on six pairs in the same order, of which the first cannot judge one; he is slow, and was given a pair
    again. The other tells no seconds."""
    collection = factories.make_holes(factories.make_collection(target=2))
    first, second = factories.make_assessor(collection, "zoe"), factories.make_assessor(collection, "adam")
    for grade in (0, 1, 2, 3, None):
        judgment = factories.judge(first, grade, visible_ms=8_000, wall_ms=9_000)
    small.repeat(factories.judge(first, 1, visible_ms=8_000, wall_ms=9_000), 1)
    assert judgment.grade is None
    for grade in (0, 1, 3, 3, 2, 1):
        factories.judge(second, grade)
    return collection


def test_they_are_computed_in_the_background_and_stand_by_pseudonym_with_their_names(collection, read):
    page = read(collection, "assessors")
    assert "The statistics are being computed in the background." in page.words
    assert 'hx-trigger="every 2s"' in page.content.decode()
    engine.run_waiting()
    page = read(collection, "assessors")
    assert "hx-trigger" not in page.content.decode()
    assert "12 judgments of 2 people" in page.words
    assert "assessor-1 zoe 6 1 0 8.0 1" in page.words
    assert page.words.index("assessor-1") < page.words.index("assessor-2")
    assert "never ranked" in page.words
    assert "sort" not in page.content.decode().split('id="assessors"')[1]


def test_undefined_cells_have_their_reason_in_sight(collection, read):
    read(collection, "assessors")
    engine.run_waiting()
    page = read(collection, "assessors").words
    assert "No judgment of these tells its seconds." in page
    assert "All grades are equal, so there is no agreement beyond chance to measure." in page
    assert "No reference pair that was mixed in was judged." in page
    assert "No pair came again." in page


def test_grades_stand_as_a_bar_that_is_read_out(collection, read):
    read(collection, "assessors")
    engine.run_waiting()
    html = read(collection, "assessors").content.decode()
    assert 'aria-label="grade 0: 1, grade 1: 2, grade 2: 1, grade 3: 1, cannot judge: 1"' in html
    assert '<rect class="grade-0" x="0.000" y="0" width="16.667" height="12"/>' in html


@pytest.mark.postgresql
def test_later_judgments_make_them_stale_and_are_in_the_next(collection, read):
    read(collection, "assessors")
    engine.run_waiting()
    small.repeat(collection.pairs.first().judgments.first(), 2)
    assert "The facts have changed since" in read(collection, "assessors").words
    engine.run_waiting()
    assert "The facts have changed since" not in read(collection, "assessors").words


def test_htmx_gets_the_statistics_alone(collection):
    visitor = visitors.researcher(collection)
    answer = visitor.get(f"/c/{collection.slug}/assessors/", headers={"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith('<div id="assessors"')
    assert "HX-Request" in answer.headers["Vary"]


def test_nobody_has_judged_is_said(read):
    collection = factories.make_holes(factories.make_collection())
    read(collection, "assessors")
    engine.run_waiting()
    assert "Nobody has judged yet" in read(collection, "assessors").words


def test_all_tables_are_downloaded_by_pseudonym_without_names(collection):
    visitor, address = visitors.researcher(collection), f"/c/{collection.slug}/assessors"
    assert visitor.get(f"{address}/grades.csv").status_code == 202
    engine.run_waiting()

    def rows(name):
        content = visitor.get(f"{address}/{name}.csv").content.decode()
        assert "zoe" not in content
        return list(csv.DictReader(io.StringIO(content)))

    first, second = rows("assessors")
    assert (first["assessor"], first["judged"], first["cannot judge"], first["with others: n"]) == (
        "assessor-1",
        "6",
        "1",
        "5",
    )
    assert second["visible seconds"] == "undefined: no judgment of these tells its seconds"
    assert second["with the reference: kappa"] == "undefined: no reference pair that was mixed in was judged"
    assert [row["judged"] for row in rows("grades")[:5]] == ["1", "2", "1", "1", "1"]
    assert [row["mean grade"] for row in rows("sittings")] == ["1.4", str(10 / 6)]
    assert r"\toprule" in visitor.get(f"{address}/sittings.tex").content.decode()
    assert visitor.get(f"{address}/nothing.csv").status_code == 404


def test_only_researchers_see_them(collection):
    for visitor, status in ((visitors.assessor(collection), 403), (visitors.stranger(), 404)):
        assert visitor.get(f"/c/{collection.slug}/assessors/").status_code == status
        assert visitor.get(f"/c/{collection.slug}/assessors/grades.csv").status_code == status
