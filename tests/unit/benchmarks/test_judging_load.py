import threading

from benchmarks import judging_clients
from benchmarks.judging_clients import Judged, Load


class Assessor:
    """Judges at once; the answer tells how often it has judged. Fails when it has judged `most`."""

    def __init__(self, most: int = 1_000) -> None:
        self.grades: list[int] = []
        self.most = most

    def judge(self, grade: int) -> Judged:
        if len(self.grades) == self.most:
            raise RuntimeError("500: server error")
        self.grades.append(grade)
        return Judged(len(self.grades) / 1e3, 100)


def test_figures_are_of_requests_in_milliseconds_and_of_all_the_time():
    load = Load([Judged(number / 1e3, 0) for number in range(1, 101)], [], 4)
    assert load.a_second == 25
    assert load.median_ms == 50.5
    assert 95 <= load.p95_ms <= 96


def test_assessors_take_turns():
    order = []
    first, second = Assessor(), Assessor()
    first.judge = lambda grade: order.append("first") or Judged(1, 0)
    second.judge = lambda grade: order.append("second") or Judged(2, 0)
    loads = judging_clients.in_turn([first, second], 2)
    assert order == ["first", "second", "first", "second"]
    assert [load.median_ms for load in loads] == [1_000, 2_000]


def test_at_once_each_judges_until_it_is_told_to_stop():
    assessors, others = [Assessor(), Assessor()], threading.active_count()
    load = judging_clients.at_once(assessors, lambda times: times < 5)
    assert [one.grades for one in assessors] == [[0, 1, 2, 3, 0]] * 2
    assert len(load.judged) == 10 and load.errors == []
    assert threading.active_count() == others


def test_a_failure_is_told_and_ends_the_work_of_one_alone():
    load = judging_clients.at_once([Assessor(most=2), Assessor()], lambda times: times < 5)
    assert load.errors == ["RuntimeError: 500: server error"]
    assert len(load.judged) == 7
