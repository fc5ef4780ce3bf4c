import pytest
from django.core.management import CommandError

from evaluation.statistics import system_pairs
from tests import shared_data

TOPICS = ("q1", "q2", "q3", "q4")
LIKES_A = "".join(f"{topic} 0 a 1\n{topic} 0 b 0\n" for topic in TOPICS)
LIKES_B = "".join(f"{topic} 0 a 0\n{topic} 0 b 1\n" for topic in TOPICS)
LIKES_BOTH = "".join(f"{topic} 0 a 1\n{topic} 0 b 1\n" for topic in TOPICS)


def run(tag, passages):
    return "".join(f"{topic} Q0 {passage} 1 1 {tag}\n" for topic, passage in zip(TOPICS, passages, strict=True))


@pytest.fixture
def tell(write, answer):
    """Runs the command with P@1 on systems that are given by their first passages, as a="aaaa"."""

    def run_command(*qrels, options=(), **systems):
        arguments = []
        for place, text in enumerate(qrels):
            arguments += ["--qrels", write(f"{place}.qrels", text)]
        for tag, passages in systems.items():
            arguments += ["--run", write(f"{tag}.run", run(tag, passages))]
        return answer("significance", *arguments, "--measure", "P@1", *options)

    return run_command


@pytest.mark.parametrize("test", ["tukey", "t"])
def test_two_systems_have_the_p_of_the_paired_t_test(tell, test):
    """Differences 1, 1, 1, 0: t = 3 with 3 degrees of freedom; of two systems Tukey's p is the same."""
    found = tell(LIKES_A, a="aaaa", b="bbba", options=["--test", test, "--level", "0.06"])
    assert found["pairs"] == [
        {"first": "a", "second": "b", "difference": 0.75, "is_significant": True, "p": pytest.approx(0.0577, abs=5e-5)}
    ]
    assert (found["test"], found["level"], found["significant"]) == (test, 0.06, {"first": 1})
    assert (found["systems"], found["topics"], found["topic_ids"]) == (2, 4, list(TOPICS))
    assert "changes" not in found


def test_tukey_at_5_percent_is_meant_where_nothing_is_said(tell):
    found = tell(LIKES_A, a="aaaa", b="bbba")
    assert (found["test"], found["correction"]) == ("tukey", "Tukey's honestly significant difference")
    assert (found["level"], found["pairs"][0]["is_significant"]) == (0.05, False)


def test_the_randomisation_test_is_exact_on_few_topics_and_tells_its_seed(tell):
    """Of 16 ways to name two systems that always differ by 1, 2 do as much."""
    found = tell(LIKES_A, a="aaaa", b="bbbb", options=["--test", "randomisation", "--seed", "9"])
    assert found["pairs"][0]["p"] == 1 / 8
    assert (found["seed"], found["flips"], found["correction"]) == (9, 100_000, "Holm")


def test_t_tests_are_corrected_for_their_number_and_twins_are_none(tell):
    found = tell(LIKES_A, a="aaaa", b="bbba", c="bbba", options=["--test", "t"])
    first, second, twins = found["pairs"]
    assert first["p"] == second["p"] == pytest.approx(2 * 0.0577, abs=1e-4)
    assert (twins["first"], twins["second"], twins["p"], twins["is_significant"]) == ("b", "c", None, False)
    assert twins["reason"]["p"].startswith(system_pairs.SAME_DIFFERENCE)


def test_what_becomes_of_the_pairs_under_other_qrels_is_counted(tell):
    options = ["--test", "randomisation", "--level", "0.2"]
    turned = tell(LIKES_A, LIKES_B, a="aaaa", b="bbbb", options=options)
    assert turned["pairs"] == [
        {
            "first": "a",
            "second": "b",
            "difference": 1.0,
            "p": 1 / 8,
            "is_significant": True,
            "other_difference": -1.0,
            "other_p": 1 / 8,
            "other_is_significant": True,
            "class": "AD",
        }
    ]
    assert turned["changes"] == {
        "counts": {"AA": 0, "AD": 1, "MA": 0, "MD": 0, "PA": 0, "PD": 0},
        "shares": {"AA": 0.0, "AD": 1.0, "MA": 0.0, "MD": 0.0, "PA": 0.0, "PD": 0.0},
        "lost": [],
        "found": [],
    }
    evened = tell(LIKES_A, LIKES_BOTH, a="aaaa", b="bbbb", options=options)
    assert (evened["changes"]["counts"]["MA"], evened["changes"]["lost"]) == (1, [["a", "b"]])
    assert evened["significant"] == {"first": 1, "second": 0}
    assert tell(LIKES_BOTH, LIKES_A, a="aaaa", b="bbbb", options=options)["changes"]["found"] == [["a", "b"]]


def test_only_topics_that_both_qrels_have_are_tested(tell):
    found = tell(LIKES_A, "q1 0 a 1\nq2 0 a 1\nq9 0 a 1\n", a="aaaa", b="bbba")
    assert found["topic_ids"] == ["q1", "q2"]
    assert found["topics_only_in"] == {"first": ["q3", "q4"], "second": ["q9"]}


@pytest.mark.parametrize(
    ("qrels", "systems", "reason"),
    [
        ([LIKES_A], {"a": "aaaa"}, "fewer than two systems"),
        ([LIKES_A, LIKES_B], {"a": "aaaa"}, "fewer than two systems"),
        ([LIKES_A, "q9 0 a 1\n"], {"a": "aaaa", "b": "bbbb"}, "there is no topic that all qrels have"),
        ([""], {"a": "aaaa", "b": "bbbb"}, "there is no topic that all qrels have"),
    ],
)
def test_without_a_pair_or_a_topic_everything_is_null_with_its_reason(tell, qrels, systems, reason):
    found = tell(*qrels, **systems)
    names = ["pairs", "significant", "changes"][: len(qrels) + 1]
    assert [found[name] for name in names] == [None] * len(names)
    assert found["reason"] == dict.fromkeys(names, reason)


def test_one_topic_leaves_p_null_with_its_reason(tell):
    pair = tell("q1 0 a 1\n", a="aaaa", b="bbbb")["pairs"][0]
    assert (pair["difference"], pair["p"], pair["is_significant"]) == (1.0, None, False)
    assert "there is one topic" in pair["reason"]["p"]


@pytest.mark.parametrize("options", [("--level", "0"), ("--level", "five"), ("--test", "wilcoxon"), ("--seed", "x")])
def test_a_bad_option_is_named(tell, options):
    with pytest.raises(CommandError, match=options[0]):
        tell(LIKES_A, a="aaaa", b="bbbb", options=options)


def test_three_qrels_are_refused_with_exit_code_2(tell):
    with pytest.raises(CommandError, match="once or twice, not 3 times") as refused:
        tell(LIKES_A, LIKES_A, LIKES_A, a="aaaa")
    assert refused.value.returncode == 2


def test_two_runs_with_one_tag_are_refused_with_exit_code_2(write, answer):
    file = write("a.run", run("same", "aaaa"))
    with pytest.raises(CommandError, match="2 runs have the tag 'same'") as refused:
        answer("significance", "--qrels", write("q", LIKES_A), "--run", file, "--run", file)
    assert refused.value.returncode == 2


def test_a_bad_qrels_file_is_refused_with_its_line(tell):
    with pytest.raises(CommandError, match="line 1: .*whole number") as refused:
        tell("q1 0 a x\n", a="aaaa")
    assert refused.value.returncode == 2


def test_on_real_runs_the_counts_are_those_of_an_independent_script(answer):
    """TREC DL 2019, NIST and a model: pytrec_eval's values, and scipy's studentized range at 5 %."""
    folder = shared_data.path("dl19")
    official = [file for file in sorted((folder / "runs").glob("*.gz")) if not file.name.startswith("rankllm_")]
    qrels = [folder / "qrels.txt", folder / "llm" / "umbrela-gpt4o.qrels.gz"]
    arguments = [argument for file in qrels for argument in ("--qrels", str(file))]
    found = answer("significance", *arguments, *[part for file in official for part in ("--run", str(file))])
    assert (found["systems"], found["topics"], len(found["pairs"])) == (37, 43, 666)
    assert found["significant"] == {"first": 304, "second": 292}
    changes = found["changes"]
    assert changes["counts"] == {"AA": 276, "AD": 0, "MA": 44, "MD": 0, "PA": 318, "PD": 28}
    assert (len(changes["lost"]), len(changes["found"])) == (28, 16)
