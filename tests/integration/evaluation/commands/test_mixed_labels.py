"""`manage.py mixed_labels --collection`: the sample that draw_sample recorded."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def run(*arguments):
    stdout = io.StringIO()
    try:
        call_command("mixed_labels", *arguments, stdout=stdout)
    except CommandError as error:
        return error.returncode, stdout.getvalue() or str(error)
    return 0, stdout.getvalue()


@pytest.mark.postgresql
def test_from_draw_sample_to_intervals_in_a_shell():
    collection = factories.make_holes(factories.make_collection(), topics=2, passages=4)
    factories.make_suggestions(collection)
    call_command("draw_sample", "--collection", collection.slug, "--number", "2", "--model", "model-a")
    code, told = run("--collection", collection.slug, "--json")
    assert (code, json.loads(told)["unanswered"]) == (1, {"open": 4})
    collection.refresh_from_db()
    assessor = factories.make_assessor(collection)
    for grade in (2, 0, 1, 3):
        factories.judge(assessor, grade, NOW)
    code, told = run("--collection", collection.slug, "--json")
    (system,) = json.loads(told)["systems"]
    assert code == 0 and system["low"] < system["value"] < system["high"]
    assert run("--collection", collection.slug, "--draw", "99")[0] == 2
    assert run("--collection", "none-such")[0] == 2
