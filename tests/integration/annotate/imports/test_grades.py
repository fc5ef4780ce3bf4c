"""Model grades from files: a rater each, rows without a grade, and what the collection lacks."""

import io
import json
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from annotate.grades import completed_qrels, model_raters, ratings
from annotate.imports.kinds import file_kind
from annotate.imports.operations import uploads, withdrawals
from annotate.models import Pair, Rater, Suggestion
from annotate.work import engine
from tests import factories
from tests.factories import NOW, import_qrels, import_text

pytestmark = pytest.mark.django_db
TABLE = "qid,docid,nist,gpt-4o|basic,llama|basic\nq1,d1,3,2,\nq1,d2,3,9,1\nq9,d1,3,1,1\nq1,d9,3,1,1\n"


@pytest.fixture
def collection():
    made = factories.make_collection()
    import_text(made, "TOPICS", "q1\tfirst\nq2\tsecond\n")
    import_text(made, "PASSAGES", "d1\tone\nd2\ttwo\n")
    import_qrels(made, "q2 0 bare 1\nq2 0 d1 3\n")
    made.refresh_from_db()
    return made


def grades_of(name):
    rows = Suggestion.objects.filter(rater__name=name).order_by("pair__topic__query_id", "pair__passage_id")
    return [(row.pair.topic.query_id, row.pair.passage_id, row.state, row.grade) for row in rows]


def test_each_column_is_a_rater_and_what_is_no_grade_is_counted(collection):
    imported = import_text(collection, "GRADES", TABLE, "table.csv")
    assert (imported.state, imported.added, imported.unchanged, imported.left_out) == ("PUBLISHED", 4, 0, 4)
    assert imported.note == (
        "2 of them without a grade: missing, unread or off the scale. 4 left out: of pairs that the collection lacks."
    )
    assert grades_of("gpt-4o|basic") == [("q1", "d1", "DONE", 2), ("q1", "d2", "UNPARSED", None)]
    assert grades_of("llama|basic") == [("q1", "d1", "EMPTY", None), ("q1", "d2", "DONE", 1)]
    told = Rater.objects.get(name="llama|basic")
    assert (told.kind, told.judge, told.parameters) == ("MODEL", "imported", {"model": "llama", "prompt_name": "basic"})


def test_a_pair_needs_a_text_or_to_be_there(collection):
    imported = import_text(collection, "GRADES", "q2 0 bare 3\nq1 0 bare 3\n", "m.qrels", rater="m")
    assert (imported.added, imported.left_out) == (1, 1)
    assert not Pair.objects.filter(topic__query_id="q1", passage_id="bare").exists()


def judged():
    """24 pooled pairs, 12 of them judged."""
    made = factories.make_holes(factories.make_collection(), topics=3, passages=8)
    import_qrels(made, "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 5)))
    return made


def test_the_calibrated_judge_learns_from_the_one_model_of_a_file():
    made = judged()
    lines = "".join(f"q{t} 0 d{t}.{p} {(p + t) % 4}\n" for t in (1, 2, 3) for p in range(1, 9))
    import_text(made, "GRADES", lines, "m.qrels")
    import_text(made, "GRADES", lines, "again.qrels", rater="m")
    engine.run_waiting()
    (version,) = model_raters.list_versions(made)
    assert (version.judge, [model["name"] for model in version.parameters["models"]]) == ("calibrated", ["m"])
    assert str(completed_qrels.usual_rule(made)).endswith("model:calibrated-1")


def test_which_of_several_models_of_a_file_it_should_learn_from_is_for_people_to_say():
    made = judged()
    import_text(made, "GRADES", "qid,docid,gpt|basic,llama|basic\nq1,d1.1,2,1\nq1,d1.8,2,1\n", "table.csv")
    engine.run_waiting()
    assert list(model_raters.list_versions(made)) == []


@pytest.mark.postgresql
def test_a_stopgap_of_umbrela_gives_no_grade_and_its_texts_name_the_pair(collection):
    rows = [
        {"query": "second", "passage": "one", "judgment": 0, "result_status": 0, "prediction": "Who knows?"},
        {"query": "second", "passage": "unknown", "judgment": 1, "result_status": 1, "prediction": "1"},
        {"query_id": "q1", "docid": "d1", "judgment": 3, "result_status": 1, "prediction": "##final score: 3"},
    ]
    text = "".join(json.dumps({"model": "gpt-4o", "prompt": "P\nP", **row}) + "\n" for row in rows)
    imported = import_text(collection, "GRADES", text, "judged.jsonl")
    assert (imported.added, imported.left_out) == (2, 1)
    assert grades_of("gpt-4o") == [("q1", "d1", "DONE", 3), ("q2", "d1", "UNPARSED", None)]
    assert Suggestion.objects.get(grade=3).answer == "##final score: 3"


def test_two_passages_that_say_the_same_are_not_told_apart_by_their_text(collection):
    import_text(collection, "PASSAGES", "twin\tone\n")
    import_text(collection, "QRELS", "q2 0 twin 1\n", rater="nist", rater_kind="REFERENCE")
    row = {"query": "second", "passage": "one", "judgment": 2}
    assert import_text(collection, "GRADES", json.dumps(row), "j.jsonl").left_out == 1


def test_probabilities_stay_with_the_grade(collection):
    text = "topic_id,doc_id,annotation,prob_0,prob_1,prob_2,prob_3\nq1,d1,0,0.1,0.1,0.7,0.1\n"
    import_text(collection, "GRADES", text, "llama.csv.gz")
    assert ratings.model_probabilities(Rater.objects.get(name="llama")) == {("q1", "d1"): [0.1, 0.1, 0.7, 0.1]}


def test_grades_that_differ_from_before_refuse_the_file_and_the_same_ones_add_nothing(collection):
    import_text(collection, "GRADES", "q1 0 d1 2\n", "a.qrels", rater="m")
    again = import_text(collection, "GRADES", "q1 0 d1 2\nq1 0 d2 2\n", "b.qrels", rater="m")
    assert (again.added, again.unchanged) == (1, 1)
    other = import_text(collection, "GRADES", "q1 0 d1 3\n", "c.qrels", rater="m")
    assert other.faults == ["c.qrels, line 1: m said '2' of passage 'd1' of topic 'q1' before, here '3'"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rater": "nist"}, "is a reference in this collection"),
        ({"rater": "a,b"}, "without a comma"),
        ({"format": "xml"}, "Formats are qrels"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_kept(collection, options, sentence):
    with pytest.raises(uploads.WrongOptions, match=sentence):
        import_text(collection, "GRADES", TABLE, **options)


def test_one_name_for_several_models_is_refused(collection):
    imported = import_text(collection, "GRADES", TABLE, "table.csv", rater="m")
    assert imported.state == "REFUSED"
    assert "llama|basic after gpt-4o|basic: leave the rater's name out" in imported.faults[0]
    assert not Suggestion.objects.exists()


@pytest.mark.parametrize(
    ("head", "sentence"),
    [("x,y|z", "no name of a rater"), ("people|", "names grades of the collection"), ("nist|", "has other grades")],
)
def test_a_model_whose_name_cannot_be_a_raters_is_refused(collection, head, sentence):
    imported = import_text(collection, "GRADES", f'qid,docid,"{head}"\nq1,d1,2\n', "t.csv")
    assert sentence in imported.faults[0]


def test_a_file_of_too_many_models_is_refused(collection):
    heads = ",".join(f"m{number}|" for number in range(201))
    imported = import_text(collection, "GRADES", f"qid,docid,{heads}\nq1,d1{',1' * 201}\n", "t.csv")
    assert "more than 200 models" in imported.faults[0]


def test_a_reading_that_died_goes_on_and_counts_each_row_once(collection, monkeypatch):
    monkeypatch.setattr(file_kind, "BATCH", 2)
    imported = uploads.receive(
        collection=collection, kind="GRADES", name="t.csv", chunks=[TABLE.encode()], options={}, by=None, now=NOW
    )
    leased = engine.claim(work_id=imported.work_id)
    steps = uploads.run(leased)
    while next(steps).note != "storing":
        pass
    leased.cursor = 2
    list(uploads.run(leased))
    imported.refresh_from_db()
    assert (imported.added, imported.unchanged, imported.left_out) == (4, 0, 4)


@pytest.mark.postgresql
def test_a_withdrawn_file_takes_its_grades_with_it(collection):
    imported = import_text(collection, "GRADES", TABLE, "table.csv")
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=NOW)
    assert ratings.model_grades(Rater.objects.get(name="llama|basic")) == {}
    engine.run(engine.claim(work_id=queued.pk))
    assert not Suggestion.objects.exists()


def test_the_command_imports_and_tells_what_was_left_out(collection, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    said = io.StringIO()
    call_command("import_labels", str(path), "--collection", collection.slug, "--json", stdout=said)
    [told] = json.loads(said.getvalue())["files"]
    assert (told["added"], told["left_out"], told["state"]) == (4, 4, "PUBLISHED")
    with pytest.raises(CommandError) as again:
        call_command("import_labels", str(path), "--collection", collection.slug)
    assert again.value.returncode == 1
    with pytest.raises(CommandError) as bad:
        call_command("import_labels", str(path), "--collection", collection.slug, "--format", "qrels", "--rater", "m")
    assert bad.value.returncode == 2


def test_suggestions_after_judging_leave_judgments_and_progress_alone(db):
    collection, [pair] = factories.make_judged([2])
    import_text(collection, "GRADES", f"{pair.topic.query_id} 0 {pair.passage_id} 0\n", "m.qrels", rater="m")
    pair.refresh_from_db()
    assert (pair.consensus_grade, pair.counted) == (2, 1)
    assert Counter(pair.judgments.values_list("grade")) == {(2,): 1}
