"""`manage.py verify`: each kind of damage is found, named, and repaired where it follows from something else."""

import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from annotate.exports import operations as exports_operations
from annotate.models import Collection, Export, ImportedFile, Judgment, Membership, Pair, Run
from annotate.rules import completion
from annotate.work import kept_files
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def collection():
    """Two people judged three pairs, which are adjudicated, exported and measured."""
    made, pairs = factories.make_judged([2, 3, 0], [2, 1, 1], slug="dl")
    factories.decide(pairs[1], 2)
    rule = completion.parse_rule("adjudicated,people")
    exports_operations.freeze(collection=made, rule=rule, by=None, now=factories.NOW)
    verify(repair=True)  # `decide` writes the row alone
    return made


def verify(repair: bool = False) -> tuple[int, list[tuple[str, str, bool]]]:
    """The exit code, and of each flaw its place, what is wrong and whether it was repaired."""
    out, code = io.StringIO(), 0
    try:
        call_command("verify", repair=repair, json=True, stdout=out, stderr=io.StringIO())
    except CommandError as error:
        code = error.returncode
    return code, [tuple(flaw.values()) for flaw in json.loads(out.getvalue())["flaws"]]


def test_nothing_is_wrong_with_what_was_just_written(collection):
    before = list(Pair.objects.order_by("pk").values())
    assert verify() == (0, [])
    assert verify(repair=True) == (0, [])
    assert list(Pair.objects.order_by("pk").values()) == before


def spoil_counter(collection):
    Collection.objects.filter(pk=collection.pk).update(pairs_open=7)
    return "pairs_open is stored as 7, a recount gives 0"


def spoil_person(collection):
    Membership.objects.filter(collection=collection, role="ASSESSOR").update(judged=9)
    return "judged is stored as 9, a recount gives 3"


def spoil_pair(collection):
    Pair.objects.filter(collection=collection).update(consensus_grade=0, spread=3)
    return "consensus_grade is 2"


def spoil_version(collection):
    first = Judgment.objects.order_by("pk").first()
    fields = {field.attname: getattr(first, field.attname) for field in Judgment._meta.concrete_fields}
    later = {"id": None, "version": 2, "is_current": False, "key": "00000000-0000-0000-0000-000000000002", "grade": 1}
    Judgment.objects.create(**{**fields, **later, "first_grade": 1})
    return "version 1 is in force, the last is 2"


def spoil_run(collection):
    path = kept_files.path(Run.objects.get().path)
    path.write_bytes(path.read_bytes()[:-3])
    return "gone or damaged"


def lose_run(collection):
    kept_files.path(Run.objects.get().path).unlink()
    return "gone or damaged"


@pytest.mark.parametrize("spoil", [spoil_counter, spoil_person, spoil_pair, spoil_version, spoil_run, lose_run])
def test_what_follows_from_something_else_is_named_and_repaired(spoil, collection):
    expected = spoil(collection)
    code, found = verify()
    assert code == 1
    assert any(expected in what for _, what, _ in found), found
    assert not any(repaired for *_, repaired in found)
    code, found = verify(repair=True)
    assert code == 0
    assert found
    assert all(repaired for *_, repaired in found)
    assert verify() == (0, [])


def test_the_last_version_is_in_force_again_and_its_pair_follows_it(collection):
    spoil_version(collection)
    verify(repair=True)
    changed = Judgment.objects.get(version=2)
    assert changed.is_current
    assert Judgment.objects.filter(pair=changed.pair, assessor=changed.assessor, is_current=True).count() == 1
    assert changed.pair.spread == 1


def lose_version(collection):
    first = Judgment.objects.order_by("pk").first()
    Judgment.objects.filter(pk=first.pk).update(version=2)
    return "rows are gone"


def spoil_import(collection):
    path = kept_files.path(ImportedFile.objects.filter(kind="RUN").get().path)
    path.write_bytes(path.read_bytes().replace(b"run", b"ruin", 1) + b" ")
    return "its SHA-256 is another"


def lose_import(collection):
    kept_files.path(ImportedFile.objects.filter(kind="TOPICS").get().path).unlink()
    return "is gone"


def spoil_export(collection):
    (kept_files.path(Export.objects.get().path) / "provenance.jsonl").write_bytes(b"")
    return "is not what was frozen"


@pytest.mark.parametrize("spoil", [lose_version, spoil_import, lose_import, spoil_export])
def test_what_follows_from_nothing_is_named_and_left(spoil, collection):
    expected = spoil(collection)
    for repair in (False, True):
        code, found = verify(repair=repair)
        assert code == 1
        assert [what for _, what, _ in found if expected in what], found


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL refuses such a row")
@pytest.mark.django_db(transaction=True)
def test_a_row_that_names_no_row_is_found(collection):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("UPDATE annotate_pair SET topic_id = 999999 WHERE id = (SELECT min(id) FROM annotate_pair)")
        cursor.execute("PRAGMA foreign_keys = ON")
    code, found = verify(repair=True)
    assert code == 1
    assert any("names a row of annotate_topic that is not there" in what for _, what, _ in found)


def test_people_are_told_in_a_sentence(collection):
    out, err = io.StringIO(), io.StringIO()
    call_command("verify", stdout=out, stderr=err)
    assert out.getvalue().startswith("Nothing is wrong")
    spoil_counter(collection)
    with pytest.raises(CommandError, match="Not everything"):
        call_command("verify", stdout=out, stderr=err)
    assert "collection dl: pairs_open is stored as 7" in err.getvalue()
    assert "1 found, 0 repaired, 1 left." in out.getvalue()
