"""Studies in a backup: what was found is there again, and what was half done goes on to the same end."""

import pytest
from django.core.management import call_command

from annotate.models import Work
from annotate.work import engine, queue
from evaluation.models import Study, StudyPart
from evaluation.studies.operations import reports, running
from tests import installations
from tests.factories import NOW
from tests.integration.evaluation import study_site

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_restored_study_has_its_result_and_a_stopped_one_goes_on_with_its_frozen_grades(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "first"
    whole = study_site.finished(study_site.make())
    halted = study_site.request(study_site.make())
    engine.run(engine.claim(work_id=halted.work_id), on_step=_stop_after_one_part)
    assert (study_site.again(halted).state, halted.parts.count()) == ("STOPPED", 1)
    expected = reports.result_file(whole)
    call_command("backup", str(tmp_path / "b.zip"))
    before = installations.everything()

    installations.empty(settings, tmp_path / "second")
    call_command("restore", str(tmp_path / "b.zip"))
    assert installations.everything() == before
    with pytest.raises(reports.NotDrawnYet):
        reports.archive_file(study_site.again(whole))
    for study in Study.objects.order_by("pk"):
        running.go_on(study=study, by=None, now=NOW)
        ended = study_site.through(study_site.again(study))
        assert ended.work.state == Work.State.DONE, ended.work.error
        assert reports.result_file(ended) == expected
        assert b"PK" in reports.archive_file(ended)


def _stop_after_one_part(row: Work) -> None:
    if StudyPart.objects.exists():
        queue.stop(work=row)
