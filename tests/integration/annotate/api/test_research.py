"""What researchers take out and bring in: holes, predictions, completed qrels."""

import hashlib
import json

import pytest

from annotate.collections.operations import collections
from annotate.models import Suggestion
from annotate.pool.operations import pooling
from tests import factories

pytestmark = pytest.mark.usefixtures("holes")
HOSTILE = "</script>\u2028 naïve 東京\t<b>"


def lines(answer):
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def test_holes_come_as_json_lines_with_texts_and_observed_grades(researcher, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 -1\n")
    answer = researcher.get("holes/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/x-ndjson")
    told = lines(answer)
    given = [{"passage_id": "d1.1", "grade": 2, "source": "reference"}]
    assert [hole["observed"] for hole in told] == [given, None, [], None, None]
    told = lines(researcher.get("holes/?observed=every"))
    assert [(hole["query_id"], hole["passage_id"]) for hole in told] == [
        ("q1", "d1.2"),
        ("q1", "d1.3"),
        ("q2", "d2.1"),
        ("q2", "d2.2"),
        ("q2", "d2.3"),
    ]
    assert told[1] == {
        "query_id": "q1",
        "query": "what is q1",
        "backstory": "",
        "passage_id": "d1.3",
        "title": "",
        "passage": "the passage d1.3 tells of q1",
        "observed": given,
    }
    assert told[2]["observed"] == []
    assert researcher.get("holes/?observed=all").status_code == 400


def test_a_dropped_grade_is_a_hole_and_is_nowhere_in_the_answer(researcher, collection):
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 0\n")
    pooling.draw_holes(collection=collection, fraction=1.0, chosen=[3], seed=1, by=None, now=factories.NOW)
    told = lines(researcher.get("holes/"))
    assert told[0]["passage_id"] == "d1.1"
    assert told[0]["observed"] == [{"passage_id": "d1.2", "grade": 0, "source": "reference"}]


def test_what_people_agreed_on_is_observed_and_grades_below_0_are_not(researcher, collection):
    factories.import_qrels(collection, "q1 0 d1.1 -1\nq1 0 d1.2 -2\nq1 0 d1.3 -1\n")
    judged = factories.judge(factories.make_assessor(collection), 3).pair
    told = lines(researcher.get("holes/?observed=every"))
    (hole,) = [told for told in told if told["query_id"] == judged.topic.query_id]
    assert hole["observed"] == [{"passage_id": judged.passage_id, "grade": 3, "source": "people"}]


def test_an_accept_header_that_asks_for_lines_gets_them(researcher):
    answer = researcher.client.get(researcher.base + "holes/", headers={"accept": "application/x-ndjson"})
    assert len(lines(answer)) == 6


@pytest.mark.postgresql
def test_holes_sent_back_with_a_grade_are_predictions(researcher, collection):
    predicted = [{**hole, "grade": 1, "reason": HOSTILE} for hole in lines(researcher.get("holes/"))]
    answer = researcher.post_lines("predictions/?rater=outside", *predicted)
    assert answer.status_code == 201
    assert answer.json() == {"rater": "outside", "added": 6, "unchanged": 0, "without_grade": 0}
    assert set(Suggestion.objects.values_list("rater__name", "grade", "reason")) == {("outside", 1, HOSTILE)}


def test_a_json_list_does_the_same_and_again_changes_nothing(researcher):
    body = [{"query_id": "q1", "passage_id": "d1.1", "grade": 9}, {"query_id": "q1", "passage_id": "d1.2", "grade": 0}]
    first, again = (researcher.post("predictions/?rater=outside", body) for _ in range(2))
    assert (first.status_code, first.json()["added"], first.json()["without_grade"]) == (201, 2, 1)
    assert (again.status_code, again.json()["unchanged"], again.json()["added"]) == (200, 2, 0)


def test_a_wrong_upload_names_its_lines_and_stores_nothing(researcher):
    answer = researcher.post_lines(
        "predictions/?rater=outside",
        {"query_id": "q1", "passage_id": "d1.1", "grade": 1},
        {"query_id": "q1", "passage_id": "d9", "grade": 1},
    )
    assert answer.status_code == 400
    assert answer.json() == {
        "detail": "Nothing was stored: 1 fault.",
        "faults": [{"place": "line 2", "reason": "passage 'd9' of topic 'q1' is neither in the pool nor graded"}],
    }
    assert not Suggestion.objects.exists()


def test_more_faults_than_a_hundred_are_said_to_be_more(researcher):
    answer = researcher.post("predictions/?rater=outside", [0] * 101)
    assert answer.json()["detail"] == "Nothing was stored: more than 100 faults."
    assert len(answer.json()["faults"]) == 100


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ([], "Send between 1 and 5000 predictions at a time, not 0."),
        ({}, "Send a list of predictions, or one JSON object a line as application/x-ndjson."),
    ],
)
def test_an_upload_without_predictions_says_what_to_send(researcher, body, sentence):
    answer = researcher.post("predictions/?rater=outside", body)
    assert (answer.status_code, answer.json()) == (400, {"detail": sentence})


def test_an_upload_without_a_name_says_so(researcher):
    answer = researcher.post("predictions/", [{"query_id": "q1", "passage_id": "d1.1", "grade": 1}])
    assert answer.json() == {"detail": "Give the rater a name of up to 100 characters, without a comma."}


def test_completed_qrels_are_the_bytes_of_the_export_with_their_digest(researcher, collection):
    factories.import_qrels(collection, "q1 0 d1.2 0\nq1 0 d1.1 2\n")
    factories.make_suggestions(collection, grade=1)
    answer = researcher.get("completed-qrels/", rule="reference,model:model-a")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert answer.content == b"q1 0 d1.1 2\nq1 0 d1.2 0\nq1 0 d1.3 1\nq2 0 d2.1 1\nq2 0 d2.2 1\nq2 0 d2.3 1\n"
    assert answer.headers["X-Qrels-SHA256"] == hashlib.sha256(answer.content).hexdigest()


@pytest.mark.postgresql
def test_the_consensus_rule_is_the_collection_s_unless_another_is_asked_for(researcher, collection):
    collections.change_judging(collection=collection, changes={"target": 2, "consensus": "MAXIMUM"})
    for grade in (1, 3):
        factories.judge(factories.make_assessor(collection), grade)
    assert researcher.get("completed-qrels/", rule="people").content.endswith(b" 3\n")
    assert researcher.get("completed-qrels/", rule="people", consensus="MEDIAN").content.endswith(b" 1\n")


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/plain"])
def test_a_rule_that_leaves_nothing_gets_409_with_the_counts(researcher, accept):
    answer = researcher.client.get(researcher.base + "completed-qrels/", headers={"accept": accept})
    assert answer.status_code == 409
    sentence = (
        "The rule reference,adjudicated,people leaves no line: 0 reference grades in force, 0 judgments of people, "
        "0 grades decided by adjudicators, 0 model raters. Nothing was written."
    )
    assert answer.content.decode() == (f"{sentence}\n" if accept == "text/plain" else f'{{"detail":"{sentence}"}}')


@pytest.mark.parametrize(
    ("asked", "place", "reason"),
    [
        (
            {"rule": "experts"},
            "rule",
            "'experts' is not a source; use reference, original, adjudicated, people or model:NAME",
        ),
        ({"rule": "model:nobody"}, "rule", "The collection has no model rater named 'nobody'."),
        ({"rule": "model:\0"}, "rule", "a NUL"),
        (
            {"consensus": "MEAN"},
            "consensus",
            "'MEAN' is not a consensus rule; use one of MAJORITY, MEDIAN, MAXIMUM, UNANIMOUS, ADJUDICATED",
        ),
    ],
)
def test_a_rule_that_nobody_can_follow_is_refused_in_words(researcher, asked, place, reason):
    answer = researcher.get("completed-qrels/", **asked)
    assert answer.status_code == 400
    assert answer.json()["faults"] == [{"place": place, "reason": reason}]
