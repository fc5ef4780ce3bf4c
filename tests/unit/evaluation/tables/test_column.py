from evaluation.agreement.value import Value, undefined
from evaluation.tables.table import Column, DataTable, Ends

COLUMNS = [
    Column("system", "System", "system", lambda row: row["system"], css="", is_rising=True, is_row_head=True),
    Column("mean", "nDCG@10", "nDCG@10", lambda row: row["mean"]),
    Column("low", "95 % interval", ("low", "high"), lambda row: row["interval"]),
    Column("moved", "Moved", "", lambda row: row["moved"], css="nowrap"),
    Column("", "", "text", lambda row: "only in a download"),
    Column("", "Grades", "", lambda row: None, css="num beside"),
]


def row(system, mean, interval=None, moved=0):
    return {"system": system, "mean": mean, "interval": interval, "moved": moved}


ROWS = [
    row("bm25", Value(0.25), Ends(0.125, 0.375)),
    row("empty", undefined("it has no topic"), Ends(None, None, "one topic")),
    row("dense", Value(0.5), Ends(0.25, 0.75)),
    row("other", Value(0.25)),
]


def table(asked="", rows=ROWS):
    return DataTable("systems", "Means", COLUMNS, rows, asked, places=3)


def names(asked):
    return [each["system"] for each in table(asked).rows]


def test_rows_stand_by_the_column_that_is_asked_for_and_those_without_a_value_last():
    assert names("mean") == ["bm25", "other", "dense", "empty"]
    assert names("-mean") == ["dense", "bm25", "other", "empty"]
    assert names("low") == ["bm25", "dense", "empty", "other"]


def test_rows_stay_as_they_came_where_no_column_is_named_so():
    for asked in ("", "-", "place", "--mean"):
        assert names(asked) == ["bm25", "empty", "dense", "other"]


def test_a_column_may_be_ordered_by_something_else():
    by_length = Column("length", "Length", "length", lambda row: row, sort=len)
    assert DataTable("t", "", [by_length], ["ccc", "a", "bb"], "length").rows == ["a", "bb", "ccc"]


def test_a_page_has_the_columns_with_a_head_and_a_download_those_with_a_label():
    assert [head.words for head in table().heads] == ["System", "nDCG@10", "95 % interval", "Moved", "Grades"]
    assert table().table.columns == ("system", "nDCG@10", "low", "high", "text")
    assert (table().table.caption, table().table.places) == ("Means", 3)


def test_a_head_says_what_a_click_does():
    assert [head.next for head in table().heads] == ["system", "-mean", "-low", "-moved", ""]
    mean = table("-mean").heads[1]
    assert (mean.next, mean.aria) == ("mean", "descending")
    system = table("system").heads[0]
    assert (system.next, system.aria) == ("-system", "ascending")


def test_a_head_stands_over_its_cells_and_takes_no_other_looks_from_them():
    assert [head.css for head in table().heads] == ["", "num", "num", "", "num beside"]


def test_a_download_says_why_there_is_no_number():
    only = "only in a download"
    assert table().table.rows == (
        ("bm25", 0.25, 0.125, 0.375, only),
        ("empty", "undefined: it has no topic", "undefined: one topic", "undefined: one topic", only),
        ("dense", 0.5, 0.25, 0.75, only),
        ("other", 0.25, None, None, only),
    )


def test_an_interval_with_three_labels_says_how_it_was_computed_or_why_it_was_not():
    column = Column("", "", ("low", "high", "interval"), lambda ends: ends)
    rows = [Ends(0.25, 0.75, how="95 % over 3 topics"), Ends(None, None, "one topic", "undefined: one topic"), None]
    assert DataTable("t", "", [column], rows).table.rows == (
        (0.25, 0.75, "95 % over 3 topics"),
        (None, None, "undefined: one topic"),
        (None, None, None),
    )
