"""Judging through the API: next pair, judgment, skip, change, reveal and decision."""

import uuid

import pytest
from django.utils import timezone

from annotate.imports.operations import withdrawals
from annotate.models import Claim, Collection, Judgment
from annotate.work import engine
from tests import factories

pytestmark = pytest.mark.usefixtures("holes")
KEY = uuid.UUID("11111111-2222-4333-8444-555555555555")


def use_arm(collection, arm):
    shares = dict.fromkeys(["share_hidden", "share_shown", "share_reveal"], 0)
    Collection.objects.filter(pk=collection.pk).update(**{**shares, f"share_{arm}": 1})


def test_the_next_pair_is_claimed_with_all_that_one_needs_to_judge(assessor):
    told = assessor.post("next/").json()
    claim = Claim.objects.select_related("pair__topic").get(token=told["claim"])
    pair = told["pair"]
    assert (pair["query_id"], pair["passage_id"]) == (claim.pair.topic.query_id, claim.pair.passage_id)
    assert pair["query"] == f"what is {pair['query_id']}"
    assert pair["passage"] == f"the passage {pair['passage_id']} tells of {pair['query_id']}"
    assert pair["backstory"] is None
    assert [word["name"] for word in pair["grades"]][:2] == ["irrelevant", "related"]
    assert (pair["suggestion"], pair["is_suggestion_area"]) == (None, False)
    assert told["held_by_others"] == 0


def test_asking_again_gives_the_pair_that_is_held(assessor):
    assert assessor.post("next/").json()["claim"] == assessor.post("next/").json()["claim"]
    assert Claim.objects.count() == 1


def test_when_nothing_is_free_the_answer_says_what_others_hold(assessor, collection):
    for _ in range(6):
        factories.claim(factories.make_assessor(collection), now=timezone.now())
    told = assessor.post("next/").json()
    assert (told["claim"], told["pair"], told["held_by_others"]) == (None, None, 6)
    assert told["free_at"] == min(claim.expires_at for claim in Claim.objects.all()).isoformat().replace("+00:00", "Z")


def test_paused_judging_gives_no_pair_and_says_so(assessor, collection):
    Collection.objects.filter(pk=collection.pk).update(is_paused=True)
    told = assessor.post("next/").json()
    assert (told["pair"], told["is_paused"]) == (None, True)
    assert not Claim.objects.exists()


def test_a_pair_whose_text_is_withdrawn_is_not_given_again_and_its_judgment_is_kept(assessor, collection):
    claim = assessor.post("next/").json()["claim"]
    passages = collection.imported_files.get(kind="PASSAGES")
    engine.run(engine.claim(work_id=withdrawals.request_withdrawal(imported=passages, by=None, now=timezone.now()).pk))
    told = assessor.post("next/")
    assert (told.status_code, told.json()["pair"]) == (200, None)
    assert assessor.post("judgments/", {"claim": claim, "grade": 1}).status_code == 201
    assert Judgment.objects.get().is_extra


def test_what_was_claimed_before_a_pause_is_stored(assessor, collection):
    claim = assessor.post("next/").json()["claim"]
    Collection.objects.filter(pk=collection.pk).update(is_paused=True)
    assert assessor.post("judgments/", {"claim": claim, "grade": 1}).status_code == 201


def test_a_judgment_is_stored_as_it_was_sent(assessor):
    told = assessor.post("next/").json()
    said = {"grade": 2, "is_unsure": True, "comment": " a\n\tb ", "visible_ms": 1200, "wall_ms": 3400}
    answer = assessor.post("judgments/", {"claim": told["claim"], **said})
    assert answer.status_code == 201
    stored = Judgment.objects.get()
    assert {name: getattr(stored, name) for name in said} == said
    assert (stored.outcome, stored.reason, stored.arm) == ("GRADED", "", "HIDDEN")
    assert answer.json() == {
        "id": stored.pk,
        "query_id": told["pair"]["query_id"],
        "passage_id": told["pair"]["passage_id"],
        "outcome": "GRADED",
        "grade": 2,
        "reason": "",
        "is_unsure": True,
        "comment": " a\n\tb ",
        "version": 1,
        "judged_at": stored.created_at.isoformat().replace("+00:00", "Z"),
        "reveal": None,
    }


def test_cannot_judge_needs_a_reason_and_has_no_grade(assessor):
    claim = assessor.post("next/").json()["claim"]
    answer = assessor.post("judgments/", {"claim": claim, "reason": "another language"})
    assert (answer.status_code, answer.json()["outcome"], answer.json()["grade"]) == (201, "CANNOT", None)


@pytest.mark.parametrize("key", [None, KEY])
def test_a_repeated_save_is_one_judgment(assessor, key):
    body = {"claim": assessor.post("next/").json()["claim"], "grade": 1}
    first, again = assessor.post("judgments/", body, key=key), assessor.post("judgments/", body, key=key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.content == again.content
    assert Judgment.objects.count() == 1


@pytest.mark.postgresql
def test_the_same_key_with_another_grade_is_a_conflict_and_stores_nothing(assessor):
    claim = assessor.post("next/").json()["claim"]
    assessor.post("judgments/", {"claim": claim, "grade": 1}, key=KEY)
    again = assessor.post("judgments/", {"claim": claim, "grade": 3}, key=KEY)
    assert (again.status_code, again.json()["judgment"]["grade"]) == (409, 1)


def test_one_key_may_serve_two_pairs(assessor):
    for grade in (1, 2):
        claim = assessor.post("next/").json()["claim"]
        assert assessor.post("judgments/", {"claim": claim, "grade": grade}, key=KEY).status_code == 201
    assert sorted(Judgment.objects.values_list("grade", flat=True)) == [1, 2]


def test_another_answer_to_a_stored_pair_is_a_conflict_that_tells_the_stored_one(assessor):
    claim = assessor.post("next/").json()["claim"]
    stored = assessor.post("judgments/", {"claim": claim, "grade": 1}).json()
    answer = assessor.post("judgments/", {"claim": claim, "grade": 2}, key=KEY)
    assert answer.status_code == 409
    del stored["reveal"]
    assert answer.json() == {
        "detail": "This pair was saved before with another answer. Change that judgment instead.",
        "judgment": stored,
    }


@pytest.mark.parametrize(
    ("sent", "place", "reason"),
    [
        ({"grade": 4}, "grade", "4 is not a grade of this collection, whose scale is 0-3"),
        ({"grade": -1}, "grade", "-1 is not a grade of this collection, whose scale is 0-3"),
        ({"grade": 10**30}, "grade", f"{10**30} is not a grade of this collection, whose scale is 0-3"),
        ({"grade": 2.5}, "grade", "A valid integer is required."),
        ({"grade": True}, "grade", "A valid integer is required."),
        ({}, "body", "Send either a grade, or a reason why the pair cannot be judged."),
        ({"grade": 1, "reason": "no"}, "body", "Send either a grade, or a reason why the pair cannot be judged."),
        ({"grade": 1, "comment": "\0"}, "comment", "Null characters are not allowed."),
        ({"grade": 1, "visible_ms": 2**31}, "visible_ms", "Ensure this value is less than or equal to 2147483647."),
    ],
)
def test_what_cannot_be_stored_is_refused_by_name(assessor, sent, place, reason):
    claim = assessor.post("next/").json()["claim"]
    answer = assessor.post("judgments/", {"claim": claim, **sent})
    assert answer.status_code == 400
    assert answer.json()["faults"] == [{"place": place, "reason": reason}]
    assert not Judgment.objects.exists()


def test_a_body_that_is_no_object_is_refused(assessor):
    answer = assessor.post("judgments/", [1])
    assert answer.status_code == 400
    assert answer.json()["faults"][0]["place"] == "body"


def test_a_key_that_is_no_uuid_is_refused(assessor):
    answer = assessor.post("judgments/", {"claim": str(KEY), "grade": 1}, key="retry-1")
    assert answer.status_code == 400
    assert answer.json()["faults"] == [{"place": "Idempotency-Key", "reason": "not a UUID"}]


def test_another_person_s_claim_does_not_exist(assessor, collection):
    claim = factories.claim(factories.make_assessor(collection))
    answer = assessor.post("judgments/", {"claim": str(claim.token), "grade": 1})
    assert answer.status_code == 404
    assert answer.json() == {"detail": "There is no such claim or judgment of yours in this collection."}


def test_a_skipped_pair_goes_to_the_end_of_the_queue(assessor):
    first = assessor.post("next/").json()
    for _ in range(2):
        answer = assessor.post(f"claims/{first['claim']}/skip/")
        assert (answer.status_code, answer.content) == (204, b"")
    assert assessor.post("next/").json()["pair"]["passage_id"] != first["pair"]["passage_id"]
    assert assessor.get("progress/").json()["mine"]["skipped"] == 1


@pytest.mark.postgresql
def test_a_change_is_a_new_version_stored_once(assessor, membership):
    judgment = factories.judge(membership, 1)
    path = f"judgments/{judgment.pk}/change/"
    answers = [assessor.post(path, {"grade": 3}, key=KEY) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert answers[0].content == answers[1].content
    assert (answers[0].json()["grade"], answers[0].json()["version"]) == (3, 2)
    assert list(Judgment.objects.order_by("version").values_list("grade", "is_current")) == [(1, False), (3, True)]


def test_a_change_without_a_key_is_refused(assessor, membership):
    answer = assessor.post(f"judgments/{factories.judge(membership).pk}/change/", {"grade": 3})
    assert answer.status_code == 400
    assert answer.json()["faults"] == [{"place": "Idempotency-Key", "reason": "missing"}]


@pytest.mark.parametrize("action", ["change", "decide"])
def test_another_person_s_judgment_does_not_exist(assessor, collection, action):
    theirs = factories.judge(factories.make_assessor(collection))
    for judgment_id in (theirs.pk, theirs.pk + 1, 10**30):
        assert assessor.post(f"judgments/{judgment_id}/{action}/", {"grade": 3}, key=KEY).status_code == 404


def test_the_shown_arm_shows_the_suggestion_before_the_grade(assessor, collection):
    factories.make_suggestions(collection, grade=1, reason="says little")
    use_arm(collection, "shown")
    pair = assessor.post("next/").json()["pair"]
    assert pair["is_suggestion_area"]
    assert pair["suggestion"] == {"grade": 1, "probabilities": None, "reason": "says little", "rater": "model-a"}


@pytest.mark.postgresql
def test_after_a_reveal_the_decision_comes_first_and_the_first_one_stands(assessor, collection):
    factories.make_suggestions(collection, grade=1, reason="says little")
    use_arm(collection, "reveal")
    claim = assessor.post("next/").json()["claim"]
    told = assessor.post("judgments/", {"claim": claim, "grade": 3}).json()
    assert told["reveal"]["suggestion"]["grade"] == 1
    waiting = assessor.post("next/").json()
    assert (waiting["pair"], waiting["undecided"]) == (None, told)
    path = told["reveal"]["decide"].removeprefix(assessor.base)
    assert path == f"judgments/{told['id']}/decide/"

    assert assessor.post(path, {"grade": 4}).status_code == 400
    decided = assessor.post(path, {"grade": 2})
    assert (decided.status_code, decided.json()["grade"], decided.json()["reveal"]) == (200, 2, None)
    assert assessor.post(path, {"grade": 2}).status_code == 200
    late = assessor.post(path, {"grade": 0})
    assert (late.status_code, late.json()["judgment"]["grade"]) == (409, 2)
    assert Judgment.objects.values_list("first_grade", "grade").get() == (3, 2)


def test_there_is_nothing_to_decide_without_a_reveal(assessor, membership):
    assert assessor.post(f"judgments/{factories.judge(membership).pk}/decide/", {"grade": 1}).status_code == 404


@pytest.mark.parametrize("arm", ["hidden", "reveal"])
def test_before_the_grade_the_bytes_are_the_same_with_and_without_a_suggestion(assessor, collection, still_clock, arm):
    use_arm(collection, arm)
    before = assessor.post("next/").content
    factories.make_suggestions(collection, grade=3, reason="tell-tale words")
    other = factories.make_assessor(collection)
    factories.judge(other, 1, comment="of another person")
    assert assessor.post("next/").content == before


def test_in_the_hidden_arm_the_answer_to_the_save_has_nothing_of_the_suggestion(assessor, collection):
    factories.make_suggestions(collection, grade=3, reason="tell-tale words")
    claim = assessor.post("next/").json()["claim"]
    answer = assessor.post("judgments/", {"claim": claim, "grade": 0})
    assert answer.json()["reveal"] is None
    assert b"tell-tale" not in answer.content and b"model-a" not in answer.content
