"""Completed qrels: one line a pair, the same bytes for the same facts, and where each grade comes from."""

import json

import pytest

from annotate.operations import exporting
from annotate.queries import completed_qrels, kept_files
from annotate.rules import completion
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    collection = factories.make_holes(factories.make_collection())
    factories.import_qrels(collection, "q1 0 d1.1 0\nq1 0 d1.2 -1\nq2 0 d2.1 -2\n")
    factories.make_suggestions(collection, grade=3, reason="because")
    factories.judge(factories.make_assessor(collection), 2, comment='a,"b"\nc')
    return collection


def freeze(collection, rule="reference,people,model:model-a"):
    return exporting.freeze(collection=collection, rule=completion.parse(rule), by=None, now=NOW)


def read(export, name):
    return (kept_files.path(export.path) / name).read_bytes()


def test_each_pair_has_one_line_from_its_strongest_source(collection):
    lines = read(freeze(collection), "qrels.txt").decode().splitlines()
    grades = {tuple(line.split()[::2]): int(line.split()[3]) for line in lines}
    assert len(lines) == len(grades) == 6
    assert grades["q1", "d1.1"] == 0
    assert grades["q2", "d2.1"] == -2
    assert sorted(grades.values()) == [-2, 0, 2, 3, 3, 3]


def test_holes_are_left_out_and_never_0(collection):
    export = freeze(collection, "reference,people")
    assert export.manifest["lines"] == 3
    assert export.manifest["holes_left"] == 3


def test_the_manifest_adds_up(collection):
    manifest = freeze(collection).manifest
    assert manifest["by_source"] == {"reference": 2, "people": 1, "model:model-a": 3}
    assert sum(manifest["by_grade"].values()) == manifest["lines"] == 6
    assert manifest["by_source_and_grade"]["model:model-a"] == {"3": 3}


def test_provenance_tells_every_judgment_and_the_models_reason(collection):
    records = [json.loads(line) for line in read(freeze(collection), "provenance.jsonl").splitlines()]
    judged = next(record for record in records if record["source"] == "people")
    assert judged["judgments"][0]["comment"] == 'a,"b"\nc'
    assert judged["judgments"][0]["assessor"] == "assessor-1"
    modelled = next(record for record in records if record["source"] == "model:model-a")
    assert modelled["suggestion"]["reason"] == "because"


def test_the_same_facts_give_the_same_bytes_and_the_same_version(collection):
    first, second = freeze(collection), freeze(collection)
    assert first == second
    assert (
        exporting.build(collection, completion.parse("reference,people"))[0]
        == (exporting.build(collection, completion.parse("reference,people"))[0])
    )


def test_a_frozen_version_stays_as_it_was(collection):
    first = freeze(collection)
    before = read(first, "qrels.txt")
    factories.judge(factories.make_assessor(collection), 0)
    second = freeze(collection)
    assert (first.number, second.number) == (1, 2)
    assert read(first, "qrels.txt") == before
    assert first.digest != second.digest


def test_a_rule_that_leaves_nothing_says_so_with_counts():
    with pytest.raises(exporting.NothingToExport, match="0 reference grades in force, 0 judgments"):
        freeze(factories.make_collection(), "people")


def test_a_model_that_is_not_there_is_named(collection):
    with pytest.raises(completed_qrels.NoSuchRater, match="'nobody'"):
        freeze(collection, "model:nobody")


def test_an_exported_file_comes_back_as_it_was(collection):
    content = read(freeze(collection), "qrels.txt")
    factories.import_qrels(collection, content.decode(), rater="again")
    again = collection.raters.get(name="again")
    lines = sorted(
        f"{q} 0 {p} {g}"
        for q, p, g in again.reference_grades.values_list("pair__topic__query_id", "pair__passage_id", "grade")
    )
    assert "\n".join(lines) + "\n" == content.decode()
