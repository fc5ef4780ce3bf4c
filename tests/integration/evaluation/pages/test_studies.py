"""The pages of studies as researchers meet them, and nobody else."""

import io
import zipfile

import pytest
from django.urls import reverse

from annotate.models import Collection, Work
from annotate.work import engine
from evaluation.findings import finding
from evaluation.models import Study
from evaluation.studies.kinds.holes.form import HolesForm
from evaluation.studies.kinds.holes.plan import Plan
from evaluation.studies.operations import reports
from tests import factories, visitors
from tests.integration.evaluation import study_site

pytestmark = pytest.mark.django_db
FORM = {
    "reference": "nist",
    "holes": ["all"],
    "models": ["gpt"],
    "others": [],
    "fractions": "0.3, 0.5, 0.7",
    "trials": "3",
    "seed": "1",
    "gain": "linear",
    "depth": "10",
    "level": "0.05",
}
HOSTILE = "=1+1 <script>alert(1)</script> \u202e\x00"


@pytest.fixture
def collection() -> Collection:
    return study_site.make("lab")


@pytest.fixture
def client(collection):
    return visitors.researcher(collection)


@pytest.mark.postgresql
def test_a_collection_without_anything_is_told_what_each_kind_needs():
    empty = factories.make_collection("empty")
    page = visitors.researcher(empty).get(reverse("studies", args=["empty"]))
    words = visitors.words(page)
    assert "No study yet" in words
    assert words.count("two runs at least") == 2
    assert "It needs query variants" in words
    assert "new/" not in page.content.decode()


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", ["holes", "sources", "profiles", "mixed"])
def test_the_form_of_a_kind_opens_or_says_what_is_missing(client, kind):
    page = client.get(reverse("new_study", args=["lab", kind]))
    assert page.status_code == 200
    has_form = "Start the study" in page.content.decode()
    assert has_form == (kind in ("holes", "sources"))


def test_a_study_is_asked_for_watched_and_read(client, collection):
    asked = client.post(reverse("new_study", args=["lab", "holes"]), {**FORM, "title": "Half away"})
    assert asked.headers["Location"] == "/c/lab/studies/1/"
    page = visitors.words(client.get("/c/lab/studies/1/"))
    assert "Half away" in page and "waiting" in page and "Stop" in page
    engine.run_waiting()
    page = client.get("/c/lab/studies/1/")
    words = visitors.words(page)
    assert "does not beat the trivial fillers" in words
    assert "3 trials say little" in words
    assert "nDCG@10, gain linear" in words
    assert page.content.decode().count("<img") == len(reports.read_report(Study.objects.get()).figures)
    assert "Half away" in visitors.words(client.get("/c/lab/studies/"))


def test_the_form_says_what_is_wrong_and_keeps_what_was_typed(client):
    answer = client.post(reverse("new_study", args=["lab", "holes"]), {**FORM, "fractions": "0.3, much"})
    assert answer.status_code == 422
    assert "Shares are numbers with commas between them" in visitors.words(answer)
    assert 'value="0.3, much"' in answer.content.decode()
    assert '<details class="folded" open>' in answer.content.decode()
    answer = client.post(reverse("new_study", args=["lab", "holes"]), {**FORM, "holes": []})
    assert answer.status_code == 422
    assert "at least one way to take grades away" in visitors.words(answer)
    assert not Study.objects.exists()


@pytest.mark.postgresql
def test_the_time_is_estimated_before_anything_starts(client):
    address = reverse("new_study", args=["lab", "holes"])
    words = visitors.words(client.post(address, {**FORM, "estimate": "yes"}))
    assert "It takes less than a minute of one processor" in words
    many = {**FORM, "trials": "1000", "fractions": ".1,.2,.3,.4,.5,.6,.7,.8,.9", "calibrated": ["gpt"]}
    assert "It takes about 1 min of one processor" in visitors.words(client.post(address, {**many, "estimate": "yes"}))
    assert not Study.objects.exists()


@pytest.mark.postgresql
def test_a_form_says_at_first_what_an_earlier_study_was_asked(client, collection):
    address = reverse("new_study", args=["lab", "holes"])
    other = {"holes": ["per-topic"], "pool_depth": "5", "trials": "4", "gain": "exp"}
    asked = client.post(address, {**FORM, **other, "title": "Half away"})
    assert asked.status_code == 302, visitors.words(asked)
    study = Study.objects.get()
    assert f'href="{address}?like=1"' in client.get("/c/lab/studies/1/").content.decode()
    form = client.get(f"{address}?like=1").context["form"]
    said = {name: form[name].initial for name in form.fields}
    client.post(address, {name: value for name, value in said.items() if value is not None})
    assert Study.objects.get().plan == study.plan
    client.post(address, {**{name: value for name, value in said.items() if value is not None}, "trials": "5"})
    changed = Study.objects.get(number=2)
    assert changed.plan == {**study.plan, "trials": 5}
    assert changed.title == "Half away"


def test_a_form_says_which_models_an_earlier_study_took_as_they_are_and_which_it_calibrated():
    plan = Plan(fillers=("model:gpt", "calibrated:gpt", "calibrated:llama", "learned"), holes=("all",)).to_json()
    said = HolesForm.values_of(plan)
    assert (said["models"], said["calibrated"], said["pool_depth"]) == (["gpt"], ["gpt", "llama"], None)
    assert said["others"] == ["learned"]


@pytest.mark.parametrize("like", ["7", "one", "-1", "1" * 40, ""])
def test_a_form_like_no_study_is_the_usual_one(client, like):
    page = client.get(reverse("new_study", args=["lab", "holes"]), {"like": like})
    assert page.status_code == 200
    assert page.context["form"]["trials"].initial == 20


def test_a_kind_that_there_is_not_is_not_found(client):
    assert client.get("/c/lab/studies/new/tea-leaves/").status_code == 404


def test_everything_is_taken_home(client, collection):
    study = study_site.finished(collection)
    archive = client.get("/c/lab/studies/1/study.zip")
    assert archive.headers["Content-Disposition"] == 'attachment; filename="lab-study-1-study.zip"'
    names = zipfile.ZipFile(io.BytesIO(archive.content)).namelist()
    assert {"report.html", "result.json", "manifest.json"} < set(names)
    report = client.get("/c/lab/studies/1/report.html").content.decode()
    assert report.count("<svg") == len(reports.read_report(study).figures)
    assert "<script" not in report and "http" not in report.replace("http://www.w3.org/", "")
    assert client.get("/c/lab/studies/1/result.json").json() == study.result
    assert client.get("/c/lab/studies/1/manifest.json").json()["plan"] == study.plan
    assert client.get("/c/lab/studies/1/secrets.txt").status_code == 404


def test_figures_and_tables_are_taken_home_one_by_one(client, collection):
    report = reports.read_report(study_site.finished(collection))
    for name in report.figures:
        assert client.get(f"/c/lab/studies/1/figures/{name}.svg").content.startswith(b"<svg ")
        assert client.get(f"/c/lab/studies/1/figures/{name}.png").content.startswith(b"\x89PNG")
    for name, table in report.tables.items():
        assert len(client.get(f"/c/lab/studies/1/tables/{name}.csv").content.splitlines()) == len(table.rows) + 1
        assert b"\\begin{table}" in client.get(f"/c/lab/studies/1/tables/{name}.tex").content
    assert client.get("/c/lab/studies/1/figures/nothing.svg").status_code == 404
    assert client.get("/c/lab/studies/1/tables/nothing.csv").status_code == 404


def test_tables_sort_by_their_heads(client, collection):
    [name, *_] = reports.read_report(study_site.finished(collection)).tables
    page = client.get("/c/lab/studies/1/", {"sort": f"-{name}.0", "whole": name}).content.decode()
    assert page.count('aria-sort="descending"') == 1


def test_before_it_has_found_anything_only_the_manifest_is_there(client, collection):
    study_site.request(collection)
    assert client.get("/c/lab/studies/1/manifest.json").status_code == 200
    for name in ("study.zip", "report.html", "result.json", "figures/any.svg", "tables/any.csv"):
        assert client.get(f"/c/lab/studies/1/{name}").status_code == 404, name


@pytest.mark.postgresql
def test_drawings_that_are_gone_are_drawn_when_somebody_asks(client, collection):
    study_site.finished(collection)
    for figure in reports.read_report(Study.objects.get()).figures.values():
        for format in reports.FORMATS:
            finding._path(figure, format).unlink()
    Work.objects.filter(kind="study").update(state="FAILED", error="The disk is full.")
    words = visitors.words(client.get("/c/lab/studies/1/"))
    assert "not drawn here yet. The disk is full." in words and "Draw them" in words
    answer = client.get("/c/lab/studies/1/study.zip")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/c/lab/studies/1/")
    engine.run_waiting()
    assert client.get("/c/lab/studies/1/study.zip").status_code == 200


def test_it_is_run_again_and_deleted(client, collection):
    study_site.finished(collection)
    answer = client.post("/c/lab/studies/1/again/", follow=True)
    assert "has changed since" in visitors.words(answer)
    assert Study.objects.count() == 1
    factories.import_qrels(collection, "q1 0 d9 2\n", rater="other")
    answer = client.post("/c/lab/studies/1/delete/", follow=True)
    assert "is deleted" in visitors.words(answer)
    assert not Study.objects.exists()


def test_a_failed_study_says_why(client, collection):
    study = study_site.request(collection)
    Work.objects.filter(pk=study.work_id).update(state="FAILED", error="The disk is full.", finished_at=factories.NOW)
    words = visitors.words(client.get("/c/lab/studies/1/"))
    assert "The disk is full." in words and "Take it up again" in words
    assert "failed" in visitors.words(client.get("/c/lab/studies/"))


def test_hostile_titles_and_names_are_text(client):
    made = study_site.make("hostile")
    made.raters.filter(name="gpt").update(name="<img src=x onerror=alert(1)>")
    study = study_site.finished(made, title=HOSTILE, fillers=["model:<img src=x onerror=alert(1)>"])
    for address in ("", "report.html"):
        page = visitors.researcher(made).get(f"/c/hostile/studies/1/{address}").content.decode()
        assert "<script>alert" not in page and "<img src=x" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\x00" not in study.title


ADDRESSES = ["", "1/", "new/holes/", "1/study.zip", "1/manifest.json", "1/figures/a.svg", "1/tables/a.csv"]
POSTED = ["new/holes/", "1/again/", "1/go-on/", "1/delete/"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_is_for_researchers_of_the_collection_alone(collection, address):
    study_site.request(collection)
    assert visitors.assessor(collection).get(f"/c/lab/studies/{address}").status_code == 403
    assert visitors.stranger().get(f"/c/lab/studies/{address}").status_code == 404


@pytest.mark.parametrize("address", POSTED)
def test_nobody_else_starts_changes_or_deletes_one(collection, address):
    study_site.request(collection)
    assert visitors.assessor(collection).post(f"/c/lab/studies/{address}", FORM).status_code == 403
    assert visitors.stranger().post(f"/c/lab/studies/{address}", FORM).status_code == 404
    assert Study.objects.count() == 1


@pytest.mark.parametrize("address", ["1/again/", "1/go-on/", "1/delete/"])
def test_what_changes_something_is_posted(client, collection, address):
    study_site.request(collection)
    assert client.get(f"/c/lab/studies/{address}").status_code == 405


def test_a_study_of_another_collection_is_not_found(client):
    study_site.request(study_site.make("elsewhere"))
    for address in ("", "study.zip", "manifest.json", "again/", "delete/"):
        assert client.get(f"/c/lab/studies/1/{address}").status_code in (404, 405)
    assert client.post("/c/lab/studies/1/delete/").status_code == 404
    assert Study.objects.count() == 1
