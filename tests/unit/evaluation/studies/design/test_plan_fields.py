import pytest

from evaluation.studies.design import plan_fields
from evaluation.studies.design.plan_fields import PlanRefused
from evaluation.studies.kinds.holes import plan as holes
from evaluation.studies.kinds.mixed import plan as mixed
from evaluation.studies.kinds.profiles import plan as profiles
from evaluation.studies.kinds.sources import plan as sources


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda: plan_fields.check_names({"colour": 1}, ["seed", "level"]), "no 'colour'; it has level, seed"),
        (lambda: plan_fields.text({"rule": 3}, "rule", ""), "rule is 3, and should be text"),
        (lambda: plan_fields.texts({"systems": "bm25"}, "systems"), "systems is 'bm25', and should be a list"),
        (lambda: plan_fields.texts({"systems": [1]}, "systems"), r"systems is \[1\], and should be a list of texts"),
        (lambda: plan_fields.flag({"all": 1}, "all", True), "all is 1, and should be true or false"),
        (lambda: plan_fields.whole({"n": True}, "n", 1, lowest=1, highest=9), "n is True, .* from 1 to 9"),
        (lambda: plan_fields.whole({"n": 10}, "n", 1, lowest=1, highest=9), "n is 10, .* from 1 to 9"),
        (lambda: plan_fields.share({"level": 1}, "level", 0.5), "level is 1, .* between 0 and 1"),
        (lambda: plan_fields.share({"level": float("nan")}, "level", 0.5), "level is nan, .* between 0 and 1"),
        (lambda: plan_fields.one_of({"as": "x"}, "as", ("a", "b")), "as is 'x', and should be one of a, b"),
        (lambda: plan_fields.measure({"measure": "P"}, "P@5"), "P needs a cut-off"),
        (lambda: plan_fields.seed({"seed": -1}), "seed is -1"),
    ],
)
def test_each_fault_has_its_sentence(read, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        read()


def test_what_is_not_said_is_as_usual():
    assert plan_fields.text({}, "rule", "usual") == "usual"
    assert plan_fields.texts({}, "systems") == ()
    assert plan_fields.flag({}, "all", True) is True
    assert plan_fields.whole({}, "n", 3, lowest=1, highest=9) == 3
    assert plan_fields.share({}, "level", 0.05) == 0.05
    assert plan_fields.one_of({}, "as", ("a", "b")) == "a"
    assert plan_fields.measure({}, "P@5") == "P@5"
    assert plan_fields.seed({}) == 0


def test_a_list_has_each_text_once_and_a_measure_its_own_spelling():
    assert plan_fields.texts({"systems": ["b", "a", "b"]}, "systems") == ("b", "a")
    assert plan_fields.measure({"measure": "nDCG( gain = exp )@10"}, "P@5") == "nDCG(gain=exp)@10"


LONG = "x" * 20_000


@pytest.mark.parametrize("read", [holes.read, mixed.read_plan, profiles.Plan.read, sources.Plan.read])
@pytest.mark.parametrize("sent", [LONG, [LONG], {LONG: 1}, f"nDCG(gain={LONG})@10", f"nDCG({LONG}=1)@10", f"P@{LONG}"])
def test_no_refusal_repeats_what_was_sent_at_length(read, sent):
    refused = 0
    for name in (*read({"model": "gpt"} if read == sources.Plan.read else {}).to_json(), LONG):
        try:
            read({name: sent})
        except ValueError as sentence:
            assert len(str(sentence)) < 400
            refused += 1
    assert refused
