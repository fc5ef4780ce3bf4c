import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests import factories

pytestmark = pytest.mark.django_db


def run(collection, *arguments):
    stdout = io.StringIO()
    call_command("assessors", "--collection", collection.slug, *arguments, stdout=stdout)
    return stdout.getvalue()


def test_each_assessor_has_a_line_and_json_has_all(db):
    collection = factories.make_holes(factories.make_collection(target=2))
    people = [factories.make_assessor(collection) for _ in range(2)]
    for assessor in people:
        for grade in (0, 1):
            factories.judge(assessor, grade, visible_ms=2_000)
    words = " ".join(run(collection).split())
    assert "assessor-1 2 0 0 2 - 1 - assessor-2 2 0 0 2 - 1 -" in words
    told = json.loads(run(collection, "--json"))
    assert [each["pseudonym"] for each in told["assessors"]] == ["assessor-1", "assessor-2"]


@pytest.mark.postgresql
def test_nobody_has_judged_is_a_sentence():
    collection = factories.make_collection()
    with pytest.raises(CommandError, match="Nobody has judged yet."):
        run(collection)
