"""Suggestions of the judge that is calibrated on models: what it learns from is fixed when it is asked for."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.exports import queries as exports_queries
from annotate.grades import completed_qrels, model_raters, ratings
from annotate.imports.operations import withdrawals
from annotate.models import Batch, Pair, Rater, Suggestion, Work
from annotate.own_judges.operations import predictions, requests, training
from annotate.pool.operations import pooling
from annotate.work import engine
from tests import at_once, factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def graded(topics=3, passages=8, grades=6, scale="0-3"):
    """Of each topic the first passages are judged, up and down the scale."""
    collection = factories.make_holes(factories.make_collection(scale=scale), topics, passages)
    every = list(collection.scale.grades)
    numbers = range(1, topics + 1)
    lines = [f"q{t} 0 d{t}.{p} {every[(p + t) % len(every)]}\n" for t in numbers for p in range(1, grades + 1)]
    factories.import_qrels(collection, "".join(lines))
    return collection


def teach(collection, name="gpt", off=1):
    """A model that grades every pooled pair, a little otherwise than people."""
    every = list(collection.scale.grades)
    pairs = collection.pairs.filter(is_pooled=True).values_list("topic__query_id", "passage_id")
    lines = [f"{q} 0 {p} {every[(int(p.split('.')[1]) + int(q[1:]) + off) % len(every)]}\n" for q, p in pairs]
    factories.import_qrels(collection, "".join(lines), rater=name, kind="MODEL")
    return Rater.objects.get(collection=collection, name=name)


def request(collection, *models, may_carry_over=None):
    return requests.request_version(
        collection=collection, models=models, may_carry_over=may_carry_over, by=None, now=NOW
    )


def run(batch):
    engine.run(engine.claim(work_id=batch.work_id))
    batch.rater.refresh_from_db()
    return Work.objects.get(pk=batch.work_id)


@pytest.mark.parametrize("scale", ["0-1", "0-3", "0-4", "1-3"])
def test_every_pooled_pair_gets_probabilities_and_others_for_scoring(scale):
    collection = graded(scale=scale)
    batch = request(collection, teach(collection))
    assert run(batch).state == "DONE"
    said = list(Suggestion.objects.filter(rater__name="calibrated-1"))
    assert len(said) == 24
    for one in said:
        assert one.grade in collection.scale and one.reason.startswith("the model says grade")
        assert len(one.probabilities) == len(one.for_scoring) == len(collection.scale.grades)
        assert sum(one.for_scoring) == pytest.approx(1, abs=1e-5)
        assert one.for_scoring != one.probabilities


def test_the_version_tells_what_it_learned_from():
    collection = graded()
    models = [teach(collection, "gpt"), teach(collection, "llama", off=2)]
    batch = request(collection, *models, may_carry_over=True)
    told = batch.rater.parameters
    assert (told["grades"], told["judged_pairs"], told["seed"], told["may_carry_over"]) == (18, 18, 1, True)
    assert told["models"] == [
        {"name": model.name, "digest": ratings.digest_model(model).digest, "pairs": 24} for model in models
    ]
    material = training.read_material(collection, told["learned_from"])
    assert set(material.labels) == {"gpt", "llama"} and len(material.labels["gpt"]) == 24

    run(batch)
    told = batch.rater.parameters
    assert told["warning"] == ""
    assert told["calibration"]["every"]["pairs"] == 18
    assert len(told["calibration"]["top"]["bins"]) == 10
    json.dumps(told, allow_nan=False)


def test_other_grades_of_a_model_make_a_new_version_and_the_same_ones_none():
    collection = graded()
    model = teach(collection)
    run(request(collection, model))
    with pytest.raises(requests.NothingToDo, match="calibrated-1 learned from the same"):
        request(collection, model)
    assert request(collection, model, may_carry_over=True).rater.name == "calibrated-2"
    Suggestion.objects.filter(rater=model, grade=0).update(grade=1)
    assert request(collection, model).rater.name == "calibrated-3"


def test_of_two_who_ask_at_once_the_second_hears_that_it_is_at_work():
    collection = graded()
    model = teach(collection)
    request(collection, model)
    with pytest.raises(requests.NothingToDo, match="at work already"):
        request(collection, model)
    assert Batch.objects.count() == 1


def test_where_holes_are_of_another_kind_the_model_s_grades_stand_and_the_version_says_so():
    collection = graded(topics=6, passages=12, grades=12)
    model = teach(collection, off=0)
    pooling.draw_holes(collection=collection, fraction=0.9, chosen=[1, 2, 3], seed=1, by=None, now=NOW)
    batch = request(collection, model)
    run(batch)
    assert "other passages in the holes" in batch.rater.parameters["warning"]
    assert batch.rater.parameters["calibration"] is None
    own = dict(Suggestion.objects.filter(rater=model).values_list("pair", "grade"))
    assert dict(Suggestion.objects.filter(batch=batch).values_list("pair", "grade")) == own
    assert not Suggestion.objects.filter(batch=batch, for_scoring__isnull=False).exists()


def test_a_model_whose_grades_are_withdrawn_meanwhile_has_taught_all_the_same(monkeypatch):
    collection = graded()
    model = teach(collection)
    monkeypatch.setattr(predictions, "SLICE", 5)
    batch = request(collection, model)
    leased = engine.claim(work_id=batch.work_id)
    steps = predictions.run_batch(leased)
    while Suggestion.objects.filter(batch=batch).count() < 10:
        engine._move(leased, next(steps))
    steps.close()
    half = dict(Suggestion.objects.filter(batch=batch).values_list("pk", "probabilities"))
    Work.objects.filter(pk=batch.work_id).update(
        lease_until=timezone.now() + timedelta(hours=1)
    )  # on a slow machine too
    withdrawals.request_withdrawal(imported=collection.imported_files.get(name=model_file(model)), by=None, now=NOW)
    engine.run_waiting()
    assert not Suggestion.objects.filter(rater=model).exists()

    Work.objects.filter(pk=batch.work_id).update(lease_until=NOW)
    assert run(batch).state == "DONE"
    said = Suggestion.objects.filter(batch=batch)
    assert said.count() == 24 and all(one.reason.startswith("the model says") for one in said)
    assert half.items() <= dict(said.values_list("pk", "probabilities")).items()
    with pytest.raises(requests.NothingToDo, match="gpt says nothing of the pooled and judged pairs"):
        request(collection, model)


def model_file(model):
    return model.collection.imported_files.get(options__rater=model.name).name


def test_work_that_is_taken_up_again_gives_the_same_suggestions(monkeypatch):
    collection = graded()
    model = teach(collection)
    monkeypatch.setattr(predictions, "SLICE", 5)
    batch = request(collection, model)
    assert run(batch).state == "DONE"
    whole = dict(Suggestion.objects.filter(batch=batch).values_list("pair", "probabilities"))
    Suggestion.objects.filter(batch=batch, pair__topic__query_id="q2").delete()
    Work.objects.filter(pk=batch.work_id).update(state="QUEUED", finished_at=None)
    factories.judge(factories.make_assessor(collection), 3)  # people go on meanwhile
    assert run(batch).state == "DONE"
    assert dict(Suggestion.objects.filter(batch=batch).values_list("pair", "probabilities")) == whole


def test_with_too_few_grades_pairs_of_which_no_model_speaks_get_none():
    collection = graded(topics=1, grades=3)
    model = teach(collection)
    Suggestion.objects.filter(rater=model, pair__passage_id="d1.8").delete()
    batch = request(collection, model)
    assert run(batch).state == "DONE"
    assert "at least 10 judged pairs" in batch.rater.parameters["warning"]
    assert Suggestion.objects.filter(batch=batch).count() == 7
    assert not Suggestion.objects.filter(batch=batch, pair__passage_id="d1.8").exists()


def test_pairs_of_which_no_model_speaks_are_left_to_text():
    collection = graded()
    model = teach(collection)
    Suggestion.objects.filter(rater=model, pair__passage_id="d1.8").delete()
    batch = request(collection, model)
    run(batch)
    assert Suggestion.objects.get(batch=batch, pair__passage_id="d1.8").reason.startswith("covers")


def test_a_topic_without_judged_pairs_gets_the_model_s_grades():
    collection = graded(topics=4)
    collection.reference_rater.reference_grades.filter(pair__topic__query_id="q4").delete()
    model = teach(collection, off=0)
    batch = request(collection, model, may_carry_over=True)
    assert run(batch).state == "DONE"
    own = dict(Suggestion.objects.filter(rater=model, pair__topic__query_id="q4").values_list("pair", "grade"))
    assert dict(Suggestion.objects.filter(batch=batch, pair__in=own).values_list("pair", "grade")) == own


@pytest.mark.postgresql
def test_pairs_that_come_into_the_pool_are_asked_of_the_same_version():
    collection = graded()
    run(request(collection))
    pair = Pair.objects.get(passage_id="d1.8")
    Suggestion.objects.filter(pair=pair).delete()
    again = request(collection)
    assert (again.rater.name, again.pairs) == ("learned-1", 1)
    run(again)
    assert Suggestion.objects.filter(pair=pair, rater=again.rater).exists()


def test_a_version_that_failed_is_not_started_again_from_the_same():
    collection = graded(topics=1, grades=3)
    assert run(request(collection)).state == "FAILED"
    with pytest.raises(requests.NothingToDo, match="came to no end: a judge learns from at least 10"):
        request(collection)


def test_material_that_is_gone_from_the_data_folder_is_a_reason_that_people_read(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    collection = graded()
    batch = request(collection)
    (tmp_path / "training" / f"{batch.rater.parameters['learned_from']}.json").unlink()
    collection.passages.update(text="another text")
    collection.topics.update(text="another query")
    assert "gone from the data folder" in run(batch).error


def test_a_batch_from_before_an_upgrade_says_to_start_anew(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    collection = graded()
    batch = request(collection)
    batch.rater.parameters["learned_from"] = training.keep_grades({("q1", "d1.1"): 1})
    batch.rater.save()
    ended = run(batch)
    assert (ended.state, ended.error) == ("FAILED", "It was asked for before Lacuna was upgraded; start a new version.")


def test_the_newest_calibrated_version_fills_completed_qrels_once_it_has_ended():
    collection = graded()
    shown = teach(collection)
    collection.suggesting_rater = shown
    assert completed_qrels.usual_model(collection) == shown
    batch = request(collection, shown)
    assert completed_qrels.usual_model(collection) == shown
    run(batch)
    assert completed_qrels.usual_model(collection).name == "calibrated-1"
    assert str(completed_qrels.usual_rule(collection)) == "reference,adjudicated,people,model:calibrated-1"


def test_a_model_without_a_calibrated_version_is_told_from_one_with():
    collection = graded(grades=3)
    request(collection)
    assert not model_raters.lacks_calibrated(collection)
    model = teach(collection)
    assert not model_raters.lacks_calibrated(collection)
    factories.import_qrels(collection, "".join(f"q{t} 0 d{t}.4 1\n" for t in (1, 2, 3)))
    assert model_raters.lacks_calibrated(collection)
    request(collection, model)
    assert not model_raters.lacks_calibrated(collection)


def test_where_no_model_of_others_speaks_the_learned_judge_fills_holes_as_before():
    collection = graded()
    assert completed_qrels.usual_model(collection) is None
    run(request(collection))
    collection.refresh_from_db()
    assert str(completed_qrels.usual_rule(collection)) == "reference,adjudicated,people,model:learned-1"


@pytest.mark.django_db(transaction=True)
def test_of_people_who_ask_in_the_same_moment_one_starts_a_version():
    collection = graded()
    model = teach(collection)
    started, faults = at_once.run(lambda _: request(collection, model), [1, 2, 3])
    assert len(started) == 1
    assert [type(fault) for fault in faults] == [requests.NothingToDo] * 2
    assert Rater.objects.filter(judge="calibrated").count() == Batch.objects.count() == 1


def test_provenance_has_the_probabilities_for_people_and_those_for_scoring():
    collection = graded()
    run(request(collection, teach(collection)))
    rule = completed_qrels.usual_rule(collection)
    lines = completed_qrels.complete_qrels(collection, rule)
    told = [
        record["suggestion"]
        for record in exports_queries.provenance_records(collection, rule, lines)
        if "suggestion" in record
    ]
    assert len(told) == 6
    said = {tuple(one.probabilities): one.for_scoring for one in Suggestion.objects.filter(rater__judge="calibrated")}
    assert all(said[tuple(each["probabilities"])] == each["for_scoring"] for each in told)
