import csv
import io

import pytest

from annotate.work import engine
from evaluation.statistics import bootstrap
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
TWO = {"first": "nist", "second": "gpt"}


@pytest.fixture
def collection():
    return small.with_qrels("q1 a 0, q1 b 0, q1 c 1, q2 a 2", "q1 a 0, q1 b 1, q1 c 1, q2 a 2, q2 c 0")


@pytest.fixture
def get(collection):
    visitor = visitors.researcher(collection)
    return lambda name, **address: visitor.get(f"/c/{collection.slug}/agreement/{name}", address)


def rows(answer):
    return list(csv.reader(io.StringIO(answer.content.decode())))[1:]


def test_every_figure_comes_as_a_line(get):
    told = dict(rows(get("figures.csv", **TWO)))
    assert float(told["kappa, unweighted"]) == pytest.approx(0.6364, abs=0.0001)
    assert float(told["kappa, relevant from 2"]) == 1.0
    assert float(told["share of equal grades"]) == 0.75


def test_the_confusion_has_the_grades_of_the_first_as_rows(get):
    assert rows(get("confusion.csv", **TWO))[0] == ["0", "1", "1", "0", "0"]
    assert "\\toprule" in get("confusion.tex", **TWO).content.decode()


def test_all_raters_come_two_by_two(get):
    ((first, second, n, alpha),) = rows(get("matrix.csv"))
    assert (first, second, n) == ("nist", "gpt", "4")
    assert 0 < float(alpha) < 1


def test_what_is_undefined_says_so_in_its_cell(get):
    topics = {row[0]: row for row in rows(get("topics.csv", **TWO))}
    assert topics["q2"][2] == "undefined: all grades are equal, so there is no disagreement to expect"
    assert topics["q1"][1] == "3"


def test_topics_come_in_the_order_of_the_page(get):
    assert [row[0] for row in rows(get("topics.csv", **TWO, sort="n"))] == ["q2", "q1"]


@pytest.mark.parametrize("name", ["confusion.svg", "matrix.png"])
def test_figures_are_drawn(get, name):
    assert get(name, **TWO).status_code == 202
    engine.run_waiting()
    answer = get(name, **TWO)
    assert answer["Content-Type"] in ("image/svg+xml", "image/png")
    assert answer.content.startswith((b"<svg", b"\x89PNG"))


@pytest.mark.parametrize("name", ["confusion.csv", "trend.svg"])
def test_raters_that_cannot_be_compared_are_refused_in_words(get, name):
    answer = get(name, first="nist", second="nist")
    assert (answer.status_code, answer.content) == (422, b"Choose two different raters.\n")
    assert (get(name).status_code, get(name).content) == (422, b"The address does not say what to show.\n")


@pytest.mark.parametrize("name", ["confusion.xls", "nothing.csv", "figures.svg"])
def test_what_there_is_not_is_not_found(get, name):
    assert get(name, **TWO).status_code == 404


def test_the_intervals_come_into_the_page_when_they_are_computed(read, collection):
    page = read(collection, "agreement", **TWO)
    assert "Intervals are being computed in the background" in page.words
    fragment = visitors.researcher(collection).get(f"/c/{collection.slug}/agreement/details/", TWO)
    assert b'hx-trigger="every 2s"' in fragment.content
    engine.run_waiting()
    page = read(collection, "agreement", **TWO).words
    assert "95 % intervals over 2 topics: percentile bootstrap, 1000 resamples, seed 0." in page
    assert "Cohen’s kappa, 4 grades 0.636 0." in page
    assert "Kappa, relevant from 3 undefined 1 none 2" in page
    assert "95 % intervals over 4 pairs" in read(collection, "agreement", **TWO, over="pairs").words


def test_the_fragment_of_intervals_needs_two_raters(collection):
    visitor = visitors.researcher(collection)
    assert visitor.get(f"/c/{collection.slug}/agreement/details/", {"first": "nist"}).status_code == 422
    assert visitor.get(f"/c/{collection.slug}/agreement/details/", {**TWO, "second": "nist"}).status_code == 422


def test_arms_trend_and_what_a_reveal_did_stand_on_the_page_of_people_and_a_model(read):
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 0)
    small.show_suggestions(collection, reveal=1)
    for before, after in ((3, 1), (1, 1)):
        small.decide(assessor, factories.judge(assessor, before), after)
    read(collection, "agreement", first="people", second="model-a")
    engine.run_waiting()
    page = read(collection, "agreement", first="people", second="model-a").words
    assert "2 grades were decided on after" in page
    assert "1 of them was changed (50 %)" in page
    assert "Towards the suggestion 1, 1 of them onto it" in page
    assert "Over time So far all of them are of one period. By when people gave the grades (UTC)." in page
    assert "2026-03-01 3 " in page
    assert "By what people saw 95 % intervals over the topics" in page


def test_a_sort_or_an_interval_that_there_is_not_is_said(read, collection):
    for address in ({"sort": "colour"}, {"over": "planets"}):
        page = read(collection, "agreement", **TWO, **address)
        assert page.status_code == 422
        assert "Select a valid choice" in page.words


def test_intervals_and_traits_come_as_tables_once_they_are_computed(get):
    answer = get("intervals.csv", **TWO)
    assert (answer.status_code, answer.content[:33]) == (202, b"This table is being computed in t")
    engine.run_waiting()
    told = {row[0]: row[1:] for row in rows(get("intervals.csv", **TWO))}
    drawn = "95 % over 2 topics, percentile bootstrap, 1000 resamples (231 without a value left out), seed 0"
    assert told["alpha, ordinal"][3] == drawn
    assert told["kappa, relevant from 3"][0].startswith("undefined: ")
    assert told["kappa, relevant from 3"][3] == f"undefined: {bootstrap.NEVER_DEFINED}"
    assert get("intervals.tex", **TWO, over="pairs").content.count(b"4 pairs") > 5
    assert rows(get("length.csv", **TWO)) == rows(get("part-intervals.csv", **TWO)) == []


@pytest.mark.parametrize("name", ["grades", "sources", "trend", "parts", "anchoring", "matrix"])
@pytest.mark.parametrize("format", ["csv", "tex"])
def test_every_table_of_the_page_is_downloaded(get, name, format):
    assert get(f"{name}.{format}", **TWO).status_code == 200


def test_groups_of_grades_sort_by_any_column(get):
    assert [row[0] for row in rows(get("grades.csv", **TWO, sort="-group"))] == ["2", "1", "0"]
    assert [row[0] for row in rows(get("grades.csv", **TWO, sort="-difference"))] == ["0", "1", "2"]


def test_people_among_themselves_have_columns_of_their_own_and_anchoring_a_line_for_each():
    collection = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    small.show_suggestions(collection, reveal=1)
    for before, after in ((3, 1), (3, 3)):
        assessor = factories.make_assessor(collection)
        small.decide(assessor, factories.judge(assessor, before), after)
    visitor, two = visitors.researcher(collection), {"first": "people", "second": "model-a"}
    (q1,) = csv.DictReader(io.StringIO(visitor.get(f"/c/{collection.slug}/agreement/topics.csv", two).content.decode()))
    assert (q1["people among themselves: pairs"], q1["people among themselves: share of equal grades"]) == ("1", "1.0")
    answer = visitor.get(f"/c/{collection.slug}/agreement/anchoring.csv", {**two, "sort": "changed"})
    assert [row[:3] for row in rows(answer)] == [["assessor-2", "1", "0"], ["assessor-1", "1", "1"], ["all", "2", "1"]]
