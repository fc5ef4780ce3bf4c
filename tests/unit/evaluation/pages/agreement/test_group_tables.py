from evaluation.agreement.value import Value, undefined
from evaluation.findings.agreement.groups import FIGURES, NOBODY, Group, GroupFigures, read_group
from evaluation.pages.agreement.tables import ONE_GRADE_FIGURES, group_table


def figures(n, **values):
    return GroupFigures(n, {name: values.get(name, Value(0.5)) for name in FIGURES})


ROWS = [
    Group("10", figures(4, alpha=Value(0.1)), figures(2)),
    Group("9", figures(3, alpha=undefined("one grade only")), NOBODY),
    Group("2", figures(8, alpha=Value(0.9)), NOBODY),
]


def keys(asked):
    return [group.key for group in group_table("t", "", "Words", ROWS, asked).rows]


def test_groups_sort_by_any_column_and_by_their_own_order_rather_than_by_their_words():
    assert keys("") == keys("group") == ["10", "9", "2"]
    assert keys("-group") == ["2", "9", "10"]
    assert keys("-alpha") == ["2", "10", "9"]
    assert keys("n") == ["9", "10", "2"]


def test_a_column_of_another_table_leaves_the_order_as_it_is():
    assert keys("-changed") == ["10", "9", "2"]


def test_people_among_themselves_stand_beside_with_the_sentence_where_there_are_none():
    table = group_table("t", "", "Words", ROWS, "").table
    first, second, _ = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    assert first["people among themselves: kappa"] == 0.5
    assert second["people among themselves: kappa"] == "undefined: no pair was judged by two people"
    assert second["alpha, ordinal"] == "undefined: one grade only"
    assert "people among themselves: mean difference" not in table.columns


def test_without_people_there_are_no_columns_of_theirs():
    table = group_table("t", "", "Grade", [Group("0", figures(1))], "", ONE_GRADE_FIGURES)
    assert table.table.columns == ("grade", "pairs", "share of equal grades", "mean difference")
    assert not table.has_nobody


def test_a_group_comes_back_from_json_as_it_was():
    assert [read_group(each.as_json()) for each in ROWS] == ROWS
