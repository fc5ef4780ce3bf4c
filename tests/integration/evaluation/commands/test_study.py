import io
import json

import pytest
from django.core.management import CommandError, call_command

from evaluation.studies.operations import reports as studies_files
from tests.integration.evaluation import study_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return study_site.make("lab")


def run(*arguments):
    """Exit code and what was answered, or the sentence of the error."""
    stdout = io.StringIO()
    try:
        call_command("study", *arguments, "--collection", "lab", stdout=stdout)
    except CommandError as error:
        return error.returncode, str(error)
    return 0, stdout.getvalue().strip()


@pytest.fixture
def plan(collection, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(study_site.PLAN), "utf-8")
    return str(path)


@pytest.mark.postgresql
def test_it_runs_a_study_and_writes_what_it_found(plan, collection, tmp_path):
    assert run("list") == (0, "There are no studies yet.")
    code, words = run("start", "--kind", "holes", "--plan", plan, "--title", "Mine", "--folder", str(tmp_path / "out"))
    assert (code, words.splitlines()[0]) == (0, "Study 1, Mine: done.")
    assert "does not beat the trivial fillers" in words
    files = studies_files.all_files(collection.studies.get())
    written = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*")}
    assert written == set(files)
    assert (tmp_path / "out" / "result.json").read_bytes() == files["result.json"]
    told = json.loads(run("show", "--json")[1])
    assert (told["number"], told["state"], told["result"]["systems"]) == (1, "DONE", study_site.SYSTEMS)
    assert json.loads(run("list", "--json")[1])["studies"][0]["title"] == "Mine"


def test_without_waiting_it_is_queued_for_a_worker(plan):
    assert run("start", "--kind", "holes", "--plan", plan) == (0, "Study 1, Hole filling: waiting.")
    assert run("show", "--number", "1") == (0, "Study 1, Hole filling: waiting.")


def test_wrong_use_and_refusals_are_sentences_with_exit_codes(plan, tmp_path):
    assert run("start")[0] == 2
    assert run("start", "--kind", "holes", "--plan", str(tmp_path / "none.json"))[0] == 2
    (tmp_path / "plan.json").write_text("[1]", "utf-8")
    assert run("start", "--kind", "holes", "--plan", plan) == (2, f"{plan} is no plan: a plan is a JSON object.")
    (tmp_path / "plan.json").write_text("{", "utf-8")
    assert "is not JSON" in run("start", "--kind", "holes", "--plan", plan)[1]
    (tmp_path / "plan.json").write_text('{"tea": 1}', "utf-8")
    code, sentence = run("start", "--kind", "holes", "--plan", plan)
    assert (code, "no 'tea'" in sentence) == (2, True)
    (tmp_path / "plan.json").write_text('{"reference": "nobody"}', "utf-8")
    code, sentence = run("start", "--kind", "holes", "--plan", plan)
    assert (code, "nobody" in sentence) == (1, True)
    assert run("show") == (1, "There are no studies yet.")
    assert run("show", "--number", "7") == (1, "There is no study 7.")


@pytest.mark.postgresql
def test_a_mixed_study_without_a_recorded_sample_is_kept_and_ends_as_refused(collection):
    code, sentence = run("start", "--kind", "mixed", "--wait")
    assert (code, sentence) == (1, "Intervals are refused; study 1 is kept.")
    assert collection.studies.get().result["refused"][0]["name"] == "no design"
    code, words = run("show")
    assert (code, "No intervals. No sample was recorded" in words) == (0, True)
