"""Which pairs people judge, as programs say it."""

import json
import time

import pytest

from annotate.draws import queries as draws_queries
from annotate.draws.operations import draws
from annotate.models import PairDraw
from annotate.work import engine
from tests import factories

pytestmark = pytest.mark.usefixtures("holes")


def named(*pairs, **more):
    return {"pairs": [dict(zip(("query_id", "passage_id"), pair.split(), strict=True)) for pair in pairs], **more}


@pytest.mark.postgresql
def test_a_sample_is_drawn_listed_told_in_full_and_ended(researcher, holes):
    model = factories.make_suggestions(holes)
    answer = researcher.post("pair-draws/sample/", {"number": 2, "seed": 3, "model": model.name})
    assert answer.status_code == 201
    drawn = answer.json()
    assert (drawn["kind"], drawn["size"], drawn["seed"], drawn["ended_at"]) == ("SAMPLE", 4, 3, None)
    assert [(t["query_id"], t["frame"], t["sample"]) for t in drawn["design"]["topics"]] == [("q1", 3, 2), ("q2", 3, 2)]
    assert drawn["design"]["model"]["rater"] == "model-a"
    (told,) = researcher.get("pair-draws/").json()
    assert told == {name: value for name, value in drawn.items() if name != "design"}
    assert researcher.get(f"pair-draws/{drawn['id']}/").json() == drawn
    ended = researcher.post("pair-draws/end/")
    assert (ended.status_code, ended.json()["id"], ended.json()["ended_at"] is None) == (200, drawn["id"], False)
    again = researcher.post("pair-draws/end/")
    assert (again.status_code, again.json()) == (409, {"detail": draws.NOTHING_IN_FORCE})


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({}, 400, draws_queries.SHARE_OR_NUMBER),
        ({"share": 2}, 400, "above 0 and at most 1"),
        ({"number": 2, "model": "nobody"}, 400, "no model rater named 'nobody'"),
        ({"number": 2, "model": "\0"}, 400, "cannot be read"),
        ({"number": 2, "seed": 2**63}, 400, "63 bits"),
        ({"number": 10**30}, 201, ""),
        ({"number": 2, "unit": "passage"}, 400, "cannot be read"),
        ({"number": 2, "depth": 11}, 201, ""),
        ([], 400, "cannot be read"),
    ],
)
def test_a_sample_that_is_none_is_refused_in_words(researcher, body, status, sentence):
    answer = researcher.post("pair-draws/sample/", body)
    assert answer.status_code == status
    assert sentence in answer.json().get("detail", "")
    assert PairDraw.objects.exists() == (status == 201)


def test_a_list_is_drawn_and_a_wrong_one_names_its_lines(researcher, holes):
    answer = researcher.post("pair-draws/list/", named("q2 d2.2", "q1 d1.1"))
    assert (answer.status_code, answer.json()["size"]) == (201, 2)
    assert answer.json()["design"]["pairs"] == [["q2", "d2.2"], ["q1", "d1.1"]]
    wrong = researcher.post("pair-draws/list/", named("q1 d1.1", "q1 d1.1", "q9 d1.1"))
    assert wrong.status_code == 400
    assert wrong.json()["faults"] == [
        {"place": "line 2", "reason": "passage 'd1.1' of topic 'q1' is on line 1 already"}
    ]
    assert researcher.post("pair-draws/list/", {"pairs": []}).status_code == 400


def test_reference_pairs_are_mixed_in_and_taken_out(researcher, holes):
    assert researcher.post("pair-draws/calibration/", {"number": 1}).status_code == 409
    factories.import_qrels(holes, "q1 0 d1.1 2\nq1 0 d1.2 0\n")
    answer = researcher.post("pair-draws/calibration/", {"number": 1})
    assert (answer.status_code, answer.json()["size"], answer.json()["kind"]) == (201, 2, "CALIBRATION")
    assert researcher.post("pair-draws/calibration/", {"number": 0}).status_code == 400
    assert researcher.post("pair-draws/calibration/end/").status_code == 200
    assert researcher.post("pair-draws/calibration/end/").status_code == 409


def test_pairs_are_added_withdrawn_and_restored(researcher, holes):
    factories.import_text(holes, "PASSAGES", "d9\tnine\n")
    assert researcher.post("pairs/add/", named("q1 d9")).json() == {"pooled": 1, "there": 0, "settled": 0}
    assert researcher.post("pairs/withdraw/", named("q1 d9")).json()["faults"][0]["place"] == "reason"
    done = researcher.post("pairs/withdraw/", named("q1 d9", reason="torn"))
    assert done.json() == {"changed": 1, "unchanged": 0, "drawn": 0}
    assert researcher.post("pairs/restore/", named("q1 d9", "q1 d1.1")).json()["unchanged"] == 1
    wrong = researcher.post("pairs/restore/", named("q1 none"))
    assert wrong.json()["faults"] == [{"place": "line 1", "reason": "passage 'none' of topic 'q1' is not in the pool"}]


def test_what_is_no_list_of_pairs_is_refused_by_its_place(researcher, holes):
    answer = researcher.post(
        "pairs/add/", {"pairs": [{"query_id": "q1", "passage_id": "d9"}, {"query_id": "q1"}, "q1"]}
    )
    assert answer.status_code == 400
    assert [fault["place"] for fault in answer.json()["faults"]] == ["pairs[1].passage_id", "pairs[2]"]
    assert answer.json()["faults"][0]["reason"] == "This field is required."


@pytest.mark.postgresql
def test_near_duplicates_are_looked_for_and_told_a_line_each(researcher, holes):
    factories.import_text(holes, "PASSAGES", "t1\tthe same words\nt2\tThe same words!\n")
    researcher.post("pairs/add/", named("q1 t1", "q1 t2"))
    answer = researcher.post("near-duplicates/find/")
    assert (answer.status_code, answer.json()) == (202, {"subject": "near-duplicate passages", "state": "QUEUED"})
    engine.run_waiting()
    lines = b"".join(researcher.get("near-duplicates/").streaming_content).splitlines()
    assert [json.loads(line) for line in lines] == [
        {"query_id": "q1", "passage_id": "t2", "duplicate_of": "t1", "grade": None}
    ]


@pytest.mark.parametrize("path", ["pair-draws/list/", "pairs/withdraw/"])
@pytest.mark.parametrize("record", [{}, {"query_id": 1}, "x"])
def test_a_list_of_many_bad_records_is_refused_at_its_hundredth_fault_in_a_second(researcher, path, record):
    begun = time.process_time()
    answer = researcher.post(path, {"pairs": [record] * 20_000})
    assert time.process_time() - begun < 1
    assert answer.status_code == 400
    faults = answer.json()["faults"]
    assert len(faults) == 100
    assert faults[0]["place"].startswith("pairs[0]")


def test_a_few_bad_records_are_all_named(researcher):
    answer = researcher.post("pair-draws/list/", {"pairs": [{"query_id": "q1"}] * 3})
    assert [fault["place"] for fault in answer.json()["faults"]] == [f"pairs[{at}].passage_id" for at in range(3)]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("pair-draws/list/", {"pairs": [{"query_id": "q1", "passage_id": "p"}], "unit": "\ud800"}),
        ("pair-draws/sample/", {"number": 2, "unit": "\udfff"}),
        ("pair-draws/sample/", {"number": 2, "model": "\ud800\ud800"}),
        ("pair-draws/sample/", {"number": 2, "\udc00": "of a name"}),
    ],
)
def test_half_of_a_character_in_any_field_is_a_bad_request(researcher, path, body):
    answer = researcher.post(path, body)
    assert answer.status_code == 400
    assert "half of a character" in answer.json()["detail"]


def test_both_halves_are_one_character(researcher):
    answer = researcher.post("pair-draws/sample/", {"number": 2, "model": "\U0001f600"})
    assert "no model rater named '\U0001f600'" in answer.json()["detail"]
