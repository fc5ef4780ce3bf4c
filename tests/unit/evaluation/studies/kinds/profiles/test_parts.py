import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.libqsturng import psturng

from annotate.formats.records import Variant
from evaluation.statistics import rank_correlation
from evaluation.studies.design import PlanRefused, run_all
from evaluation.studies.kinds.profiles import parts
from evaluation.studies.kinds.profiles.plan import Inputs, Plan
from tests.unit.evaluation.studies.kinds.profiles import small


def computed(plan=small.PLAN, inputs=None):
    inputs = inputs or small.inputs()
    return run_all(parts, plan, inputs)


def by_hand(side):
    return {(cell["system"], cell["profile"]): (cell["mean"], cell["missing"]) for cell in side["means"]["cells"]}


def test_means_and_holes_are_those_reckoned_by_hand():
    """P@2 of bm25 as a child before: q1 (1/2 + 1/2) / 2 over two variants, q2 0; holes: q1 (0 + 1/2) / 2, q2 1."""
    before, after = computed()["sides"]
    assert by_hand(before) == {
        ("bm25", "child"): (0.25, 0.625),
        ("bm25", "expert"): (0.5, 0.5),
        ("dense", "child"): (0.25, 0.375),
        ("dense", "expert"): (0.5, 0.25),
    }
    assert by_hand(after) == {
        ("bm25", "child"): (0.375, 0.0),
        ("bm25", "expert"): (0.75, 0.0),
        ("dense", "child"): (0.375, 0.0),
        ("dense", "expert"): (0.5, 0.0),
    }
    assert [(each["profile"], each["mean"]) for each in after["means"]["profiles"]] == [
        ("child", 0.375),
        ("expert", 0.625),
    ]
    assert [(each["system"], each["mean"]) for each in after["means"]["seed"]] == [("bm25", 0.75), ("dense", 0.25)]


def test_tau_is_between_each_two_profiles_and_each_profile_and_the_seed_and_says_why_it_is_undefined():
    before, after = computed()["sides"]
    assert [(each["first"], each["second"], each["tau_b"]) for each in after["rankings"]] == [
        ("child", "expert", None),
        ("child", "seed query", None),
        ("expert", "seed query", 1.0),
    ]
    assert after["rankings"][0]["reason"] == {"tau_b": "all values of the first are equal"}


def test_each_profile_is_compared_with_the_seed_in_the_mean_over_systems():
    [child, expert] = computed()["sides"][1]["against_seed"]
    # Over systems, q1 and q2: child (.5, .25), expert (.75, .5), seed (.75, .25).
    assert (child["difference"], expert["difference"]) == (-0.125, 0.125)
    assert child["significantly"] == expert["significantly"] == ""
    # t = .125 / (.25 / sqrt(2) / sqrt(2)) = 1 with one degree of freedom: p is .5, twice that by Holm.
    assert child["p"] == expert["p"] == pytest.approx(1.0)


def test_without_runs_of_the_topics_own_queries_nothing_is_said_of_the_seed():
    side = computed(inputs=small.inputs(seed_runs=[]))["sides"][1]
    assert (side["against_seed"], side["means"]["seed"]) == ([], [])
    assert [each["second"] for each in side["rankings"]] == ["expert"]


def test_without_filled_grades_there_is_one_side():
    assert [side["side"] for side in computed(inputs=small.inputs(after=None))["sides"]] == ["before"]


def test_grades_that_count_by_their_probabilities_gain_what_is_expected_and_are_no_holes():
    """P@2 of bm25 as a child: q1 (1/2 + (.25 + 1) / 2) / 2 with the chances of c, q2 "bc" (0 + .5) / 2."""
    probabilities = {"q1": {"c": (0.75, 0.25, 0.0, 0.0)}, "q2": {"c": (0.5, 0.0, 0.5, 0.0), "b": (1.0, 0.0, 0.0, 0.0)}}
    found = computed(inputs=small.inputs(after=small.BEFORE, after_probabilities=probabilities))
    before, after = found["sides"]
    assert (before["by_chances"], after["by_chances"]) == (0, 3)
    assert by_hand(after)["bm25", "child"] == (((1 / 2 + 1.25 / 2) / 2 + 0.5 / 2) / 2, 0.0)
    assert by_hand(before) == by_hand(computed()["sides"][0])
    # The seed of bm25 ranks "ac" for both topics.
    [seed, _] = after["means"]["seed"]
    assert seed["mean"] == pytest.approx((1.25 / 2 + 1.5 / 2) / 2)


def test_a_topic_without_a_variant_of_each_profile_or_without_grades_is_left_out_with_the_reason():
    more = [
        *small.VARIANTS,
        Variant("z1", "q3", "child", 1),
        *(Variant(f"z{p}", "q4", p, 1) for p in ("child", "expert")),
    ]
    found = computed(inputs=small.inputs(variants=more, before=small.BEFORE | {"q3": {"a": 1}}))
    assert found["left_out"]["topics"] == [
        {"topic": "q3", "reason": "it has no variant of expert"},
        {"topic": "q4", "reason": "it has no grades"},
    ]
    assert found["sides"] == computed()["sides"]


def test_a_system_that_ranked_no_variant_of_a_profile_is_left_out_with_the_reason():
    short = small.ranked("short", {"x1": "ab"})
    found = computed(inputs=small.inputs(runs=[*small.inputs().runs, short]))
    assert found["left_out"]["systems"] == [{"system": "short", "reason": "it ranked no variant of expert"}]
    assert found["sides"] == computed()["sides"]


def test_only_the_systems_of_the_plan_are_compared():
    plan = small.PLAN.model_copy(update={"systems": ("dense",)})
    found = computed(plan)
    assert found["systems"] == ["dense"]
    side = found["sides"][0]
    assert (side["pairs"]["pairs"], side["pairs"]["by_method"][-1]["AA"]) == (0, None)
    assert side["pairs"]["by_method"][-1]["reason"]["AA"] == "fewer than two systems"


@pytest.mark.parametrize(
    ("plan", "changes", "sentence"),
    [
        ({"systems": ("best",)}, {}, "no run of query variants has the tag 'best'"),
        ({}, {"variants": []}, "there is no query variant"),
        ({}, {"before": {}}, "no topic has both grades and a variant of every profile"),
        ({}, {"runs": []}, "no system ranked variants of every profile: there is no run"),
        ({}, {"runs": [small.ranked("b", {"x1": "a"})]}, "every profile: b ranked none of expert"),
        ({"variants_as": "replicates"}, {}, "topic q1 has 2 variants of child and topic q2 has 1 of child"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_computed(plan, changes, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        parts.list_parts(small.PLAN.model_copy(update=plan), small.inputs(**changes))


def test_the_order_of_the_inputs_does_not_matter_and_the_result_is_json():
    there = small.inputs()
    turned = small.inputs(
        runs=there.runs[::-1],
        seed_runs=there.seed_runs[::-1],
        variants=there.variants[::-1],
        before={topic: dict(reversed(grades.items())) for topic, grades in reversed(there.before.items())},
    )
    texts = [json.dumps(computed(inputs=each), allow_nan=False) for each in (there, turned)]
    assert texts[0] == texts[1]


TOPICS, SYSTEMS, PROFILES = [f"q{n}" for n in range(9)], ["r", "s", "t", "u"], ["child", "expert", "voice"]


@pytest.fixture(scope="module")
def larger():
    """Four systems, of which each finds the good passages later than the one before, on three profiles."""
    random = np.random.default_rng(5)
    listed = [
        Variant(f"v{place}", topic, profile, 1) for place, (topic, profile) in enumerate(product(TOPICS, PROFILES))
    ]
    grades = {topic: {f"p{n}": int(random.integers(0, 4)) for n in range(30)} for topic in TOPICS}
    runs = []
    for place, system in enumerate(SYSTEMS):
        rankings = {}
        for variant in listed:
            noise = random.normal(0.0, 0.4 + place, 30)
            rankings[variant.variant_id] = {
                name: grade + noise[n] for n, (name, grade) in enumerate(grades[variant.query_id].items())
            }
        runs.append(small.runs.build_run(system, rankings))
    inputs = Inputs(runs=runs, variants=listed, before=grades, methods={"child": "group", "voice": "group"})
    plan = Plan(resamples=20)
    return parts.run_part(plan, inputs, "before"), runs, listed, grades


@pytest.fixture(scope="module")
def scores(larger):
    """nDCG@10 by the formula, not by the package: (system, profile, topic, score)."""
    _, runs, listed, grades = larger
    discounts = 1 / np.log2(np.arange(2, 12))
    rows = []
    for run in runs:
        for variant in listed:
            known = grades[variant.query_id]
            gains = [known[name] for name in run.ranking(variant.variant_id, 10)]
            ideal = sorted(known.values(), reverse=True)[:10]
            rows.append((run.tag, variant.profile, variant.query_id, gains @ discounts / (ideal @ discounts)))
    return pd.DataFrame(rows, columns=["system", "profile", "topic", "score"])


def test_the_three_way_analysis_of_variance_is_that_of_statsmodels(larger, scores):
    three = larger[0]["variance"]["three_way"]
    table = anova_lm(ols("score ~ (C(topic) + C(system) + C(profile)) ** 2", scores).fit())
    for effect in three["effects"]:
        row = table.loc[":".join(f"C({name})" for name in effect["name"].split(":"))]
        assert (effect["sum_of_squares"], effect["f"], effect["p"]) == pytest.approx((row.sum_sq, row.F, row["PR(>F)"]))
        excess = row.df * (row.F - 1)
        assert effect["partial_omega_squared"] == pytest.approx(excess / (excess + len(scores)))


def test_tukey_and_the_classes_are_those_of_the_formulas(larger, scores):
    """HSD: |difference| / sqrt(MSE / topics) against the studentized range; classes by their definition."""
    found = larger[0]["pairs"]
    significant, differences = {}, {}
    for profile in PROFILES:
        own = scores[scores.profile == profile]
        fit = ols("score ~ C(system) + C(topic)", own).fit()
        means = own.groupby("system").score.mean()
        for a, b in [(a, b) for place, a in enumerate(SYSTEMS) for b in SYSTEMS[place + 1 :]]:
            differences[profile, a, b] = means[a] - means[b]
            q = abs(means[a] - means[b]) / np.sqrt(fit.mse_resid / len(TOPICS))
            significant[profile, a, b] = np.squeeze(psturng(q, len(SYSTEMS), fit.df_resid)) < 0.05
    assert {each["profile"]: each["significant"] for each in found["tested"]} == {
        profile: sum(sure for (name, *_), sure in significant.items() if name == profile) for profile in PROFILES
    }
    for each in found["shares"]:
        classes = []
        for _, a, b in [key for key in significant if key[0] == each["first"]]:
            sides = [(profile, a, b) for profile in (each["first"], each["second"])]
            letter = "PMA"[sum(map(significant.get, sides))]
            classes.append(letter + ("D" if differences[sides[0]] * differences[sides[1]] < 0 else "A"))
        assert {name: each[name] * 6 for name in ("AA", "AD", "MA", "MD", "PA", "PD")} == pytest.approx(
            {name: classes.count(name) for name in ("AA", "AD", "MA", "MD", "PA", "PD")}
        )
    assert any(each["AA"] for each in found["shares"]) and any(each["MA"] or each["PA"] for each in found["shares"])
    within, between, all_pairs = found["by_method"]
    assert [(group["method"], group["profile_pairs"]) for group in found["by_method"]] == [
        ("group", 1),
        ("between methods", 2),
        ("all", 3),
    ]
    assert all_pairs["AA"] == pytest.approx((within["AA"] + 2 * between["AA"]) / 3)


def test_the_rankings_are_correlated_by_the_means_of_the_systems(larger, scores):
    means = scores.groupby(["profile", "system"]).score.mean()
    for each in larger[0]["rankings"]:
        counts = rank_correlation.count_scores(means[each["first"]].round(12), means[each["second"]].round(12))
        assert each["tau_b"] == rank_correlation.tau_b(counts).value
