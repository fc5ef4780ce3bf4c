import pytest

from benchmarks.system_ranking import Systems, by_topic

GRADES = {("q", "a"): 3, ("q", "b"): 1, ("q", "c"): 0, ("q", "d"): 2}


@pytest.fixture(scope="module")
def systems(tmp_path_factory) -> Systems:
    folder = tmp_path_factory.mktemp("runs")
    for tag, ranking in {"best": "adb", "middle": "bda", "worst": "cbx"}.items():
        lines = [f"q Q0 {passage_id} {rank} {-rank} {tag}\n" for rank, passage_id in enumerate(ranking, 1)]
        (folder / f"{tag}.run").write_text("".join(lines))
    return Systems(sorted(folder.iterdir()), GRADES)


def certain(grade: int) -> list[float]:
    return [float(grade == each) for each in range(4)]


def test_holes_that_are_filled_rightly_change_no_ranking(systems):
    assert systems.tau_b({pair: certain(grade) for pair, grade in GRADES.items()}) == 1


def test_holes_that_are_filled_the_other_way_round_turn_the_ranking(systems):
    assert systems.tau_b({pair: certain(3 - grade) for pair, grade in GRADES.items()}) == pytest.approx(-1)


def test_the_pool_is_what_has_a_grade_and_stands_in_some_ranking(systems):
    assert systems.top == {("q", "a"), ("q", "b"), ("q", "c"), ("q", "d")}
    assert by_topic({("q", "a"): 1, ("r", "b"): 2}) == {"q": {"a": 1}, "r": {"b": 2}}
