from benchmarks import report
from benchmarks.report import Row


def test_a_section_takes_the_place_of_the_one_with_its_heading(tmp_path):
    page = tmp_path / "benchmarks.md"
    report.write_section("One", "old\n", page)
    report.write_section("Two", "other\n", page)
    report.write_section("One", "new\n", page)
    text = page.read_text()
    assert text.startswith("# Benchmarks\n")
    assert text.endswith("\n## One\n\nnew\n\n## Two\n\nother\n")
    report.write_section("One", "new\n", page)
    assert page.read_text() == text


def test_a_bar_that_is_missed_stands_out():
    text = report.table([Row("work", "1 s", "at most 2 s", True), Row("more", "3 s", "at most 2 s", False)])
    assert text.splitlines()[2:] == ["| work | 1 s | at most 2 s | yes |", "| more | 3 s | at most 2 s | **no** |"]


def test_the_machine_is_told_with_its_kernels_and_versions():
    text = report.machine(["numpy"])
    assert "cores of" in text and "numpy 2" in text and "kernels: " in text


def test_the_least_time_of_several_is_taken():
    ticks = iter([0, 5, 10, 12, 20, 23])
    assert report.least(3, lambda: "found", lambda: next(ticks)) == (2, "found")


def test_ways_take_turns_and_each_gives_its_least_time_and_value():
    turns = []
    found = report.alternately(2, lambda: turns.append("a") or len(turns), lambda: turns.append("b"))
    assert turns == ["a", "b", "a", "b"]
    assert [taken >= 0 for taken, _ in found] == [True, True]
    assert found[0][1] in (1, 3) and found[1][1] is None
