"""Studies: frozen when they are asked for, computed part by part, and the same bytes for the same inputs."""

import pytest
from django.db import IntegrityError, transaction

from annotate.imports.operations import withdrawals
from annotate.models import ImportedFile, Rater, Work
from annotate.work import engine, kept_files, queue
from evaluation.models import Study, StudyPart
from evaluation.plots.figure import Figure
from evaluation.studies import queries as studies_queries
from evaluation.studies.kinds.registry import CannotStudy
from evaluation.studies.operations import reports, running
from evaluation.tables.table import Table
from tests import at_once, factories
from tests.factories import NOW
from tests.integration.evaluation import study_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return study_site.make()


def stop_after(study: Study, parts: int) -> Study:
    """Run it until so many parts are there; then it is stopped."""

    def stop(row: Work) -> None:
        if StudyPart.objects.filter(study=study).count() >= parts:
            queue.stop(work=row)

    engine.run(engine.claim(work_id=study.work_id), on_step=stop)
    return study_site.again(study)


def test_it_is_numbered_queued_and_leads_to_its_page(collection):
    first, second = study_site.request(collection), study_site.request(collection, trials=4)
    assert [study.number for study in (first, second)] == [1, 2]
    assert (first.work.queue, first.work.state, first.state) == ("findings", "QUEUED", "QUEUED")
    assert first.work.arguments["result"] == f"/c/{collection.slug}/studies/1/"
    assert first.title == "Hole filling"


def test_a_plan_that_cannot_be_read_and_a_rater_that_is_not_there_leave_nothing(collection):
    with pytest.raises(CannotStudy, match="trials"):
        study_site.request(collection, trials="many")
    with pytest.raises(CannotStudy, match="nobody"):
        study_site.request(collection, reference="nobody")
    assert (Study.objects.count(), Work.objects.filter(kind="study").count()) == (0, 0)


def test_the_same_plan_on_the_same_grades_is_one_study(collection):
    first = study_site.request(collection, title="mine")
    assert study_site.request(collection, title="yours") == first
    assert Study.objects.count() == 1
    study_site.through(first)
    assert running.run_again(study=first, by=None, now=NOW) == first


@pytest.mark.postgresql
def test_it_goes_on_with_the_parts_that_are_not_there_and_finds_the_same(collection):
    whole = study_site.finished(collection)
    again = study_site.request(study_site.make())
    stopped = stop_after(again, parts=2)
    assert (stopped.state, stopped.result, stopped.parts.count()) == ("STOPPED", None, 2)
    queue.resume(work=stopped.work)
    names, notes = set(stopped.parts.values_list("name", flat=True)), []
    engine.run(engine.claim(work_id=again.work_id), on_step=lambda row: notes.append(row.note))
    assert not names & set(notes), "what was there is not computed again"
    assert reports.result_file(study_site.again(again)) == reports.result_file(whole)
    assert not again.parts.exists(), "what they found is in the result"


def test_grades_that_come_later_are_not_in_it_but_in_the_next_one(collection):
    study = study_site.request(collection)
    untouched = study_site.finished(study_site.make())
    factories.import_qrels(collection, "q1 0 d0 3\nq1 0 d1 0\nq2 0 d0 0\nq3 0 d0 3\n", rater="late", kind="MODEL")
    Rater.objects.filter(collection=collection, name="gpt").update(name="gone", kind="REFERENCE")
    assert study_site.through(study).result == untouched.result
    with pytest.raises(CannotStudy, match="gpt"):
        running.run_again(study=study, by=None, now=NOW)


def test_two_collections_that_were_filled_in_opposite_orders_give_the_same_bytes(collection):
    first, second = (
        reports.all_files(study_site.finished(made)) for made in (collection, study_site.make(is_backwards=True))
    )
    assert first.keys() == second.keys()
    # The page names the collection and the moment, the manifest the files that runs came in.
    assert {name for name in first if first[name] != second[name]} <= {reports.REPORT, reports.MANIFEST}
    assert any(name.endswith(".svg") for name in first)


def test_a_run_that_is_withdrawn_since_is_still_in_it(collection):
    study = study_site.request(collection)
    imported = ImportedFile.objects.filter(collection=collection, kind="RUN").earliest("pk")
    withdrawals.request_withdrawal(imported=imported, by=None, now=NOW)
    engine.run(engine.claim(queues=["facts"]))
    assert study_site.through(study).result["systems"] == study_site.SYSTEMS
    later = running.run_again(study=study, by=None, now=NOW)
    assert (later.number, study_site.through(later).result["systems"]) == (2, study_site.SYSTEMS - 1)


def test_a_frozen_run_that_is_gone_is_made_again_of_the_file_that_was_imported(collection):
    study = study_site.request(collection, seed=78)
    path = kept_files.path(study.manifest["inputs"]["runs"][0]["path"])
    whole = path.read_bytes()
    path.unlink()
    assert study_site.through(study).state == "DONE"
    assert path.read_bytes() == whole


def test_a_frozen_file_that_is_gone_is_a_reason_that_people_read(collection):
    study = study_site.request(collection, seed=77)
    run = study.manifest["inputs"]["runs"][0]
    paths = [kept_files.path(run["path"]), kept_files.path(f"imports/{run['digest']}")]
    asides = [path.rename(path.with_suffix(".aside")) for path in paths]
    ended = study_site.through(study)
    for path, aside in zip(paths, asides, strict=True):
        aside.rename(path)
    assert (ended.state, ended.result) == ("FAILED", None)
    assert "An input that was frozen is gone" in ended.work.error


def test_it_may_be_deleted_while_it_runs(collection):
    study = study_site.request(collection)
    steps = running.run(engine.claim(work_id=study.work_id))
    next(steps), next(steps)
    running.delete_study(study=study_site.again(study))
    row = Work.objects.get(pk=study.work_id)
    assert row.is_stop_wanted
    with pytest.raises(running.CannotGoOn, match="deleted"):
        list(steps)
    assert not StudyPart.objects.exists()


def test_its_collection_may_be_deleted_while_it_runs(collection):
    study = study_site.request(collection)
    steps = running.run(engine.claim(work_id=study.work_id))
    next(steps), next(steps)
    with transaction.atomic():
        Work.objects.filter(collection=collection).delete()
        Study.objects.filter(collection=collection).delete()
    with pytest.raises(running.CannotGoOn, match="deleted"):
        list(steps)


@pytest.mark.postgresql
def test_other_work_of_the_same_worker_goes_first_between_two_parts(collection):
    study = study_site.request(collection)
    waiting = queue.enqueue(
        collection=collection, kind="pool", queue="facts", subject="pool", arguments={"depth": 10}, by=None, now=NOW
    )
    engine.run(engine.claim(work_id=study.work_id))
    study = study_site.again(study)
    assert (study.state, study.parts.count(), study.work.attempts) == ("QUEUED", 1, 0)
    assert engine.claim(queues=["facts", "findings"]) == waiting


def test_a_study_without_its_work_goes_on(collection):
    study = study_site.request(collection)
    Work.objects.filter(pk=study.work_id).delete()
    study = study_site.again(study)
    assert study.state == "STOPPED"
    queued = running.go_on(study=study, by=None, now=NOW)
    assert running.go_on(study=study, by=None, now=NOW) == queued
    assert study_site.through(study_site.again(study)).state == "DONE"


def test_the_archive_is_the_same_bytes_each_time_and_lacks_nothing(collection):
    study = study_site.finished(collection)
    assert reports.archive_file(study) == reports.archive_file(study)
    names = set(reports.all_files(study))
    assert {"report.html", "result.json", "manifest.json"} <= names
    assert {name.split("/")[0] for name in names if "/" in name} == {"figures", "tables"}


def test_versions_that_changed_while_it_ran_are_said(collection, monkeypatch):
    study = study_site.request(collection)
    monkeypatch.setattr(studies_queries, "library_versions", lambda: {**study.manifest["versions"], "numpy": "9"})
    page = reports.page_file(study_site.through(study)).decode()
    assert "became 9" in page


def test_names_of_figures_and_tables_are_told_apart_and_may_name_files():
    tables = {name: Table(name, (), ()) for name in ("tau-b / all", "a", "a-3", "A", "点", "../../etc")}
    named = reports._list_named(tables)
    assert [each["name"] for each in named] == ["tau-b-all", "a", "a-3", "a-4", "part", "etc"]
    assert [each["caption"] for each in named] == list(tables)


@pytest.mark.parametrize(
    ("svg", "is_wide"), [(b'<svg width="581">', True), (b'<svg width="580.0">', False), (None, False)]
)
def test_a_wide_figure_stands_alone(svg, is_wide):
    assert reports.Drawn(Figure("means", "", "", []), {"svg": svg}).is_wide == is_wide


def test_ids_of_two_drawings_on_one_page_are_told_apart():
    drawing = b'<svg><clipPath id="c1"/><g clip-path="url(#c1)"/><use xlink:href="#c1"/></svg>'
    told = '<svg><clipPath id="one-c1"/><g clip-path="url(#one-c1)"/><use xlink:href="#one-c1"/></svg>'
    assert reports._inline("one", drawing) == told


@pytest.mark.postgresql
@pytest.mark.parametrize("changes", [{"result": {}}, {"report": {}}, {"finished_at": NOW}])
def test_a_result_its_report_and_its_end_come_together(collection, changes):
    study = study_site.request(collection)
    with pytest.raises(IntegrityError, match="study_finished_with_result"), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(**changes)
    Study.objects.filter(pk=study.pk).update(result={}, report={}, finished_at=NOW)


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_in_one_moment_get_one_study_and_others_their_own_numbers():
    collection = study_site.make()
    found, faults = at_once.run(lambda trials: study_site.request(collection, trials=trials), [3, 3, 3, 4])
    assert faults == []
    assert len({study.pk for study in found}) == 2
    assert sorted(Study.objects.values_list("number", flat=True)) == [1, 2]
    assert Work.objects.filter(kind="study").count() == 2
