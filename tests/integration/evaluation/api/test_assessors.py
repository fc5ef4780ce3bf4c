import pytest

from annotate.work import engine
from evaluation import web
from tests import factories


@pytest.mark.postgresql
def test_statistics_are_null_with_a_reason_until_they_are_computed(researcher, collection):
    assessor = factories.make_assessor(collection)
    for grade in (1, None):
        factories.judge(assessor, grade)
    told = researcher.get("assessors/").json()
    assert told["statistics"] is None
    assert told["reason"] == {"statistics": web.BEING_COMPUTED}
    engine.run_waiting()
    told = researcher.get("assessors/").json()
    assert (told["is_stale"], told["statistics"]["judgments"]) == (False, 2)
    (mine,) = told["statistics"]["assessors"]
    assert (mine["pseudonym"], mine["judged"], mine["cannot"]) == (assessor.pseudonym, 2, 1)
    assert (mine["others"]["kappa"], mine["others"]["reason"]["kappa"]) == (None, "no pair was graded by both")
    assert (mine["sittings"][0]["judged"], mine["sittings"][0]["mean_grade"]) == (2, 1.0)


def test_only_researchers_are_told(assessor, stranger):
    assert assessor.get("assessors/").status_code == 403
    assert stranger.get("assessors/").status_code == 404
