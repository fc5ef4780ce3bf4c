import csv
import io

import pytest

from annotate.work import engine
from evaluation.plots import rendering
from tests import visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
BESIDE = {"rule": "reference", "other": "model:gpt"}


@pytest.fixture
def collection():
    """The reference likes d1 > d2 > d3, the model d3 > d2 > d1."""
    made = small.with_qrels("q1 d1 3, q1 d2 2, q1 d3 1, q2 d1 3", "q1 d1 1, q1 d2 2, q1 d3 3, q2 d3 3")
    for tag in ("d1", "d2", "d3"):
        small.add_run(made, tag)
    return made


@pytest.fixture
def get(collection):
    visitor = visitors.researcher(collection)
    return lambda name, **address: visitor.get(f"/c/{collection.slug}/leaderboard/{name}", address)


def rows(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_systems_come_as_csv_in_the_order_of_the_page(get, collection):
    answer = get("systems.csv", **BESIDE, sort="-place")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{collection.slug}-systems.csv"'
    assert [(row["place"], row["system"]) for row in rows(answer)] == [("3", "d3"), ("2", "d2"), ("1", "d1")]
    assert rows(answer)[0]["share of gains from models under B"] == "1.0"


def test_the_systems_come_as_latex_with_booktabs(get):
    text = get("systems.tex", rule="reference", other="").content.decode()
    assert "\\toprule" in text
    assert "\\caption{nDCG@10 over 2 topics under reference alone." in text


def test_what_holes_leave_open_is_in_the_table_when_it_was_asked_for(get):
    asked = {"rule": "reference", "other": "", "measure": "P@2"}
    assert "holes at highest" in rows(get("systems.csv", **asked, unjudged="range"))[0]
    assert "holes at highest" not in rows(get("systems.csv", **asked))[0]


def test_a_tag_that_a_spreadsheet_would_compute_is_only_text(get, collection):
    small.add_run(collection, "=1+1")
    assert {row["system"] for row in rows(get("systems.csv", rule="reference", other=""))} >= {"'=1+1"}


def test_the_pairs_that_changed_come_once_they_are_computed(get):
    assert get("pairs.csv", **BESIDE).status_code == 404
    engine.run_waiting()
    answer = get("pairs.csv", **BESIDE)
    assert answer.status_code == 200
    assert answer.content.decode().startswith("first,second,class,difference,p,difference under B,p under B\r\n")


def test_correlations_and_classes_come_as_tables_in_the_order_asked_for(get):
    get("correlations.csv", **BESIDE)
    engine.run_waiting()
    told = rows(get("correlations.csv", **BESIDE, sort="-class"))
    assert [row["correlation"] for row in told][:2] == ["Kendall’s tau-b", "tau-AP, the top weighs most"]
    assert float(told[0]["low"]) == float(told[0]["value"]) == -1.0
    assert [row["class"] for row in rows(get("classes.csv", **BESIDE, sort="-class"))] == [
        "PD",
        "PA",
        "MD",
        "MA",
        "AD",
        "AA",
    ]
    assert "1000 resamples, seed 0.}" in get("correlations.tex", **BESIDE).content.decode()
    assert "\\toprule" in get("classes.tex", **BESIDE).content.decode()
    assert get("nothing.csv", **BESIDE).status_code == 404


def test_what_is_undefined_has_its_reason_in_the_table(collection):
    made = small.with_qrels("q1 d1 1", "q1 d1 2")
    small.add_run(made, "d2")
    visitor = visitors.researcher(made)
    (system,) = rows(visitor.get(f"/c/{made.slug}/leaderboard/systems.csv", {"rule": "reference", "other": ""}))
    reason = "undefined: an interval over topics needs two of them or more"
    assert (system["low"], system["high"]) == (reason, reason)
    assert system["share of gains from models"] == "undefined: it gains nothing"
    visitor.get(f"/c/{made.slug}/leaderboard/", BESIDE)
    engine.run_waiting()
    told = rows(visitor.get(f"/c/{made.slug}/leaderboard/correlations.csv", BESIDE))
    assert (told[0]["value"], told[0]["low"]) == ("undefined: fewer than two to compare", reason)


def test_a_figure_is_drawn_in_the_background_once_and_kept(get, monkeypatch):
    answer = get("figure-places.svg", **BESIDE)
    assert answer.status_code == 202
    assert "The figure is being drawn in the background." in visitors.words(answer)
    assert get("figure-places.svg", **BESIDE).status_code == 202
    assert engine.run_waiting() == 1
    monkeypatch.setattr(rendering, "render_all", lambda asked: pytest.fail("drawn again"))
    answer = get("figure-places.svg", **BESIDE)
    assert answer["Content-Type"] == "image/svg+xml"
    assert b"<title>Places of 3 systems by nDCG@10</title>" in answer.content


def test_the_page_of_a_figure_looks_again_and_shows_it_with_a_text_alternative(collection, monkeypatch):
    visitor, address = visitors.researcher(collection), f"/c/{collection.slug}/leaderboard/figure-means.png?other="
    monkeypatch.setattr(rendering, "render_all", lambda asked: [b"drawn"] * len(asked))
    assert 'hx-trigger="every 1s"' in visitor.get(address).content.decode()
    engine.run_waiting()
    fragment = visitor.get(address, headers={"HX-Request": "true"})
    assert (fragment.status_code, fragment["Vary"]) == (200, "HX-Request, Cookie")
    assert f'<img class="figure" src="{address}" alt="nDCG@10 of 3 systems under' in fragment.content.decode()
    assert "hx-get" not in fragment.content.decode()
    assert visitor.get(address).content == b"drawn"


@pytest.mark.postgresql
def test_a_figure_that_cannot_be_drawn_says_so(get, monkeypatch):
    def fail(asked):
        raise rendering.NotDrawn("no renderer")

    monkeypatch.setattr(rendering, "render_all", fail)
    get("figure-means.png", rule="reference", other="", find="d1")
    engine.run_waiting()
    answer = get("figure-means.png", rule="reference", other="", find="d1")
    assert answer.status_code == 503
    assert "The figure could not be drawn: no renderer Take it up again" in visitors.words(answer)


def test_the_data_of_the_places_come_as_a_table(get):
    assert [list(row.values()) for row in rows(get("places.csv", **BESIDE))][0][:2] == ["d1", "1"]
    assert [row["places up"] for row in rows(get("places.csv", **BESIDE))] == ["-2", "0", "2"]
    assert get("places.csv", rule="reference", other="").status_code == 404


@pytest.mark.parametrize("name", ["systems.csv", "pairs.tex", "figure-means.svg", "topics.csv"])
def test_an_address_that_cannot_be_used_is_answered_with_a_sentence(get, name):
    answer = get(name, measure="foo@10", system="d1")
    assert answer.status_code == 422
    assert answer.content.decode().startswith("measure: This measure cannot be used: unknown measure 'foo'")


@pytest.mark.parametrize("name", ["systems.xls", "figure-means.gif", "figure-nothing.svg", "figure-places.svg"])
def test_what_there_is_not_is_not_found(get, name):
    assert get(name, rule="reference", other="").status_code == 404
