import csv
import io

import pytest

from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
BESIDE = {"rule": "reference", "other": "model:gpt", "system": "d1>d2"}


@pytest.fixture
def collection():
    made = small.with_qrels("q1 d1 3, q1 d2 0, q2 d1 0, q2 d2 3", "q1 d1 3, q2 d1 2")
    for tag in ("d1>d2", "d2>d1"):
        small.add_run(made, tag)
    return made


def test_each_topic_has_its_value_beside_the_median_and_the_other_rule(read, collection):
    page = read(collection, "leaderboard/system", **BESIDE).words
    assert "q1 first topic 1.0000 0.8155 1.0000 0.0000" in page
    assert "q2 second topic 0.6309 0.8155 1.0000 0.3691" in page
    assert "Its ranking" not in page


@pytest.mark.postgresql
def test_a_topic_shows_the_ranking_with_every_grade_and_who_gave_it(read, collection):
    factories.import_text(collection, "PASSAGES", "d1\tthe first passage\n")
    page = read(collection, "leaderboard/system", **BESIDE, topic="q2").words
    assert "Its ranking of topic q2" in page
    assert "1 d1 the first passage 0 irrelevant nist 2 highly relevant gpt" in page
    assert "2 d2 its text was not imported 3 perfectly relevant nist hole" in page


def test_topics_sort_by_the_address_and_come_as_a_table(collection):
    answer = visitors.researcher(collection).get(
        f"/c/{collection.slug}/leaderboard/topics.csv", {**BESIDE, "sort": "value"}
    )
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["topic"] for row in rows] == ["q2", "q1"]
    assert float(rows[0]["difference"]) == pytest.approx(0.369, abs=0.001)


def test_a_topic_that_the_run_lacks_is_marked(read, collection):
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 9 short\n")
    page = read(collection, "leaderboard/system", rule="reference", other="", system="short", topic="q2").words
    assert "q2 second topic not in the run 0.0000" in page
    assert "The run retrieved nothing for this topic." in page


def test_a_system_that_there_is_not_is_not_found(read, collection):
    assert read(collection, "leaderboard/system", **{**BESIDE, "system": "nobody"}).status_code == 404


@pytest.mark.parametrize("address", [{"system": ""}, {"measure": "foo@1"}, {"sort": "colour"}])
def test_a_view_that_cannot_be_shown_says_why(read, collection, address):
    page = read(collection, "leaderboard/system", **{**BESIDE, **address})
    assert page.status_code == 422
    assert "This view cannot be shown" in page.words
