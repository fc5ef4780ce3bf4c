"""Who gets in: token or session, role by role. Every address of a collection is in the tables."""

import uuid

import pytest
from django.test import Client
from django.urls import get_resolver

from annotate.web import access
from tests import factories

TOKEN = uuid.UUID(int=1)
FOR_ANYONE = [("get", ""), ("get", "progress/")]
FOR_ASSESSORS = [
    ("post", "next/"),
    ("post", f"claims/{TOKEN}/skip/"),
    ("post", "judgments/"),
    ("post", "judgments/1/change/"),
    ("post", "judgments/1/decide/"),
]
FOR_ADJUDICATORS = [("get", "adjudication/"), ("get", "adjudication/1/")]
FOR_RESEARCHERS = [
    ("get", "batches/"),
    ("post", "batches/estimate/"),
    ("post", "batches/start/"),
    ("get", "batches/1/"),
    ("post", "batches/1/pause/"),
    ("post", "batches/1/resume/"),
    ("post", "batches/1/cancel/"),
    ("get", "pair-draws/"),
    ("get", "pair-draws/1/"),
    ("post", "pair-draws/sample/"),
    ("post", "pair-draws/list/"),
    ("post", "pair-draws/end/"),
    ("post", "pair-draws/calibration/"),
    ("post", "pair-draws/calibration/end/"),
    ("post", "pairs/add/"),
    ("post", "pairs/withdraw/"),
    ("post", "pairs/restore/"),
    ("get", "near-duplicates/"),
    ("post", "near-duplicates/find/"),
    ("get", "holes/"),
    ("post", "predictions/"),
    ("get", "completed-qrels/"),
    ("get", "judgments/export/"),
    ("get", "agreement/"),
    ("get", "agreement/details/"),
    ("get", "agreement/groups/"),
    ("get", "agreement/several/"),
    ("get", "assessors/"),
    ("get", "comparison/"),
    ("get", "influence/"),
    ("post", "influence/compute/"),
    ("get", "scores/"),
    ("get", "studies/"),
    ("post", "studies/start/"),
    ("get", "studies/1/"),
    ("post", "studies/1/again/"),
    ("post", "studies/1/stop/"),
    ("post", "studies/1/go-on/"),
    ("post", "studies/1/delete/"),
    ("get", "studies/1/study.zip"),
]
ALL = [*FOR_ANYONE, *FOR_ASSESSORS, *FOR_ADJUDICATORS, *FOR_RESEARCHERS]


def test_the_tables_name_every_address_of_a_collection():
    names = {key for key in get_resolver().reverse_dict if isinstance(key, str) and key.startswith("api_")}
    ours = names - {"api_docs", "api_collections"}
    assert len(ours) == len(ALL)


@pytest.mark.parametrize(("method", "path"), ALL)
def test_a_stranger_gets_404(stranger, method, path):
    answer = getattr(stranger, method)(path)
    assert answer.status_code == 404
    assert answer.json() == {"detail": "There is no such collection, or it is not yours."}


@pytest.mark.parametrize(("method", "path"), [entry for entry in ALL if entry[1] != "adjudication/1/"])
def test_another_method_gets_405(assessor, researcher, method, path):
    caller = researcher if (method, path) in [*FOR_RESEARCHERS, *FOR_ADJUDICATORS] else assessor
    answer = caller.post(path) if method == "get" else caller.get(path)
    assert answer.status_code == 405
    assert "not allowed" in answer.json()["detail"]


@pytest.mark.parametrize(("method", "path"), FOR_RESEARCHERS)
def test_an_assessor_gets_403_where_researchers_work(assessor, method, path):
    answer = getattr(assessor, method)(path)
    assert answer.status_code == 403
    assert answer.json() == {"detail": "Only researchers of this collection see this."}


@pytest.mark.parametrize(("method", "path"), [*FOR_ADJUDICATORS, ("post", "adjudication/1/")])
def test_an_assessor_gets_403_where_adjudicators_decide(assessor, method, path):
    answer = getattr(assessor, method)(path)
    assert answer.status_code == 403
    assert answer.json() == {"detail": "Only adjudicators and researchers of this collection see this."}


@pytest.mark.parametrize(("method", "path"), FOR_ASSESSORS)
def test_a_researcher_gets_403_where_assessors_judge(researcher, method, path):
    answer = getattr(researcher, method)(path)
    assert answer.status_code == 403
    assert answer.json() == {"detail": access.ONLY_ASSESSORS}


@pytest.mark.parametrize(("method", "path"), ALL)
def test_nobody_gets_401(collection, method, path):
    answer = getattr(Client(), method)(f"/api/v1/collections/{collection.slug}/{path}")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Token"


def test_a_role_that_ended_opens_nothing(assessor, membership):
    membership.is_active = False
    membership.save()
    assert assessor.post("next/").status_code == 404


def test_a_deactivated_person_s_token_opens_nothing(assessor, membership):
    membership.user.is_active = False
    membership.user.save()
    assert assessor.post("next/").status_code == 401


def test_a_first_password_is_changed_before_a_token_opens_anything(assessor, membership):
    membership.user.must_change_password = True
    membership.user.save()
    for path in ["", "progress/"]:
        answer = assessor.get(path)
        assert answer.status_code == 403
        assert answer.json() == {"detail": "Change your first password on the site before you use the API."}


def test_a_session_reads_and_writes_with_the_csrf_token_only(membership, collection):
    client = Client(enforce_csrf_checks=True)
    client.force_login(membership.user)
    address = f"/api/v1/collections/{collection.slug}/"
    assert client.get(address).status_code == 200

    refused = client.post(address + "next/", content_type="application/json")
    assert refused.status_code == 403
    assert refused.json()["detail"].startswith("CSRF Failed")

    token = client.get("/api/docs/?script=").wsgi_request.META["CSRF_COOKIE"]
    answer = client.post(address + "next/", content_type="application/json", headers={"X-CSRFToken": token})
    assert answer.status_code == 200


def test_what_is_no_json_is_refused_in_words(assessor):
    answer = assessor.client.post(assessor.base + "judgments/", "grade=2", content_type="text/csv")
    assert answer.status_code == 415
    assert 'Unsupported media type "text/csv"' in answer.json()["detail"]


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b'{"grade": NaN}', b""])
def test_a_body_that_cannot_be_read_gets_400(assessor, body):
    answer = assessor.client.post(assessor.base + "judgments/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_a_body_without_end_gets_413(assessor):
    body = b'{"comment": "' + b"a" * 300_000
    answer = assessor.client.post(assessor.base + "judgments/", body, content_type="application/json")
    assert answer.status_code == 413
    assert answer.json() == {"detail": "The body is larger than 256 KiB; send it in parts."}


def test_a_person_sees_only_the_collections_of_an_own_role(assessor, stranger):
    factories.make_collection("not-mine")
    mine = assessor.client.get("/api/v1/collections/").json()
    assert [c["slug"] for c in mine] == [assessor.base.split("/")[-2]]
    assert assessor.base.split("/")[-2] not in stranger.client.get("/api/v1/collections/").content.decode()
