"""Completed qrels: one line a pair, the same bytes for the same facts, and where each grade comes from."""

import json
import threading

import pytest
from django.db import connection

from annotate.exports import operations as exports_operations
from annotate.grades import completed_qrels
from annotate.models import Judgment, PairDraw
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.work import kept_files
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db

JUDGMENT = {
    "assessor",
    "outcome",
    "grade",
    "first_grade",
    "is_unsure",
    "comment",
    "reason",
    "is_extra",
    "version",
    "arm",
    "is_suggestion_seen",
    "suggestion",
    "suggested_by",
    "revealed_at",
    "decided_at",
    "backstory_version",
    "guidelines_version",
    "claim",
    "claimed_at",
    "judged_at",
    "shown_at",
    "visible_ms",
    "wall_ms",
    "was_cut",
    "sitting",
    "sitting_position",
    "order",
    "order_seed",
    "order_key",
    "stratum",
    "frame_version",
    "draw_probability",
    "pair_draw",
    "is_calibration",
}


@pytest.fixture
def collection():
    collection = factories.make_holes(factories.make_collection())
    factories.import_qrels(collection, "q1 0 d1.1 0\nq1 0 d1.2 -1\nq2 0 d2.1 -2\n")
    factories.make_suggestions(collection, grade=3, reason="because")
    factories.judge(factories.make_assessor(collection), 2, comment='a,"b"\nc')
    return collection


def freeze(collection, rule="reference,people,model:model-a", **said):
    return exports_operations.freeze(collection=collection, rule=completion.parse_rule(rule), by=None, now=NOW, **said)


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


def test_holes_are_written_as_minus_1_where_asked_for_and_the_version_is_another(collection):
    without, with_holes = (
        freeze(collection, "reference,people"),
        freeze(collection, "reference,people", with_holes=True),
    )
    lines = read(with_holes, "qrels.txt").decode().splitlines()
    assert len(lines) == 6
    assert lines == sorted(lines)
    assert [line.split()[3] for line in lines].count("-1") == 3
    assert (without.manifest["holes_written"], with_holes.manifest["holes_written"]) == (0, 3)
    assert (with_holes.manifest["lines"], "-1" in with_holes.manifest["by_grade"]) == (3, False)
    assert (without.number, with_holes.number) == (1, 2)
    assert with_holes == freeze(collection, "reference,people", with_holes=True)


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


def test_a_judgment_tells_who_when_under_which_claim_and_how_its_pair_was_drawn(collection):
    judgment = Judgment.objects.get()
    records = [json.loads(line) for line in read(freeze(collection), "provenance.jsonl").splitlines()]
    (told,) = next(record["judgments"] for record in records if record["source"] == "people")
    assert set(told) == JUDGMENT
    assert (told["claim"], told["claimed_at"]) == (str(judgment.claim.token), NOW.isoformat().replace("+00:00", "Z"))


def test_the_manifest_tells_the_draws_that_judgments_name(collection):
    assert freeze(collection).manifest["pair_draws"] == {}
    draw = PairDraw.objects.create(
        collection=collection, kind="SAMPLE", seed=3, size=2, frame_version=1, design={"q1": [3, 2]}, created_at=NOW
    )
    Judgment.objects.update(pair_draw=draw)
    told = freeze(collection).manifest["pair_draws"]
    assert told[str(draw.pk)]["design"] == {"q1": [3, 2]}
    records = [json.loads(line) for line in read(freeze(collection), "provenance.jsonl").splitlines()]
    (judgment,) = next(record["judgments"] for record in records if record["source"] == "people")
    assert (judgment["pair_draw"], judgment["is_calibration"]) == (draw.pk, False)


def test_the_manifest_tells_the_model_and_the_files_behind_each_rater(collection):
    parameters = {"learned_from": "0" * 64, "seed": 7}
    collection.raters.filter(name="model-a").update(judge="learned", parameters=parameters)
    told = freeze(collection).manifest["raters"]
    assert list(told) == ["model-a", "nist"]
    model, reference = told["model-a"], told["nist"]
    assert (model["kind"], model["judge"], model["parameters"]) == ("MODEL", "learned", parameters)
    imported = collection.imported_files.get(options__rater="nist")
    assert (reference["kind"], reference["files"]) == (
        "REFERENCE",
        [{"name": imported.name, "sha256": imported.digest}],
    )


def test_a_model_that_people_saw_is_told_although_no_line_is_its_own(collection):
    Judgment.objects.update(suggestion=collection.raters.get(name="model-a").suggestions.first())
    assert list(freeze(collection, "people").manifest["raters"]) == ["model-a"]


def test_the_manifest_tells_the_draw_of_holes_in_force(collection):
    factories.import_qrels(collection, "q2 0 d2.2 1\n")
    assert freeze(collection).manifest["synthetic_holes"] is None
    pooling.draw_holes(collection=collection, fraction=1.0, chosen=[0, 1], seed=5, by=None, now=NOW)
    drawn = {"fraction": 1.0, "grades": [0, 1], "seed": 5, "dropped": 2}
    assert freeze(collection).manifest["synthetic_holes"] == drawn
    pooling.undo_draw(collection=collection, now=NOW)
    assert freeze(collection).manifest["synthetic_holes"] is None


def test_the_same_facts_give_the_same_bytes_and_the_same_version(collection):
    first, second = freeze(collection), freeze(collection)
    assert first == second
    assert (
        factories.export_files(collection, completion.parse_rule("reference,people"))[0]
        == (factories.export_files(collection, completion.parse_rule("reference,people"))[0])
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
    with pytest.raises(exports_operations.NothingToExport, match="0 reference grades in force, 0 judgments"):
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


@pytest.mark.django_db(transaction=True)
def test_people_judge_while_an_export_is_built_and_it_stays_of_one_moment(monkeypatch):
    collection = factories.make_holes(factories.make_collection())
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 2)
    complete = completed_qrels.complete_qrels

    def complete_and_let_somebody_judge(collection, rule):
        lines = complete(collection, rule)
        judging = threading.Thread(target=lambda: (factories.judge(assessor, 1), connection.close()))
        judging.start()
        judging.join(10)
        assert not judging.is_alive()
        return lines

    monkeypatch.setattr(completed_qrels, "complete_qrels", complete_and_let_somebody_judge)
    manifest = freeze(collection, "people").manifest
    assert (manifest["lines"], manifest["holes_left"]) == (1, 5)
    assert Judgment.objects.count() == 2
