from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.template.defaultfilters import floatformat
from hypothesis import example, given
from hypothesis import strategies as st

from annotate.models import Collection
from evaluation.agreement.value import Value, undefined
from evaluation.statistics.bootstrap import Interval, Resampling
from evaluation.tables.table import Column, DataTable, Ends
from evaluation.templatetags import findings

NOTHING = undefined('one "grade" only')


def test_a_number_has_its_places_and_what_is_undefined_its_reason():
    assert findings.figure(Value(0.12345), 4) == "0.1235"
    assert findings.figure(NOTHING, 4) == '<span class="undefined">undefined: one &quot;grade&quot; only</span>'


@given(st.floats(-1e15, 1e15).filter(lambda value: abs(value) > 1e-100), st.integers(0, 6))
@example(0.0005, 3)
@example(-0.0004, 3)
@example(2.5, 0)
def test_a_number_is_written_as_django_writes_it(value, places):
    assert findings.fixed(value, places) == floatformat(value, places)


def test_in_a_narrow_cell_the_reason_stands_in_a_footnote_or_in_words():
    assert findings.short(Value(-0.5)) == "-0.500"
    assert findings.short(NOTHING) == '<span class="undefined">undefined: one &quot;grade&quot; only</span>'
    notes = findings.footnotes("systems")
    assert findings.short(NOTHING, notes) == (
        '<span class="undefined">undefined <a class="footnote" href="#systems-1" aria-label="footnote 1">1</a></span>'
    )
    assert 'href="#systems-1"' in findings.short_share(NOTHING, notes)
    assert 'href="#systems-2"' in findings.interval(Interval(None, None, 1, 0, Resampling(), "too few"), notes)
    assert notes.reasons == ['one "grade" only', "too few"]


def test_a_number_in_a_narrow_cell_has_its_own_places_and_where_asked_for_its_sign():
    notes = findings.footnotes("people")
    assert findings.number(Value(12.34), notes, 1) == "12.3"
    assert [findings.number(Value(each), notes, 2, has_sign=True) for each in (0.5, 0.0, -0.5)] == [
        "+0.50",
        "0.00",
        "-0.50",
    ]
    assert 'href="#people-1"' in findings.number(NOTHING, notes, 1)


def test_footnotes_are_read_out_under_the_table_each_once():
    page = Template(
        '{% load findings %}{% footnotes "t" as notes %}{{ value|short:notes }}{{ value|short:notes }}'
        '{% include "evaluation/_footnotes.html" %}'
    ).render(Context({"value": NOTHING}))
    assert page.count('<li id="t-1">One &quot;grade&quot; only.</li>') == 1
    assert page.count('href="#t-1"') == 2


def test_no_p_is_shown_as_0():
    assert (findings.p_value(Value(0.0004)), findings.p_value(Value(0.05))) == ("< 0.001", "0.050")
    assert "one &quot;grade&quot; only" in findings.p_value(NOTHING)


@pytest.mark.parametrize(("number", "words"), [(0.0, "0 %"), (2 / 3, "67 %"), (1.0, "100 %")])
def test_a_share_is_in_whole_percent(number, words):
    assert findings.share(Value(number)) == findings.short_share(Value(number)) == words


def test_an_interval_is_told_alike_fresh_and_stored():
    found = Interval(0.25, 0.75, 9, 0, Resampling())
    assert (
        findings.interval(found) == findings.interval(found.as_json()) == '<span class="interval">0.250 – 0.750</span>'
    )


def test_an_interval_that_there_is_not_says_why():
    found = Interval(None, None, 1, 0, Resampling(), "too few")
    assert (
        findings.interval(found)
        == findings.interval(found.as_json())
        == ('<span class="undefined">none: too few</span>')
    )
    assert findings.interval(None) == '<span class="undefined">none</span>'


COLUMNS = [
    Column("system", "System", "system", lambda row: row["system"], css="", is_rising=True, is_row_head=True),
    Column("mean", "Mean", "mean", lambda row: row["mean"], findings.number_cell(4)),
    Column("low", "Interval", ("low", "high"), lambda row: row["ends"], findings.interval_cell),
    Column("", "<Share>", "share", lambda row: row["share"], findings.share_cell, css="num beside"),
    Column("", "Moved", "", lambda row: row["moved"], "evaluation/leaderboard/_moved.html", css="nowrap"),
    Column("", "", "text", lambda row: "not on the page"),
]
ROW = {"system": "<b>", "mean": Value(0.5), "ends": Ends(0.25, 0.75), "share": Value(0.25), "moved": 0, "places_up": 2}


def rendered(text, row=ROW, sort=""):
    table = DataTable("systems", "", COLUMNS, [row], sort)
    form = SimpleNamespace(address="rule=a&other=b")
    words = {"table": table, "form": form, "collection": Collection(slug="dl19")}
    return Template("{% load findings %}" + text).render(Context(words))


def test_the_cells_of_a_row_are_those_of_its_columns_and_nothing_of_it_is_markup():
    assert rendered("{% for row in table.rows %}{% cells table row %}{% endfor %}") == (
        '<th scope="row">&lt;b&gt;</th><td class="num">0.5000</td>'
        '<td class="num"><span class="interval">0.250 – 0.750</span></td><td class="num beside">25 %</td>'
        '<td class="nowrap"><span class="moved-up"><span aria-hidden="true">▲</span> 2 up</span></td>'
    )


def test_cells_share_the_footnotes_of_their_table():
    row = {**ROW, "mean": NOTHING, "ends": Ends(None, None, NOTHING.reason)}
    page = rendered(
        "{% for row in table.rows %}{% cells table row %}{% endfor %}"
        '{% include "evaluation/_footnotes.html" with notes=table.notes %}',
        row,
    )
    assert page.count('href="#systems-1"') == 2
    assert page.count('<li id="systems-1">') == 1


def test_a_head_sorts_by_its_column_or_is_only_a_head():
    page = rendered('{% heads table "#systems" %}', sort="-mean")
    assert page.startswith(
        '<th scope="col" class="" aria-sort="none">'
        '<a class="sorting" href="?rule=a&amp;other=b&amp;sort=system#systems">System</a></th>'
        '<th scope="col" class="num" aria-sort="descending"><a class="sorting"'
    )
    assert '<th scope="col" class="num beside">&lt;Share&gt;</th><th scope="col">Moved</th>' in page
    assert "text" not in page


def test_downloads_lead_to_each_format():
    assert rendered('{% downloads "leaderboard_systems" query=form.address %}') == (
        '<a href="/c/dl19/leaderboard/systems.csv?rule=a&amp;other=b">CSV</a> '
        '<a href="/c/dl19/leaderboard/systems.tex?rule=a&amp;other=b">LaTeX</a>'
    )
    assert rendered('{% downloads "leaderboard_figure" "places" formats="svg png" %}') == (
        '<a href="/c/dl19/leaderboard/figure-places.svg">SVG</a> '
        '<a href="/c/dl19/leaderboard/figure-places.png">PNG</a>'
    )
