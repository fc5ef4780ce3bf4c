import pytest

from annotate.formats.faults import LIMIT, Fault, Faults, FileRefused


def test_a_fault_names_file_line_and_reason():
    assert str(Fault("runs/x.run", 12, "5 columns")) == "runs/x.run, line 12: 5 columns"


def test_a_fault_of_the_whole_file_names_no_line():
    assert str(Fault("x.run", None, "the run has no lines")) == "x.run: the run has no lines"


def test_no_fault_raises_nothing():
    Faults("x").raise_if_any()


def test_faults_come_in_the_order_of_their_lines():
    faults = Faults("x")
    faults.add(7, "late")
    faults.add(2, "early")
    with pytest.raises(FileRefused) as caught:
        faults.raise_if_any()
    assert caught.value.faults == (Fault("x", 2, "early"), Fault("x", 7, "late"))
    assert not caught.value.has_more
    assert str(caught.value) == "x, line 2: early\nx, line 7: late"


def test_a_hundred_faults_are_all_that_there_are():
    faults = Faults("x")
    for line in range(LIMIT):
        faults.add(line, "bad")
    with pytest.raises(FileRefused) as caught:
        faults.raise_if_any()
    assert (len(caught.value.faults), caught.value.has_more) == (100, False)


def test_the_fault_beyond_the_hundredth_ends_the_reading():
    faults = Faults("x")
    for line in range(LIMIT):
        faults.add(line, "bad")
    with pytest.raises(FileRefused, match="more than 100 faults") as caught:
        faults.add(LIMIT, "bad")
    assert (len(caught.value.faults), caught.value.has_more) == (100, True)


def test_a_fatal_fault_keeps_those_before_it():
    faults = Faults("x")
    faults.add(1, "bad")
    assert [fault.reason for fault in faults.refuse(2, "cut off").faults] == ["bad", "cut off"]
