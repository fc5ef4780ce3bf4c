import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.judging.queries import activity
from tests import factories


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL chooses by size: it scans a small table")
def test_what_is_undecided_is_found_without_walking_all_judgments():
    assessor = factories.make_assessor(factories.make_holes(factories.make_collection()))
    for _ in range(3):
        factories.judge(assessor)
    with CaptureQueriesContext(connection) as asked:
        assert activity.undecided_judgment(assessor) is None
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + asked[-1]["sql"])
        plan = " ".join(row[-1] for row in cursor.fetchall())
    assert "judgment_undecided (assessor_id=? AND decided_at=?)" in plan
