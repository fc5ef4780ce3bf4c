import csv
import io

import pytest

from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
TWO = {"first": "nist", "second": "gpt"}


@pytest.fixture
def collection():
    return small.with_qrels("q1 a 0, q1 b 0, q2 a 2, q2 b 3", "q1 a 1, q1 b 3, q2 a 2, q2 b 0")


def test_a_cell_of_the_confusion_table_leads_to_its_pairs(read, collection):
    page = read(collection, "agreement", **TWO).content.decode()
    link = f"/c/{collection.slug}/agreement/pairs/?first=nist&amp;second=gpt&amp;first_grade=0&amp;second_grade=3"
    assert f'href="{link}">1</a>' in page
    answer = visitors.researcher(collection).get(link.replace("&amp;", "&"))
    assert "1 pair that nist graded 0 and gpt graded 3." in visitors.words(answer)
    assert "q1 first topic b Its text was not imported." in visitors.words(answer)


@pytest.mark.postgresql
def test_texts_grades_and_the_reason_stand_beside_one_another(read):
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    factories.make_suggestions(collection, grade=1, reason="<b>it</b> says so")
    factories.judge(factories.make_assessor(collection), 2, comment="rather short")
    page = read(collection, "agreement/pairs", first="people", second="model-a")
    assert "the passage d1.1 tells of q1" in page.words
    assert "assessor-1 2 highly relevant rather short model-a 1 related <b>it</b> says so" in page.words
    assert "<b>it</b>" not in page.content.decode()


def test_pairs_sort_by_how_far_the_grades_lie_apart(read, collection):
    page = read(collection, "agreement/pairs", **TWO, sort="-difference").words
    assert page.index("+3") < page.index("+1") < page.index(" -3")
    assert 'aria-sort="descending"' in read(collection, "agreement/pairs", **TWO, sort="-difference").content.decode()


def test_pairs_come_in_pages_and_whole_as_a_table(read):
    grades = ",".join(f"q1 p{number:02} 1" for number in range(45))
    collection = small.with_qrels(grades, grades)
    assert "Page 3 of 3" in read(collection, "agreement/pairs", **TWO, page="3").words
    assert "Page 3 of 3" in read(collection, "agreement/pairs", **TWO, page="99").words
    answer = visitors.researcher(collection).get(f"/c/{collection.slug}/agreement/pairs.csv", TWO)
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == 45
    assert rows[0] == {"topic": "q1", "passage": "p00", "nist": "1", "gpt": "1", "difference": "0"}


def test_an_empty_cell_has_no_pair(read, collection):
    assert "There is no such pair" in read(collection, "agreement/pairs", **TWO, first_grade="1").words


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"second": "nobody"}, "There is no rater 'nobody'"),
        ({"second": "nist"}, "Choose two different raters."),
        ({"first": ""}, "first: This field is required."),
        ({"first_grade": "x"}, "first_grade: Enter a whole number."),
        ({"page": "0"}, "page: Ensure this value is greater than or equal to 1."),
        ({"sort": "colour"}, "sort: Select a valid choice."),
    ],
)
def test_what_cannot_be_shown_is_answered_with_a_sentence(read, collection, address, sentence):
    page = read(collection, "agreement/pairs", **{**TWO, **address})
    assert page.status_code == 422
    assert sentence in page.words
    answer = visitors.researcher(collection).get(f"/c/{collection.slug}/agreement/pairs.csv", {**TWO, **address})
    assert answer.status_code == 422
