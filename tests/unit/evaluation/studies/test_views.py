"""Tables of a study: sorted by any column, and cut where they are long."""

from evaluation.studies import views as studies_tables
from evaluation.tables.table import Table

MEANS = Table("Means", ("system", "mean"), (("b", 0.5), ("a", None), ("c", "undefined: one topic"), ("d", 0.75)))


def shown(asked, table=MEANS):
    [found] = studies_tables.show_tables({"means": table}, asked)
    return found


def names(asked):
    return [row[0] for row in shown(asked).rows]


def test_rows_stand_as_they_came_until_a_column_is_asked_for():
    assert names("") == names("others.1") == names("means.9") == ["b", "a", "c", "d"]


def test_what_has_no_number_comes_last_either_way():
    assert names("means.1") == ["b", "d", "a", "c"]
    assert names("-means.1") == ["d", "b", "a", "c"]
    assert names("means.0") == ["a", "b", "c", "d"]


def test_a_head_asks_for_the_largest_number_or_the_first_name_first():
    system, mean = shown("").heads
    assert (system.words, system.next, system.css) == ("system", "means.0", "")
    assert (mean.words, mean.next, mean.css) == ("mean", "-means.1", "num")
    assert shown("-means.1").heads[1].aria == "descending"


def test_a_long_table_is_cut_after_it_was_sorted_and_says_so():
    long = Table("Long", ("n",), tuple((number,) for number in range(studies_tables.MOST_ROWS + 1)))
    found = shown("-means.0", long)
    assert (found.is_cut, len(found.rows), found.rows[0]) == (
        True,
        studies_tables.MOST_ROWS,
        (studies_tables.MOST_ROWS,),
    )
    assert not shown("").is_cut


def test_open_are_the_first_table_and_what_is_asked_for():
    tables = {"first": MEANS, "second": MEANS, "third": MEANS}

    def are_open(asked="", whole=""):
        return [table.name for table in studies_tables.show_tables(tables, asked, whole) if table.is_open]

    assert are_open() == are_open("others.1") == ["first"]
    assert are_open("-second.1") == ["first", "second"]
    assert are_open(whole="third") == ["first", "third"]
