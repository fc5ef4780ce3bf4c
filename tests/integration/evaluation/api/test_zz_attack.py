
import pytest

import tests.integration.evaluation.api.test_studies as base
from evaluation.models import Study
from tests.integration.evaluation import study_site
from tests.integration.evaluation.api.test_studies import *  # noqa

pytestmark = base.pytestmark

PLANS = [
    {"fractions": [1e308 * 10]},
    {"fractions": [float("nan")]},
    {"fractions": [True]},
    {"fractions": [[]]},
    {"fractions": {}},
    {"fractions": "0.5"},
    {"systems": ["x" * 100000]},
    {"systems": [{}]},
    {"holes": ["depth:5"] * 1000},
    {"holes": ["depth:٣"]},
    {"holes": ["depth:" + "9" * 5000]},
    {"fillers": ["model:" + "x" * 100000]},
    {"fillers": ["calibrated:gpt", "learned"]},
    {"fillers": ["constant:²"]},
    {"seed": 2**64},
    {"seed": -1},
    {"level": 1e-320},
    {"level": "0.05"},
    {"depth": 10**30},
    {"reference": None},
    {"reference": ["gpt"]},
    {"fillers": ["model:people", "model:consensus", "model:reference", "model:nist"]},
    {"reference": "gpt", "fillers": ["model:gpt"]},
    {"holes": None},
    {"gain": {}},
    {"trials": 1.0},
    {"trials": True},
    {"__class__": 1},
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: ascii(p)[:50])
def test_plans(researcher, plan):
    answer = researcher.post("studies/start/", {"kind": "HOLES", "plan": plan})
    print(answer.status_code, answer.content[:200], len(answer.content))
    assert answer.status_code in (202, 400, 409)


@pytest.mark.parametrize("kind", ["PROFILES", "SOURCES", "MIXED"])
@pytest.mark.parametrize(
    "plan",
    [
        {"seed": 1},
        {"raters": ["gpt"]},
        {"rater": "gpt"},
        {"measure": "nDCG@" + "9" * 5000},
        {"measure": "AP" * 10000},
        {"level": float("nan")},
        {"model": "gpt"},
        {"model": "nist"},
        {"models": ["gpt", "gpt"]},
    ],
    ids=lambda p: ascii(p)[:30],
)
def test_other(researcher, kind, plan):
    answer = researcher.post("studies/start/", {"kind": kind, "plan": plan})
    print(answer.status_code, answer.content[:200], len(answer.content))
    assert answer.status_code in (202, 400, 409)


@pytest.mark.parametrize("number", [0, 10**30, 2**31, 2**63, "9" * 500])
def test_numbers(researcher, number):
    for p in ("", "study.zip"):
        assert researcher.get(f"studies/{number}/{p}").status_code == 404
    for p in ("again/", "stop/", "go-on/", "delete/"):
        assert researcher.post(f"studies/{number}/{p}", {}).status_code == 404


def test_end(researcher):
    researcher.post(
        "studies/start/",
        {
            "kind": "HOLES",
            "plan": {
                "reference": "gpt",
                "holes": ["leave-group-out", "depth:1", "uneven", "per-topic"],
                "fractions": [1e-320, 0.9999999999999999],
                "trials": 2,
                "fillers": ["model:gpt", "model:nist", "bpref", "condensed"],
            },
            "title": "\u202e" + "x" * 198,
        },
    )
    s = Study.objects.get()
    s = study_site.through(s)
    print(s.work.state, s.work.error, s.title[:9])
    assert s.work.state == "DONE"
    for p in ("", "study.zip"):
        a = researcher.get(f"studies/1/{p}")
        print(a.status_code, len(a.content))
        assert a.status_code == 200
