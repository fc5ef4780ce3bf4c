import pickle
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from annotate.formats.records import GradeScale
from annotate.judges import calibrated, text_features, training
from benchmarks import calibrated_judge, learned_judge
from tests import shared_data
from tests.unit.annotate.judges.small_collection import small

Pair = tuple[str, str]
GIVEN = small()
GRADES: dict[Pair, int] = GIVEN["grades"]
INDEX = text_features.build_index(topics=GIVEN["topics"], passages=GIVEN["passages"], seed=0)
CATS = [pair for pair in GRADES if pair[0] == "cats"]
SHIPS = [pair for pair in GRADES if pair[0] == "ships"]
RAW = "models' grades stand as they are"


def told(seed: int = 0) -> dict[Pair, int]:
    """A model that grades too high, and sees the grade only through noise."""
    rng = np.random.default_rng(seed)
    return {pair: int(np.clip(grade + rng.choice([0, 1, 2]), 0, 3)) for pair, grade in GRADES.items()}


MODEL = told()


def without(*holes: Pair) -> dict[Pair, int]:
    return {pair: grade for pair, grade in GRADES.items() if pair not in holes}


def fit(grades: Mapping[Pair, int], *models: Mapping[Pair, object], **options: object) -> calibrated.CalibratedJudge:
    return calibrated.fit_judge(INDEX, grades, scale=options.pop("scale", GradeScale()), models=models, **options)


@pytest.fixture(scope="module")
def judge() -> calibrated.CalibratedJudge:
    return fit(GRADES, MODEL)


def error(suggested: Mapping[Pair, float]) -> float:
    return float(np.mean([abs(grade - GRADES[pair]) for pair, grade in suggested.items()]))


def test_it_corrects_what_the_model_gets_wrong(judge):
    found = dict(zip(GRADES, judge.predict(list(GRADES)), strict=True))
    assert not judge.warning
    assert error({pair: said.grade for pair, said in found.items()}) < 0.5 * error(MODEL)
    assert error({pair: said.gain(range(4)) for pair, said in found.items()}) < 0.8 * error(MODEL)


def test_the_reason_names_the_models_grade_the_leniency_and_the_two_nearest_passages(judge):
    parts = judge.predict([("cats", "cats-03")])[0].reason.split("; ")
    assert parts[0] == f"the model says grade {MODEL['cats', 'cats-03']}"
    assert parts[1].startswith("this topic is graded")
    assert parts[2].startswith("nearest judged passages cats-") and parts[2].count(", grade ") == 2
    assert "cats-03" not in parts[2]


def test_a_strict_assessor_is_told_and_followed():
    """Ships are graded a step lower than the same words elsewhere."""
    strict = {pair: max(grade - 1, 0) if pair in SHIPS else grade for pair, grade in GRADES.items()}
    found = fit(strict, GRADES).predict([("ships", "ships-03"), ("cats", "cats-03")])
    assert GRADES["ships", "ships-03"] == GRADES["cats", "cats-03"] == 3
    assert "this topic is graded 0." in found[0].reason and " lower than others" in found[0].reason
    assert [said.grade for said in found] == [2, 3]


@pytest.mark.parametrize("worth", [(0, 1, 2, 3), (0, 1, 3, 7), (0, 0, 1, 1), (0, 1, 3, 10)])
def test_gains_are_drawn_to_the_model_by_forty_pairs_whatever_a_grade_gains(judge, worth):
    for said, pair in zip(judge.predict(CATS), CATS, strict=True):
        weight = len(CATS) / (len(CATS) + 40)
        expected = weight * np.dot(said.probabilities, worth) + (1 - weight) * worth[MODEL[pair]]
        assert said.gain(worth) == pytest.approx(expected)


def test_a_topic_with_fewer_than_five_judged_pairs_has_the_models_own_grades():
    for kept in (0, 4):
        grades = without(*CATS[kept:])
        for said, pair in zip(fit(grades, MODEL, may_carry_over=True).predict(CATS[4:]), CATS[4:], strict=True):
            assert said.grade == MODEL[pair] == said.gain(range(4))
            assert max(said.probabilities) < 1
            assert "fewer than 5 judged passages in this topic" in said.reason


def test_with_nothing_judged_it_is_the_model():
    judge = fit({}, MODEL)
    assert f"at least 10 judged pairs, and there are 0: {RAW}" in judge.warning
    for said, pair in zip(judge.predict(CATS), CATS, strict=True):
        assert said.grade == MODEL[pair]
        assert said.probabilities == said.for_scoring
        assert said.reason.endswith(judge.warning)


def test_holes_that_the_model_sees_as_others_are_given_its_grades():
    holes = [pair for pair, grade in GRADES.items() if grade >= 2][::2]
    judge = fit(without(*holes), GRADES)
    assert judge.warning.endswith(RAW) and "in the holes (mean grade 2.00)" in judge.warning
    assert [said.grade for said in judge.predict(holes)] == [GRADES[pair] for pair in holes]
    assert judge.hindsight() == {}
    assert not fit(without(*holes), GRADES, may_carry_over=True).warning


def test_who_knows_that_holes_are_of_another_kind_is_believed():
    assert fit(without(*CATS[::3]), MODEL).warning == ""
    assert fit(without(*CATS[::3]), MODEL, may_carry_over=False).warning.endswith(RAW)
    alone = fit(GRADES, may_carry_over=False)
    assert "may not hold" in alone.warning
    assert alone.predict(CATS[:1])[0].reason.endswith(alone.warning)


def test_pairs_of_which_no_model_says_anything_are_left_to_text():
    part = {pair: said for pair, said in MODEL.items() if pair not in CATS[:4]}
    judge = fit(GRADES, part)
    found = judge.predict(CATS[:6])
    assert found[:4] == fit(GRADES).predict(CATS[:4])
    assert [said.reason.startswith("covers") for said in found] == [True] * 4 + [False] * 2
    assert judge.has_label(*CATS[4]) and not judge.has_label(*CATS[0])


def test_several_models_say_more_than_one():
    models = [told(seed) for seed in range(5)]
    several = dict(zip(GRADES, fit(GRADES, *models).predict(list(GRADES)), strict=True))
    one = dict(zip(GRADES, fit(GRADES, models[0]).predict(list(GRADES)), strict=True))

    def surprise(found: dict) -> float:
        return -float(np.mean([np.log(said.probabilities[GRADES[pair]] + 1e-6) for pair, said in found.items()]))

    assert surprise(several) < surprise(one)
    assert several[CATS[0]].reason.startswith("the models say grades ")


def test_probabilities_of_a_model_are_heard_too():
    certain = fit(GRADES, {pair: np.eye(4)[grade].tolist() for pair, grade in MODEL.items()})
    assert certain.predict(CATS) == fit(GRADES, MODEL).predict(CATS)
    torn = fit({}, {pair: [0.25, 0.25, 0, 0.5] for pair in GRADES})
    [said] = torn.predict(CATS[:1])
    assert (said.grade, said.gain(range(4))) == (1, 1.75)
    assert said.reason.startswith("the model says grade 1.8; ")


@pytest.mark.parametrize("bounds", [(0, 1), (0, 2), (1, 5), (0, 10)])
def test_other_scales_work(bounds):
    scale = GradeScale(*bounds)
    given = small(scale)
    index = text_features.build_index(topics=given["topics"], passages=given["passages"], seed=0)
    judge = calibrated.fit_judge(
        index, given["grades"], scale=scale, models=[dict.fromkeys(given["grades"], scale.high)]
    )
    for said in judge.predict(list(given["grades"])[:20]):
        assert said.grade in scale
        assert len(said.probabilities) == len(said.for_scoring) == len(scale.grades)
        assert sum(said.probabilities) == pytest.approx(1, abs=1e-9) == sum(said.for_scoring)


def test_slicing_pickling_and_order_change_nothing(judge):
    whole = judge.predict(CATS)
    assert [judge.predict([pair])[0] for pair in CATS] == whole
    assert pickle.loads(pickle.dumps(judge)).predict(CATS[::-1]) == whole[::-1]
    turned = fit(dict(reversed(GRADES.items())), dict(reversed(MODEL.items())))
    assert pickle.dumps(turned.predict(CATS)) == pickle.dumps(whole)


def test_a_pairs_own_grade_does_not_speak_for_it():
    """Only this one grade differs, so a judge that looked at it would follow it; it is still one of 90 for all."""
    pair = ("cats", "cats-05")
    low, high = (fit({**GRADES, pair: grade}, MODEL).predict([pair])[0] for grade in (0, 3))
    assert low.grade == high.grade
    assert np.abs(np.subtract(low.probabilities, high.probabilities)).max() < 0.25


def test_copies_of_a_passage_speak_for_it_unless_they_may_not():
    pair = ("cats", "cats-03")
    copies = {f"copy-{number}": GIVEN["passages"]["cats-03"] + "." for number in range(4)}
    index = text_features.build_index(topics=GIVEN["topics"], passages={**GIVEN["passages"], **copies}, seed=0)

    def gap(*, may_copies_speak: bool) -> float:
        low, high = (
            calibrated.fit_judge(
                index,
                {**GRADES, **{("cats", copy): grade for copy in copies}},
                scale=GradeScale(),
                models=[{**MODEL, **{("cats", copy): MODEL[pair] for copy in copies}}],
                may_copies_speak=may_copies_speak,
            ).predict([pair])[0]
            for grade in (0, 3)
        )
        assert ("copy" in low.reason) is may_copies_speak
        return float(np.dot(high.probabilities, range(4)) - np.dot(low.probabilities, range(4)))

    assert gap(may_copies_speak=True) > gap(may_copies_speak=False) + 0.5


def test_hindsight_tells_of_each_judged_pair_what_was_not_learned_from_it(judge):
    found = judge.hindsight()
    assert set(found) == set(GRADES)
    own = np.array([found[pair][grade] for pair, grade in GRADES.items()])
    said = zip(judge.predict(list(GRADES)), GRADES.values(), strict=True)
    fitted = np.array([one.probabilities[grade] for one, grade in said])
    assert 0.4 < own.mean() < fitted.mean()
    assert set(fit(GRADES).hindsight()) == set(GRADES)


def test_what_cannot_be_learned_from_is_refused():
    with pytest.raises(training.TooFewGrades, match="there are 3"):
        fit(without(*list(GRADES)[3:]))
    with pytest.raises(training.UnknownPair, match="passage nowhere of topic cats"):
        fit({**GRADES, ("cats", "nowhere"): 1}, {**MODEL, ("cats", "nowhere"): 1})
    with pytest.raises(ValueError, match="not on the scale"):
        fit({**GRADES, CATS[0]: 9}, MODEL)
    with pytest.raises(training.TooFewGrades):
        fit({}, {CATS[0]: 1}).predict(CATS[1:2])


@cache
def dl19():
    return calibrated_judge.ground(learned_judge.dl19(shared_data.path()))


@cache
def fill_dl19(seed):
    return calibrated_judge.fill(dl19(), calibrated_judge.own_grades("umbrela-gpt4o"), fraction=0.5, seed=seed)


@pytest.mark.xdist_group("calibrated on dl19")
@pytest.mark.parametrize("seeds", [(1,), pytest.param((1, 2, 3, 4, 5), marks=pytest.mark.slow)], ids=len)
def test_holes_of_dl19_are_filled_better_than_by_the_model(seeds):
    outcomes = [fill_dl19(seed) for seed in seeds]
    assert np.mean([outcome.alpha for outcome in outcomes]) >= 0.79
    assert np.mean([outcome.kappa for outcome in outcomes]) >= 0.71
    assert np.mean([outcome.ece for outcome in outcomes]) <= 0.03
