"""Studies by the API: asked for, watched, taken home, and for researchers of the collection alone."""

import io
import zipfile

import pytest
from drf_spectacular.generators import SchemaGenerator

from annotate.work import engine
from evaluation.models import Study
from tests.integration.evaluation import study_site

LONG = "x" * 20_000
WISH = {"kind": "HOLES", "plan": study_site.PLAN}


@pytest.fixture
def collection(db):
    return study_site.make()


@pytest.mark.postgresql
def test_one_is_started_watched_and_taken_home(researcher):
    assert researcher.get("studies/").json() == []
    answer = researcher.post("studies/start/", WISH | {"title": "Half away"})
    assert answer.status_code == 202
    told = answer.json()
    assert (told["number"], told["title"], told["state"], told["done"]) == (1, "Half away", "QUEUED", 0)
    told = researcher.get("studies/1/").json()
    assert (told["result"], told["reason"]) == (None, {"result": "the study is waiting"})
    refused = researcher.get("studies/1/study.zip")
    assert (refused.status_code, refused.json()["detail"]) == (409, "The study is waiting: it has found nothing yet.")
    engine.run_waiting()
    told = researcher.get("studies/1/").json()
    assert (told["state"], told["plan"]["trials"], told["manifest"]["kind"]) == ("DONE", 3, "HOLES")
    assert told["result"]["systems"] == study_site.SYSTEMS
    archive = researcher.get("studies/1/study.zip")
    assert archive.headers["Content-Type"] == "application/zip"
    assert "result.json" in zipfile.ZipFile(io.BytesIO(archive.content)).namelist()
    assert [study["number"] for study in researcher.get("studies/").json()] == [1]


@pytest.mark.postgresql
def test_it_is_stopped_taken_up_run_again_and_deleted(researcher):
    researcher.post("studies/start/", WISH)
    assert researcher.post("studies/1/stop/").json()["state"] == "STOPPED"
    assert researcher.post("studies/1/go-on/").json()["state"] == "QUEUED"
    assert researcher.post("studies/1/again/").json()["number"] == 1
    assert researcher.post("studies/1/delete/").status_code == 204
    assert researcher.get("studies/1/").status_code == 404


@pytest.mark.parametrize(
    ("wish", "status", "sentence"),
    [
        ({"kind": "TEA"}, 400, "cannot be read"),
        ({}, 400, "cannot be read"),
        (WISH | {"plan": []}, 400, "cannot be read"),
        (WISH | {"plan": {"trials": 0}}, 400, "trials"),
        (WISH | {"plan": {"tea": 1}}, 400, "no 'tea'"),
        (WISH | {"plan": {"reference": "nobody"}}, 409, "nobody"),
        (WISH | {"plan": {"reference": "a\x00b"}}, 400, "NUL"),
        (WISH | {"plan": {"reference": "a\ud800"}}, 400, "half of a character"),
        ({"kind": "SOURCES", "plan": {}}, 400, "model"),
        ({"kind": "MIXED"}, 409, "Intervals need a random sample that was recorded before people judged it"),
        ({"kind": "PROFILES"}, 409, "It needs query variants"),
    ],
)
def test_what_cannot_be_studied_has_its_sentence(researcher, wish, status, sentence):
    answer = researcher.post("studies/start/", wish)
    assert (answer.status_code, sentence in answer.json()["detail"]) == (status, True), answer.json()
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("kind", "plan"),
    [
        ("HOLES", {"reference": LONG}),
        ("HOLES", {"systems": [LONG]}),
        ("HOLES", {"fillers": [f"model:{LONG}"]}),
        ("HOLES", {LONG: 1}),
        ("SOURCES", {"model": LONG}),
        ("SOURCES", {"model": "gpt", "people": LONG}),
    ],
)
def test_no_sentence_repeats_at_length_what_was_sent(researcher, kind, plan):
    answer = researcher.post("studies/start/", {"kind": kind, "plan": plan})
    assert answer.status_code in (400, 409)
    assert len(answer.json()["detail"]) < 400


def test_nobody_else_sees_or_starts_one(researcher, assessor, stranger):
    researcher.post("studies/start/", WISH)
    for caller, status in ((assessor, 403), (stranger, 404)):
        for path in ("studies/", "studies/1/", "studies/1/study.zip"):
            assert caller.get(path).status_code == status
        for path in ("start/", "1/again/", "1/stop/", "1/go-on/", "1/delete/"):
            assert caller.post(f"studies/{path}", WISH).status_code == status
    assert Study.objects.count() == 1


def test_the_description_of_the_api_tells_the_plan_of_each_kind():
    schemas = SchemaGenerator().get_schema(public=True)["components"]["schemas"]
    told = {each["$ref"].rpartition("/")[2] for each in schemas["StudyInput"]["properties"]["plan"]["anyOf"]}
    assert told == {"HolesPlan", "ProfilesPlan", "SourcesPlan", "MixedPlan"}
    trials = schemas["HolesPlan"]["properties"]["trials"]
    assert (trials["type"], trials["minimum"], trials["maximum"], trials["default"]) == ("integer", 1, 1000, 20)
