"""The page of calibration: what a version said of itself when it was trained, and nothing that it did not say."""

import pytest

from annotate.models import Rater
from annotate.own_judges.operations import requests
from annotate.work import engine
from tests import factories, visitors
from tests.factories import NOW

pytestmark = pytest.mark.django_db
PAGE = "suggestions/calibration"


@pytest.fixture
def collection():
    made = factories.make_holes(factories.make_collection(), topics=3, passages=8)
    factories.import_qrels(made, "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 7)))
    return made


@pytest.fixture
def version(collection):
    batch = requests.request_version(collection=collection, by=None, now=NOW)
    engine.run_waiting()
    batch.rater.refresh_from_db()
    return batch.rater


def file(collection, name, **address):
    return visitors.researcher(collection).get(f"/c/{collection.slug}/{PAGE}/{name}", address)


def test_without_a_version_the_page_says_where_to_start_one(read, collection):
    answer = read(collection, PAGE)
    assert answer.status_code == 200
    assert "There is no version of Lacuna’s own judge yet" in answer.words


def test_the_figures_are_those_that_the_version_wrote_down(read, collection, version):
    answer = read(collection, PAGE)
    told = version.parameters["calibration"]["every"]
    assert "leave-one-out" in answer.words
    assert f"all judged pairs 18 {told['brier']:.4f} {told['ece']:.4f}" in answer.words
    assert "learned-1 learned from 18 judged pairs" in answer.words
    diagram = answer.context["diagram"]
    assert sum(len(line.points) for line in diagram.lines) == sum(
        bool(each["pairs"]) for part in ("every", "top") for each in version.parameters["calibration"][part]["bins"]
    )


def test_the_newest_version_is_shown_unless_the_address_names_another(read, collection, version):
    Rater.objects.create(
        collection=collection,
        name="calibrated-1",
        kind="MODEL",
        judge="calibrated",
        parameters={"grades": 18, "models": [{"name": "gpt"}], "warning": "holes differ: as they are"},
        created_at=NOW,
    )
    newest = read(collection, PAGE)
    assert ": holes differ: as they are." in newest.words
    assert "nothing was learned that could be checked" in newest.words
    assert "learned-1 learned from 18" in read(collection, PAGE, rater="learned-1").words


def test_a_version_that_is_not_trained_yet_says_so(read, collection):
    requests.request_version(collection=collection, by=None, now=NOW)
    assert "learned-1 is not trained yet" in read(collection, PAGE).words


@pytest.mark.parametrize("name", ["nist", "learned-9", "<script>"])
def test_only_versions_of_own_judges_are_looked_at(read, collection, version, name):
    answer = read(collection, PAGE, rater=name)
    assert answer.status_code == 422
    assert "No version of Lacuna's own judge is called so" in answer.words
    assert file(collection, "bins.csv", rater=name).status_code == 422


def test_of_nothing_judged_among_the_first_ten_it_says_why_there_is_no_figure(read, collection, version):
    told = version.parameters["calibration"]
    told["top"] |= {"pairs": 0, "brier": None, "ece": None, "excess": None}
    told["top"]["bins"] = [{**each, "pairs": 0, "predicted": None, "happened": None} for each in told["top"]["bins"]]
    version.save()
    assert "No judged pair is among the first ten of a pooled run" in read(collection, PAGE).words
    text = file(collection, "figures.csv").content.decode()
    assert "undefined: no judged pair is among the first ten" in text and "nan" not in text.lower()


def test_the_tables_are_kept_as_csv_and_latex(collection, version):
    rows = file(collection, "bins.csv").content.decode().splitlines()
    assert sum(row.startswith("all judged pairs,") for row in rows) == 10
    assert file(collection, "figures.tex").content.decode().count("all judged pairs") == 1
    assert file(collection, "bins.pdf").status_code == 404
    assert file(collection, "others.csv").status_code == 404


def test_the_diagram_is_drawn_in_the_background(collection, version):
    assert file(collection, "reliability.svg").status_code == 202
    engine.run_waiting()
    drawn = file(collection, "reliability.svg")
    assert drawn.status_code == 200 and b"Reliability of learned-1" in drawn.content


def test_where_a_warned_version_fills_holes_the_leaderboard_says_so(read, collection, version):
    Rater.objects.filter(pk=version.pk).update(parameters={**version.parameters, "warning": "holes differ"})
    collection.refresh_from_db()
    assert ": holes differ." in read(collection, "leaderboard").words
    assert "holes differ" not in read(collection, "leaderboard", rule="reference").words


def test_where_the_calibrated_judge_fills_holes_the_leaderboard_counts_by_its_probabilities(read, collection):
    model = factories.make_suggestions(collection, grade=1, rater="gpt")
    batch = requests.request_version(collection=collection, models=[model], by=None, now=NOW)
    as_they_are = read(collection, "leaderboard")
    engine.run_waiting()
    asked = read(collection, "leaderboard")

    assert not as_they_are.context["form"].with_probabilities
    assert asked.context["form"].with_probabilities
    assert asked.context["board"].by_chances == 6
    assert str(asked.context["board"].rule).endswith(f"model:{batch.rater.name}")
    assert read(collection, "leaderboard", measure="bpref(rel=2)").status_code == 200
    assert not read(collection, "leaderboard", models="").context["form"].with_probabilities
