"""Decisions, consensus and near-duplicates in completed qrels, each with how people came to the grade."""

import csv
import io
import json

import pytest

from annotate.exports import operations as exports_operations
from annotate.exports import rules as exports_rules
from annotate.grades import completed_qrels, ratings
from annotate.models import Collection, Pair
from annotate.pairs import pair_states
from annotate.rules import completion
from annotate.work import kept_files
from tests import factories

NOW = factories.NOW
UNANIMOUS, MAJORITY, UNRESOLVED, CANNOT, TWO_OF_THREE = range(5)


@pytest.fixture
def judged(db):
    """Pairs in the order of the names above, three people each."""
    return factories.make_judged([1, 2, 0, None, None], [1, 2, 1, None, 3], [1, 3, 2, None, 3])


@pytest.fixture
def collection(judged) -> Collection:
    return judged[0]


@pytest.fixture
def pairs(judged) -> list[Pair]:
    return judged[1]


@pytest.fixture
def adjudicator(collection):
    return factories.make_adjudicator(collection)


def lines(collection, rule="", consensus="MAJORITY"):
    rule = completion.parse_rule(rule, consensus) if rule else completed_qrels.usual_rule(collection)
    return {line.passage_id: (line.grade, line.source) for line in completed_qrels.complete_qrels(collection, rule)}


def records(collection, rule="", consensus="MAJORITY"):
    rule = completion.parse_rule(rule, consensus) if rule else completed_qrels.usual_rule(collection)
    frozen = exports_operations.freeze(collection=collection, rule=rule, by=None, now=NOW)
    text = (kept_files.path(frozen.path) / "provenance.jsonl").read_text().splitlines()
    return {record["passage_id"]: record for record in map(json.loads, text)}


# Fault 40: several lines of one pair. Fault 49: "cannot judge" taken for a grade.
def test_each_pair_has_one_line_and_who_could_not_judge_gives_no_grade(collection, pairs):
    assert lines(collection) == {
        pairs[UNANIMOUS].passage_id: (1, "people"),
        pairs[MAJORITY].passage_id: (2, "people"),
        pairs[TWO_OF_THREE].passage_id: (3, "people"),
    }


def test_a_decision_comes_before_people_and_behind_the_reference(collection, pairs, adjudicator):
    factories.adjudicate(adjudicator, pairs[UNRESOLVED], 2)
    factories.adjudicate(adjudicator, pairs[MAJORITY], 3)
    factories.adjudicate(adjudicator, pairs[UNANIMOUS], 3)
    factories.import_qrels(collection, f"q1 0 {pairs[UNANIMOUS].passage_id} 0\n")

    found = lines(collection)
    assert found[pairs[UNRESOLVED].passage_id] == (2, "adjudicated")
    assert found[pairs[MAJORITY].passage_id] == (3, "adjudicated")
    assert found[pairs[UNANIMOUS].passage_id] == (0, "reference")
    assert lines(collection, "reference,people")[pairs[MAJORITY].passage_id] == (2, "people")


def test_that_nobody_can_judge_a_pair_silences_people_and_leaves_it_to_a_model(collection, pairs, adjudicator):
    factories.adjudicate(adjudicator, pairs[MAJORITY], None)
    assert pairs[MAJORITY].passage_id not in lines(collection)
    assert pairs[MAJORITY].passage_id in lines(collection, "people")

    factories.make_suggestions(collection, grade=1)
    assert lines(collection)[pairs[MAJORITY].passage_id] == (1, "model:model-a")


@pytest.mark.parametrize("rule", ["people", "adjudicated", "reference,adjudicated,people"])
def test_adjudicated_only_takes_decisions_and_nothing_else(collection, pairs, adjudicator, rule):
    factories.adjudicate(adjudicator, pairs[UNRESOLVED], 2)

    assert [grade for grade, _ in lines(collection, rule, "ADJUDICATED").values()] == [2]


# Fault 47: an export of decisions alone that is empty without a word.
def test_a_rule_that_leaves_nothing_says_so_with_counts(collection):
    sentence = "0 reference grades in force, 15 judgments of people, 0 grades decided by adjudicators, 0 model raters"
    with pytest.raises(exports_operations.NothingToExport, match=sentence):
        factories.export_files(collection, completion.parse_rule("adjudicated"))


def test_provenance_says_how_people_came_to_a_grade(collection, pairs, adjudicator):
    factories.adjudicate(adjudicator, pairs[CANNOT], 2, reason="it can be read after all")
    factories.make_suggestions(collection, grade=1)
    told = records(collection)

    assert [told[pair.passage_id]["provenance"] for pair in pairs] == [
        "unanimous",
        "majority",
        "unresolved",
        "adjudicated",
        "unanimous",
    ]
    unresolved, decided = told[pairs[UNRESOLVED].passage_id], told[pairs[CANNOT].passage_id]
    assert (unresolved["source"], len(unresolved["judgments"])) == ("model:model-a", 3)
    assert (decided["source"], decided["rater"], len(decided["judgments"])) == ("adjudicated", "adjudicators", 3)
    assert decided["adjudication"]["adjudicator"] == "adjudicator-1"
    assert decided["adjudication"]["reason"] == "it can be read after all"
    assert decided["adjudication"]["has_new_evidence"] is False


def test_another_consensus_rule_is_named(collection, pairs):
    told = records(collection, "people", "MEDIAN")
    assert told[pairs[UNRESOLVED].passage_id]["provenance"] == "median"


def test_a_model_s_line_tells_nothing_of_people_whom_the_rule_did_not_ask(collection, pairs):
    factories.make_suggestions(collection, grade=1)
    assert "provenance" not in records(collection, "model:model-a")[pairs[MAJORITY].passage_id]


def test_a_near_duplicate_follows_its_pair_and_names_it(collection, pairs, adjudicator):
    follower = Pair.objects.get(pk=pairs[CANNOT].pk)
    follower.duplicate_of = pairs[MAJORITY]
    follower.save(update_fields=["duplicate_of"])
    assert follower.passage_id not in lines(collection)

    Collection.objects.filter(pk=collection.pk).update(propagates_duplicates=True)
    collection.refresh_from_db()
    pair_states.refresh(collection=collection, pairs=[Pair.objects.get(pk=pairs[MAJORITY].pk)])
    follower.refresh_from_db()
    assert lines(collection)[follower.passage_id] == (2, "people")
    assert ratings.settled_grades(collection)["q1", follower.passage_id] == follower.consensus_grade == 2
    told = records(collection)[follower.passage_id]
    assert told["provenance"] == f"propagated from {pairs[MAJORITY].passage_id}"
    assert [judgment["grade"] for judgment in told["judgments"]] == [2, 2, 3]

    factories.adjudicate(adjudicator, pairs[MAJORITY], 3)
    follower.refresh_from_db()
    assert lines(collection)[follower.passage_id] == (3, "adjudicated")
    assert ratings.settled_grades(collection)["q1", follower.passage_id] == follower.consensus_grade == 3

    factories.decide(follower, 0)
    follower.refresh_from_db()
    assert lines(collection)[follower.passage_id] == (0, "adjudicated")
    assert ratings.settled_grades(collection)["q1", follower.passage_id] == follower.consensus_grade == 0
    factories.decide(follower, None)
    assert follower.passage_id not in lines(collection)
    assert ("q1", follower.passage_id) not in ratings.settled_grades(collection)


def test_what_closes_holes_is_what_the_rows_of_the_pairs_say(collection, pairs, adjudicator):
    factories.adjudicate(adjudicator, pairs[UNRESOLVED], 0)
    factories.adjudicate(adjudicator, pairs[MAJORITY], None)
    rows = Pair.objects.filter(collection=collection, consensus_grade__isnull=False)

    assert ratings.settled_grades(collection) == {("q1", row.passage_id): row.consensus_grade for row in rows}


def test_the_table_for_people_has_the_decision_too(collection, pairs, adjudicator):
    factories.adjudicate(adjudicator, pairs[UNRESOLVED], 2, reason="=1+1")
    rule = completion.parse_rule("adjudicated")
    frozen = exports_operations.freeze(collection=collection, rule=rule, by=None, now=NOW)
    text = "".join(exports_rules.provenance_csv(kept_files.path(frozen.path) / "provenance.jsonl"))

    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 3
    assert (rows[0]["provenance"], rows[0]["adjudication_reason"]) == ("adjudicated", "'=1+1")
    assert [row["judgment_grade"] for row in rows] == ["0", "1", "2"]


def test_a_model_that_an_adjudicator_saw_stands_in_the_manifest(collection, pairs, adjudicator):
    factories.make_suggestions(collection, grade=1)
    Collection.objects.filter(pk=collection.pk).update(shows_suggestions_to_adjudicators=True)
    factories.adjudicate(adjudicator, pairs[UNRESOLVED], 2)
    _, manifest = factories.export_files(collection, completion.parse_rule("adjudicated"))

    assert list(manifest["raters"]) == ["model-a"]
