import io
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

QRELS = "".join(f"q{topic} 0 p{passage} {passage % 4}\n" for topic in range(4) for passage in range(8))
TOPICS, SYSTEMS, PROFILES, NUMBERS = ("q0", "q1", "q2", "q3"), ("x", "y", "z"), ("child", "expert"), (1, 2)
VARIANTS = {f"v{place}": variant for place, variant in enumerate(product(TOPICS, PROFILES, NUMBERS))}
VARIANTS_FILE = "".join(
    f"{name}\t{topic}\t{profile}\t{number}\n" for name, (topic, profile, number) in VARIANTS.items()
)


def run(tag, topics, seed):
    """The eight passages of each topic in an order of their own."""
    random = np.random.default_rng(seed)
    scores = {topic: random.permutation(8) for topic in topics}
    return "".join(f"{topic} Q0 p{p} 0 {score} {tag}\n" for topic, row in scores.items() for p, score in enumerate(row))


@pytest.fixture
def arguments(write):
    """The arguments of the command, for systems that ranked these topics."""

    def make(topics, *options, qrels=QRELS, systems=SYSTEMS):
        files = [write(f"{tag}.run", run(tag, topics, seed)) for seed, tag in enumerate(systems)]
        return ["--qrels", write("qrels", qrels), *[part for file in files for part in ("--run", file)], *options]

    return make


@pytest.fixture
def by_profile(arguments, write):
    """The same, for the variants in a file and these options."""

    def make(*options, listed=VARIANTS_FILE, topics=VARIANTS):
        return arguments(topics, "--variants", write("variants.tsv", listed), *options)

    return make


def scores_of(answer, given, topics):
    """What `score` says, in the order of systems and topics."""
    told = answer("score", *given, "--measures", "nDCG@10", "--per-topic")
    by_system = {each["run"]: each["measures"]["nDCG@10"]["by_topic"] for each in told["runs"]}
    return [(system, topic, by_system[system][topic]) for system in SYSTEMS for topic in topics]


def assert_equal(told, scores, formula):
    """The answer against an ordinary least squares fit of statsmodels."""
    table = anova_lm(ols(formula, scores).fit())
    for effect in told["effects"]:
        row = table.loc[":".join(f"C({name})" for name in effect["name"].split(":"))]
        expected = dict(zip(("df", "sum_of_squares", "mean_square", "f", "p"), row.tolist(), strict=True))
        excess = row["df"] * (row["F"] - 1)
        expected["partial_omega_squared"] = excess / (excess + len(scores))
        assert {key: effect[key] for key in expected} == pytest.approx(expected)
    residual = table.loc["Residual"]
    assert (told["residual"]["df"], told["residual"]["sum_of_squares"]) == pytest.approx(tuple(residual[:2]))
    assert len(told["effects"]) + 1 == len(table)


def test_systems_and_topics_are_analysed_as_statsmodels_does(answer, arguments):
    given = arguments(TOPICS)
    told = answer("anova", *given, "--json")
    frame = pd.DataFrame(scores_of(answer, given, TOPICS), columns=["system", "topic", "score"])
    assert_equal(told, frame, "score ~ C(system) + C(topic)")
    assert (told["systems"], told["topics"], told["n"], told["measure"]) == (3, 4, 12, "nDCG@10")
    assert (told["scale"], told["missing"], "variants" in told) == ("0-3", {}, False)


@pytest.mark.parametrize("treatment", ["averaged", "replicates"])
def test_profiles_are_analysed_as_statsmodels_does(answer, arguments, by_profile, treatment):
    told = answer("anova", *by_profile("--json", "--variants-as", treatment))
    qrels = "".join(
        f"{name} {line.partition(' ')[2]}\n"
        for name, (topic, *_) in VARIANTS.items()
        for line in QRELS.splitlines()
        if line.startswith(topic)
    )
    scores = scores_of(answer, arguments(VARIANTS, qrels=qrels), VARIANTS)
    rows = [(system, *VARIANTS[name], score) for system, name, score in scores]
    frame = pd.DataFrame(rows, columns=["system", "topic", "profile", "number", "score"])
    if treatment == "averaged":
        frame = frame.groupby(["system", "topic", "profile"], as_index=False)["score"].mean()
    assert_equal(told, frame, "score ~ (C(topic) + C(system) + C(profile)) ** 2")
    assert (told["systems"], told["topics"], told["profiles"], told["variants"]) == (3, 4, 2, 16)
    assert (told["variants_as"], told["variants_left_out"]) == (treatment, 0)


def test_variants_are_averaged_where_nothing_is_said(answer, by_profile):
    assert answer("anova", *by_profile("--json")) == answer("anova", *by_profile("--json", "--variants-as", "averaged"))


def test_a_run_for_each_profile_is_as_good_as_one_for_all(answer, by_profile, write):
    given = by_profile("--json")
    whole = answer("anova", *given)
    for place, part in enumerate(given):
        if part.endswith(".run"):
            lines = Path(part).read_text().splitlines(keepends=True)
            halves = ["".join(line for line in lines if profile in VARIANTS[line.split()[0]]) for profile in PROFILES]
            given[place] = write(f"{place}.child", halves[0])
            given += ["--run", write(f"{place}.expert", halves[1])]
    assert given.count("--run") == 6
    assert answer("anova", *given) == whole


def test_variants_of_topics_without_grades_are_left_out_and_counted(answer, by_profile):
    listed = VARIANTS_FILE + "w1\tq9\tchild\t1\nw2\tq9\texpert\t1\n"
    told = answer("anova", *by_profile("--json", listed=listed))
    assert (told["variants"], told["variants_left_out"], told["topics"]) == (16, 2, 4)


def test_a_topic_for_which_nothing_was_retrieved_counts_and_is_told(answer, arguments, write):
    given = arguments(TOPICS, "--run", write("w.run", run("w", TOPICS[:3], 9)))
    told = answer("anova", *given, "--json")
    assert (told["n"], told["missing"]) == (16, {"w": ["q3"]})
    assert "- w retrieved nothing for q3: these count too\n" in table_of(given)


def table_of(given):
    stdout = io.StringIO()
    call_command("anova", *given, stdout=stdout)
    return stdout.getvalue()


def test_without_json_it_is_a_table(by_profile):
    caption, heads, *rows = table_of(by_profile()).splitlines()
    assert caption == (
        "nDCG@10; systems: 3, topics: 4, profiles: 2, variants: 16, variants as: averaged, variants left out: 0"
    )
    assert " ".join(heads.split()) == "effect sum of squares df mean square F p partial omega squared"
    names = ["topic", "system", "profile", "topic:system", "topic:profile", "system:profile", "left over"]
    assert [row.split("  ")[0] for row in rows] == names


def test_one_system_and_one_topic_say_why_nothing_can_be_tested(answer, arguments):
    given = arguments(TOPICS, systems=["x"])
    system, topic = answer("anova", *given, "--json")["effects"]
    assert (system["f"], system["reason"]["f"]) == (None, "there is only one system")
    assert (topic["p"], topic["reason"]["p"]) == (None, "nothing is left over to compare with")
    assert table_of(given).endswith(
        "- system: there is only one system\n- topic: nothing is left over to compare with\n"
    )
    one_topic = "".join(line for line in QRELS.splitlines(keepends=True) if line.startswith("q1"))
    _, topic = answer("anova", *arguments(TOPICS, qrels=one_topic), "--json")["effects"]
    assert topic["reason"]["partial_omega_squared"] == "there is only one topic"


@pytest.mark.parametrize(
    ("listed", "options", "reason"),
    [
        (VARIANTS_FILE.replace("expert\t1", "expert\t3", 1), ["--variants-as", "replicates"], None),
        (
            "\n".join(line for line in VARIANTS_FILE.splitlines() if not line.startswith("v2\t")),
            ["--variants-as", "replicates"],
            "topic q0, system x, profile expert has 1 variant and topic q0, system x, profile child has 2",
        ),
        (
            "\n".join(line for line in VARIANTS_FILE.splitlines() if "q2\texpert" not in line),
            [],
            "topic q2, system x, profile expert has no score",
        ),
        (VARIANTS_FILE + "w1\tq1\tpirate\t1\n", [], "system x retrieved nothing for any variant of profile pirate"),
        ("w1\tq9\tchild\t1\n", [], "variants.tsv: no variant is of a topic in .*qrels"),
        ("w1\tq9\tchild\n", [], "variants.tsv, line 1: expected 4 columns"),
    ],
)
def test_an_unbalanced_design_is_refused_by_its_cell(by_profile, listed, options, reason):
    given = by_profile(*options, listed=listed)
    if reason is None:  # numbers need not follow each other
        assert "left over" in table_of(given)
        return
    with pytest.raises(CommandError, match=reason) as refused:
        table_of(given)
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--variants-as", "replicates"], "--variants-as needs --variants"),
        (["--qrels", "nowhere"], "nowhere: cannot be read"),
        (["--measure", "best@3"], "best"),
    ],
)
def test_a_bad_option_is_named(arguments, options, reason):
    with pytest.raises(CommandError, match=reason):
        table_of(arguments(TOPICS, *options))


def test_qrels_without_a_topic_are_refused(arguments):
    with pytest.raises(CommandError, match="qrels: there is no topic") as refused:
        table_of(arguments(TOPICS, qrels=""))
    assert refused.value.returncode == 2


def test_two_runs_with_one_tag_on_one_topic_are_refused(arguments, write):
    with pytest.raises(CommandError, match="2 runs with the tag 'x' rank topic q0") as refused:
        table_of(arguments(TOPICS, "--run", write("again.run", run("x", TOPICS, 5))))
    assert refused.value.returncode == 2
