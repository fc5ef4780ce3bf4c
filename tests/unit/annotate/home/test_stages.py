import pytest

from annotate.adjudication.queries import Counts
from annotate.collections.queries import Facts
from annotate.home import queries as home_queries
from annotate.models import Collection

NOTHING = Facts(
    topics=0,
    passages=0,
    runs=0,
    references=0,
    models=0,
    pooled=0,
    holes=0,
    without_text=0,
    dropped=0,
    is_pool_old=False,
    holes_suggested=0,
    lacks_calibrated=False,
    assessors=0,
    judged=0,
    wanted=0,
    still_open=0,
    exports=0,
    running=(),
)
IMPORTED = {"topics": 2, "passages": 6, "runs": 1}
POOLED = {**IMPORTED, "pooled": 6, "holes": 6, "wanted": 6, "still_open": 6}


def line(collection=None, **facts):
    no_disputes = Counts(unresolved=0, different=0, flagged=0, decided=0)
    return home_queries.list_stages(collection or Collection(), Facts(**{**vars(NOTHING), **facts}), no_disputes)


def next_action(**facts):
    return next((stage.action for stage in line(**facts) if stage.is_next), None)


@pytest.mark.parametrize(
    ("facts", "action"),
    [
        ({}, "import topics"),
        ({"topics": 2}, "import passages"),
        ({"topics": 2, "passages": 6}, "import runs or qrels"),
        (IMPORTED, "build the pool"),
        ({"topics": 2, "passages": 6, "references": 1}, "build the pool"),
        ({**POOLED, "is_pool_old": True}, "build the pool again"),
        (POOLED, "add an assessor"),
        ({**POOLED, "assessors": 1}, "watch progress"),
        ({**POOLED, "assessors": 1, "still_open": 0, "judged": 6}, None),
    ],
)
def test_the_next_action_is_the_first_that_waits_for_somebody(facts, action):
    assert next_action(**facts) == action


def test_at_most_one_stage_is_the_next():
    assert sum(stage.is_next for stage in line(**POOLED)) == 1
    assert sum(stage.is_next for stage in line(**{**POOLED, "assessors": 1, "still_open": 0})) == 0


@pytest.mark.parametrize(
    ("shares", "state"),
    [
        ({"share_hidden": 100}, "optional"),
        ({"share_shown": 50, "share_hidden": 50}, "to do"),
        ({"share_reveal": 50, "share_hidden": 50}, "to do"),
    ],
)
def test_suggestions_are_needed_only_where_an_arm_shows_one(shares, state):
    suggestions = line(Collection(**shares), **POOLED)[2]
    assert (suggestions.name, suggestions.state) == ("Suggestions", state)


@pytest.mark.parametrize(
    ("facts", "action"),
    [
        ({}, "start Lacuna's own judge"),
        ({"models": 1}, "compare models"),
        ({"models": 1, "lacks_calibrated": True}, "start the calibrated judge"),
        ({"models": 1, "lacks_calibrated": True, "holes": 0}, "compare models"),
    ],
)
def test_a_model_that_can_be_calibrated_is_to_be_before_it_fills_holes(facts, action):
    assert line(**{**POOLED, **facts})[2].action == action


def test_paused_judging_waits_for_the_researcher():
    judging = line(Collection(is_paused=True), **{**POOLED, "assessors": 1})[3]
    assert (judging.state, judging.action, judging.is_next) == ("to do", "open judging again", True)
    assert "paused" in judging.counts


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({"judged": 3, "assessors": 1}, "later"),
        ({"judged": 3, "assessors": 2}, "done"),
        ({"judged": 3, "assessors": 1, "models": 1}, "done"),
        ({"models": 1}, "later"),
        ({"models": 1, "references": 1}, "done"),
    ],
)
def test_agreement_needs_two_who_graded(facts, state):
    (agreement,) = [stage for stage in line(**facts) if stage.name == "Agreement"]
    assert agreement.state == state


def test_one_is_singular():
    assert line(**{**POOLED, "topics": 1, "holes": 1, "runs": 1})[0].counts[0] == "1 topic"
    assert "1 hole" in line(**{**POOLED, "holes": 1})[1].counts
    assert line(passages=16187)[0].counts[1] == "16,187 passages"


@pytest.mark.parametrize(("order", "said"), [("TOPIC", False), ("SAMPLE", True)])
def test_judging_says_which_draw_is_in_force(order, said):
    (judging,) = [stage for stage in line(Collection(order=order), **POOLED) if stage.name == "Judging"]
    assert ("a recorded random sample" in judging.counts) is said
