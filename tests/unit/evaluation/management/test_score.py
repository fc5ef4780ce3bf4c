import gzip
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from evaluation.engine import scoring

ROOT = Path(__file__).resolve().parents[4]
QRELS = "q1 0 d1 3\nq1 0 d2 0\nq2 0 d1 1\nq3 0 d1 0\nq1 0 d9 7\n"
RUN = "q1 Q0 d2 1 2.0 alpha\nq1 Q0 d1 2 1.0 alpha\nq9 Q0 d1 1 1.0 alpha\n"


def test_each_run_gets_its_means_in_the_order_given(write, answer):
    first, second = write("a.run", RUN), write("b.run", "q1 Q0 d1 1 1 beta\n")
    found = answer(
        "score",
        "--scale",
        "0-3",
        "--qrels",
        write("q", QRELS),
        "--run",
        second,
        "--run",
        first,
        "--measures",
        "nDCG@10,Judged@10",
    )
    assert [(run["run"], run["file"]) for run in found["runs"]] == [("beta", second), ("alpha", first)]
    ndcg = found["runs"][1]["measures"]["nDCG@10"]
    assert ndcg["mean"] == pytest.approx(1 / math.log2(3) / 3)
    assert ndcg["topics"] == 3
    assert ndcg["topics_without_relevant"] == 1
    assert ndcg["mean_with_relevant"] == pytest.approx(1 / math.log2(3) / 2)
    assert "by_topic" not in ndcg
    assert found["runs"][1]["measures"]["Judged@10"]["mean"] == pytest.approx(0.2 / 3)


def test_values_by_topic_and_left_out_topics_are_told(write, answer):
    found = answer(
        "score",
        "--scale",
        "0-3",
        "--qrels",
        write("q", QRELS),
        "--run",
        write("a.run", RUN),
        "--measures",
        "nDCG@10",
        "--per-topic",
    )
    (run,) = found["runs"]
    assert run["measures"]["nDCG@10"]["by_topic"] == {"q1": pytest.approx(1 / math.log2(3)), "q2": 0.0, "q3": 0.0}
    assert run["missing_topics"] == ["q2", "q3"]
    assert run["ignored_topics"] == ["q9"]


def test_short_rankings_and_what_is_judged_at_the_cut_off_of_the_measure_are_told(write, answer):
    files = ("--scale", "0-3", "--qrels", write("q", QRELS), "--run", write("a.run", RUN))
    found = answer("score", *files, "--measures", "nDCG@2,P@3,AP")["runs"][0]["measures"]
    assert [(one["judged_cutoff"], one["judged"], one["short_topics"]) for one in found.values()] == [
        (2, pytest.approx(1 / 3), 0),
        (3, pytest.approx(2 / 3 / 3), 1),
        (10, pytest.approx(0.2 / 3), 0),
    ]
    assert found["P@3"]["note"] == "1 topic has fewer than 3 ranked passages; the missing ranks count as nothing"
    assert "note" not in found["AP"]


def test_without_a_relevant_passage_in_any_topic_the_mean_of_the_others_says_so(write, answer):
    found = answer("score", "--qrels", write("q", "q1 0 d1 0\n"), "--run", write("a.run", RUN), "--measures", "AP")
    ap = found["runs"][0]["measures"]["AP"]
    assert (ap["mean"], ap["topics_without_relevant"], ap["mean_with_relevant"]) == (0.0, 1, None)
    assert ap["reason"]["mean_with_relevant"] == scoring.NONE_RELEVANT


def test_grades_off_the_scale_are_left_out_and_counted(write, answer):
    qrels, run = write("q", QRELS), write("a.run", "q1 Q0 d1 1 1 t\n")
    assert answer("score", "--scale", "0-3", "--qrels", qrels, "--run", run)["qrels"]["left_out"] == {
        "off_scale": 1,
        "negative": 0,
    }
    wide = answer("score", "--qrels", qrels, "--run", run, "--scale", "0-7", "--measures", "RBP(p=0.5)")
    assert wide["qrels"]["left_out"]["off_scale"] == 0
    assert wide["runs"][0]["measures"]["RBP(p=0.5)"]["mean"] == pytest.approx(0.5 * 3 / 7 / 3)


def test_compressed_files_are_read(tmp_path, write, answer):
    packed = tmp_path / "a.run.gz"
    packed.write_bytes(gzip.compress(RUN.encode()))
    assert (
        answer("score", "--scale", "0-3", "--qrels", write("q", QRELS), "--run", str(packed))["runs"][0]["run"]
        == "alpha"
    )


def test_a_mean_over_nothing_is_null_with_its_reason(write, answer):
    found = answer("score", "--qrels", write("q", ""), "--run", write("a.run", RUN), "--measures", "AP")
    ap = found["runs"][0]["measures"]["AP"]
    assert ap["mean"] is None
    assert ap["reason"]["mean"] == scoring.NO_TOPIC


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("q1 Q0 d1 1 nan t\n", "line 1"),
        ("q1 Q0 d1 1 1.0\n", "line 1"),
        ("q1 Q0 d1 1 1 t\nq1 Q0 d1 2 0 t\n", "line 2"),
        ("", "no lines"),
    ],
)
def test_a_bad_run_is_refused_with_its_line_and_exit_code_2(write, answer, text, reason):
    with pytest.raises(CommandError, match=reason) as refused:
        answer("score", "--scale", "0-3", "--qrels", write("q", QRELS), "--run", write("bad.run", text))
    assert refused.value.returncode == 2
    assert "bad.run" in str(refused.value)


def test_a_missing_file_is_refused_with_exit_code_2(write, answer):
    with pytest.raises(CommandError, match="absent.txt") as refused:
        answer("score", "--qrels", "absent.txt", "--run", write("a.run", RUN))
    assert refused.value.returncode == 2


def test_gains_that_end_below_the_scale_are_refused_with_exit_code_2(write, answer):
    with pytest.raises(CommandError, match="the scale goes to 3") as refused:
        answer(
            "score",
            "--scale",
            "0-3",
            "--qrels",
            write("q", QRELS),
            "--run",
            write("a", RUN),
            "--measures",
            "nDCG(gain=0/1)@10",
        )
    assert refused.value.returncode == 2


def test_a_threshold_above_the_scale_is_refused_with_exit_code_2(write, answer):
    with pytest.raises(CommandError, match="relevant from grade 4, but the scale goes to 3") as refused:
        answer(
            "score",
            "--scale",
            "0-3",
            "--qrels",
            write("q", QRELS),
            "--run",
            write("a", RUN),
            "--measures",
            "nDCG@5,P(rel=4)@5",
        )
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    "option",
    [
        ("--measures", "nDGC@10"),
        ("--scale", "3-0"),
        ("--level", "1"),
        ("--level", "nan"),
        ("--seed", "-1"),
        ("--intervals", "pairs"),
    ],
)
def test_a_bad_option_is_named(write, answer, option):
    with pytest.raises(CommandError, match=option[0]):
        answer("score", "--scale", "0-3", "--qrels", write("q", QRELS), "--run", write("a.run", RUN), *option)


def test_from_the_shell_errors_go_to_stderr_and_heavy_libraries_stay_out(write):
    """One process shows the exit code, the two streams, and what scoring does not import."""
    command = [
        sys.executable,
        "-X",
        "importtime",
        "manage.py",
        "score",
        "--qrels",
        write("q", QRELS),
        "--run",
        "absent",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "absent: cannot be read" in done.stderr
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time")}
    assert "numpy" in imported
    assert not {"sklearn", "krippendorff", "scipy", "pandas"} & imported


HOLES = ("q 0 a 1\n", "q Q0 a 1 3 t\nq Q0 x 2 2 t\nq Q0 y 3 1 t\n")


def test_ranges_are_named_as_bounds_or_as_a_sensitivity_range(write, answer):
    """A ranking of grade 1 and two holes: two 3 in the holes enter the ideal, so nDCG falls."""
    files = ("--qrels", write("q", HOLES[0]), "--run", write("a.run", HOLES[1]))
    found = answer("score", *files, "--measures", "nDCG@3,P@3", "--ranges", "--per-topic")["runs"][0]["measures"]
    filled, ideal = 1 + 3 / math.log2(3) + 3 / 2, 3 + 3 / math.log2(3) + 1 / 2
    assert found["nDCG@3"]["range"] == {
        "name": "sensitivity range",
        "at_lowest": 1.0,
        "at_highest": pytest.approx(filled / ideal),
        "by_topic": {"q": {"at_lowest": 1.0, "at_highest": pytest.approx(filled / ideal)}},
    }
    bounds = found["P@3"]["range"]
    assert (bounds["name"], bounds["at_lowest"], bounds["at_highest"]) == ("bounds", pytest.approx(1 / 3), 1.0)


def test_a_measure_without_a_range_says_so(write, answer):
    files = ("--qrels", write("q", HOLES[0]), "--run", write("a.run", HOLES[1]))
    found = answer("score", *files, "--measures", "Judged@3", "--ranges")["runs"][0]["measures"]["Judged@3"]
    assert found["range"] is None
    assert found["reason"]["range"].startswith("the measure looks at no hole")


@pytest.mark.parametrize(("level", "low", "high"), [("0.95", 0.0, 1.0), ("0.3", 0.5, 0.5)])
def test_intervals_of_means_are_named_and_say_how_they_came_about(write, answer, level, low, high):
    """Of the values 1 and 0, two drawn: means 0, 1/2, 1 in a quarter, a half, a quarter of the resamples."""
    files = ("--qrels", write("q", "q1 0 a 1\nq2 0 a 1\n"), "--run", write("a.run", "q1 Q0 a 1 1 t\n"))
    found = answer("score", *files, "--measures", "P@1", "--intervals", "--level", level, "--seed", "7")
    assert found["runs"][0]["measures"]["P@1"]["interval"] == {
        "method": "percentile bootstrap",
        "low": low,
        "high": high,
        "level": float(level),
        "over": "topics",
        "n": 2,
        "resamples": 1000,
        "left_out": 0,
        "seed": 7,
    }


@pytest.mark.parametrize("qrels", ["", "q1 0 a 1\n"])
def test_the_interval_over_no_topic_or_one_is_null_with_its_reason(write, answer, qrels):
    found = answer("score", "--qrels", write("q", qrels), "--run", write("a.run", RUN), "--intervals", "--ranges")
    interval = found["runs"][0]["measures"]["nDCG@10"]["interval"]
    assert (interval["low"], interval["high"]) == (None, None)
    assert interval["reason"] == "an interval over topics needs two of them or more"


CHANCES = "query_id,passage_id,0,1,2,3\nq1,d2,1,0,0,0\nq1,x,0.5,0,0,0.5\nq9,x,1,0,0,0\n"


def test_chances_fill_holes_with_expected_gains_and_never_the_gain_of_an_expected_grade(write, answer):
    files = ("--scale", "0-3", "--qrels", write("q", QRELS), "--run", write("a.run", "q1 Q0 x 1 1 t\n"))
    found = answer("score", *files, "--chances", write("c.csv", CHANCES), "--measures", "DCG(gain=exp)@1,P@1")
    measures = found["runs"][0]["measures"]
    assert measures["DCG(gain=exp)@1"]["mean"] == pytest.approx(0.5 * 7 / 3)
    assert measures["P@1"]["mean"] == pytest.approx(0.5 / 3)
    assert found["chances"] == {
        "file": str(found["chances"]["file"]),
        "filling_holes": 1,
        "graded_already": 1,
        "of_other_topics": 1,
        "without_probabilities": 0,
    }


def test_a_measure_that_cannot_take_chances_refuses_them_with_the_reason(write, answer):
    files = (
        "--scale",
        "0-3",
        "--qrels",
        write("q", QRELS),
        "--run",
        write("a.run", RUN),
        "--chances",
        write("c.csv", CHANCES),
    )
    with pytest.raises(CommandError, match="bpref counts judged passages and has no gains to expect") as refused:
        answer("score", *files, "--measures", "nDCG@10,bpref")
    assert refused.value.returncode == 2


def test_a_bad_line_of_chances_is_named(write, answer):
    files = ("--scale", "0-3", "--qrels", write("q", QRELS), "--run", write("a.run", RUN))
    with pytest.raises(CommandError, match=r"c.csv, line 2: probabilities are not numbers") as refused:
        answer("score", *files, "--chances", write("c.csv", "query_id,passage_id,0,1,2,3\nq1,d2,1,1,0,0\n"))
    assert refused.value.returncode == 2


def test_without_a_scale_every_grade_counts_up_to_the_highest_in_the_file(write, answer):
    files = ("--qrels", write("q", "1 0 d1 4\n1 0 d2 1\n"), "--run", write("a", "1 Q0 d1 1 2 t\n1 Q0 d2 2 1 t\n"))
    found = answer("score", *files, "--measures", "nDCG@10")
    assert found["runs"][0]["measures"]["nDCG@10"]["mean"] == 1.0
    assert found["qrels"]["left_out"] == {"off_scale": 0, "negative": 0}


def test_what_a_scale_leaves_out_is_said_on_standard_error(write, answer, capsys):
    files = ("--qrels", write("q", "1 0 d1 4\n1 0 d2 1\n"), "--run", write("a", "1 Q0 d1 1 2 t\n"))
    answer("score", *files, "--scale", "0-3")
    assert "left out, since they are off the scale 0-3: grade 4: 1" in capsys.readouterr().err


def test_grades_above_what_a_scale_can_have_are_refused(write, answer):
    with pytest.raises(CommandError, match="grades go up to 10, not to 16"):
        answer("score", "--qrels", write("q", "1 0 d1 16\n"), "--run", write("a", "1 Q0 d1 1 2 t\n"))
