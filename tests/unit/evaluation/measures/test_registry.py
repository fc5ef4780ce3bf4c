import pytest

from evaluation.measures import registry


@pytest.mark.parametrize(
    "text",
    [
        "nDCG@10",
        "nDCG",
        "nDCG(gain=exp)@10",
        "nDCG(rel=2)@10",
        "nDCG(gain=0/1/5/10)@10",
        "nDCG(unjudged=condensed)@10",
        "DCG(gain=exp)@5",
        "AP",
        "AP(rel=2)",
        "AP(rel=1)@100",
        "P(rel=2)@10",
        "R@100",
        "RR",
        "ERR@20",
        "RBP(p=0.8)",
        "RBP(p=0.95,rel=2,part=residual)@10",
        "bpref(rel=2)",
        "Judged@10",
    ],
)
def test_canonical_names_round_trip(text):
    measure = registry.parse(text)
    assert str(measure) == text
    assert registry.parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ('nDCG(dcg="log2")@10', "nDCG(gain=linear)@10"),
        ("nDCG(judged_only=True)@10", "nDCG(unjudged=condensed)@10"),
        ("NDCG@10", "nDCG@10"),
        ("MAP(rel=2)", "AP(rel=2)"),
        ("MRR@10", "RR@10"),
        ("Bpref", "bpref"),
        (" nDCG( rel = 2 , gain = exp )@10 ", "nDCG(gain=exp,rel=2)@10"),
        ("RBP(p=0.80)", "RBP(p=0.8)"),
        ("AP()", "AP"),
    ],
)
def test_other_spellings_are_understood(text, canonical):
    assert str(registry.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nDGC@10", "unknown measure 'nDGC'; known are AP, bpref"),
        ("", "is not the name of a measure"),
        ("nDCG@ten", "is not the name of a measure"),
        ("nDCG@10;P@5", "is not the name of a measure"),
        ("nDCG(gain=exp@10", "is not the name of a measure"),
        ("nDCG(p=0.8)@10", "nDCG has no parameter 'p'; it takes gain, rel, unjudged"),
        ("Judged(rel=1)@10", "Judged has no parameter 'rel'; it takes none"),
        ("nDCG(exp)@10", "'exp' is not written as name=value"),
        ("nDCG(rel=2,rel=3)@10", "nDCG is given rel twice"),
        ("nDCG(gain=square)@10", "nDCG: gain=square is not linear, exp or a list"),
        ("nDCG(unjudged=skip)@10", "unjudged=skip is none of zero, condensed"),
        ("P(rel=0)@10", "rel=0 is not a whole number of at least 1"),
        ("P(rel=1.5)@10", "rel=1.5 is not a whole number of at least 1"),
        ("P(rel=²)@10", "is not a whole number of at least 1"),
        ("RBP(p=1)", "p=1 is not above 0 and below 1"),
        ("RBP(p=nan)", "p=nan is not above 0 and below 1"),
        ("RBP(p=x)", "p=x is not a number"),
        ("P", "P needs a cut-off, as in P@10"),
        ("Judged", "Judged needs a cut-off"),
        ("bpref@10", "bpref takes no cut-off"),
        ("nDCG@0", "the cut-off is at least 1"),
    ],
)
def test_a_refusal_names_what_is_not_known(text, reason):
    with pytest.raises(registry.MeasureRefused) as refused:
        registry.parse(text)
    assert reason in str(refused.value)


def test_a_list_is_split_at_the_commas_outside_parentheses():
    listed = registry.parse_list("nDCG@10,nDCG(gain=exp,rel=2)@10, Judged@10")
    assert list(map(str, listed)) == ["nDCG@10", "nDCG(gain=exp,rel=2)@10", "Judged@10"]


def test_a_measure_named_twice_is_listed_once():
    assert list(map(str, registry.parse_list("nDCG(dcg='exp-log2')@10,nDCG(gain=exp)@10"))) == ["nDCG(gain=exp)@10"]


@pytest.mark.parametrize("text", ["nDCG@10,", ",", "nDCG@10,,P@5"])
def test_a_gap_in_a_list_is_refused(text):
    with pytest.raises(registry.MeasureRefused):
        registry.parse_list(text)


def test_every_measure_says_what_it_is_in_one_sentence():
    for name, definition in registry.definitions().items():
        assert definition.name == name
        assert definition.sentence.endswith(".") and definition.compute.__doc__


def test_no_name_means_two_measures():
    names = [name for d in registry.definitions().values() for name in (d.name, *d.aliases)]
    assert len(names) == len(set(names))
