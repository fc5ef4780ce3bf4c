"""From a recorded sample through the queue to intervals; and each way in which a sample stops being one."""

import dataclasses
import uuid
from datetime import timedelta

import pytest

from annotate.draws.operations import changes as draws_withdrawals
from annotate.draws.operations import draws
from annotate.draws.queries import Plan as SamplePlan
from annotate.formats import named_pairs
from annotate.imports.operations import withdrawals as imports_withdrawals
from annotate.judging.operations import judgments, turns
from annotate.models import Collection, Judgment, Membership, PairDraw, Rater, Run, Suggestion
from evaluation.findings import influence
from evaluation.studies.kinds.mixed import freeze, parts
from evaluation.studies.kinds.mixed.plan import Plan
from evaluation.studies.kinds.registry import CannotStudy
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
TOPICS = [f"q{number}" for number in range(1, 6)]
PASSAGES = {topic: [f"{topic}.{number:02}" for number in range(10)] for topic in TOPICS}


def truth(name):
    """What people think of a passage: the first ones are better, topics differ."""
    topic, _, number = name.partition(".")
    return max(0, 3 - int(number) // 2 - int(topic[1:]) % 2)


def ranked(tag, names):
    return "".join(f"{topic} Q0 {name} {rank} {100 - rank} {tag}\n" for topic in names for rank, name in names[topic])


@pytest.fixture
def collection():
    """Five topics of ten passages; one run has the good ones first, one last; the model grades one too high."""
    made = factories.make_collection()
    factories.import_text(made, "TOPICS", "".join(f"{topic}\twhat is {topic}\n" for topic in TOPICS))
    factories.import_text(
        made, "PASSAGES", "".join(f"{name}\tit tells {name}\n" for names in PASSAGES.values() for name in names)
    )
    for tag, step in (("up", 1), ("down", -1)):
        add_run(made, tag, step)
    factories.build_pool(made)
    factories.import_qrels(made, "".join(model_lines()), rater="gpt", kind="MODEL")
    return made


def add_run(collection, tag, step):
    names = {topic: list(enumerate(PASSAGES[topic][::step], start=1)) for topic in TOPICS}
    return factories.import_text(collection, "RUN", ranked(tag, names))


def model_lines(shift=1):
    return [f"{t} 0 {name} {min(3, truth(name) + shift)}\n" for t in TOPICS for name in PASSAGES[t]]


def draw(collection, **said):
    """Two pairs of each topic, if nothing else is said."""
    said = said if said.keys() & {"share", "number"} else {"number": 2, **said}
    plan = SamplePlan(**{"model": Rater.objects.get(collection=collection, name="gpt"), **said})
    made = draws.draw_sample(collection=collection, plan=plan, by=None, now=NOW)
    collection.refresh_from_db()
    return made


def judge_all(collection, but=0, assessor=None):
    """One person answers all that is asked, as the truth says, but for the last ones."""
    assessor = assessor or factories.make_assessor(collection)
    judged = []
    while collection.pairs_open > but and (claim := factories.claim(assessor)):
        answer = truth(claim.pair.passage_id)
        judged.append(factories.judge(assessor, answer, now=NOW + timedelta(minutes=1)))
        collection.refresh_from_db()
    return assessor, judged


def result(collection, **said):
    plan = Plan(**said)
    inputs = freeze.thaw(freeze.freeze(collection=collection, plan=plan))
    return parts.gather(
        plan, inputs, {name: parts.run_part(plan, inputs, name) for name in parts.list_parts(plan, inputs)}
    )


def refused(collection, **said):
    found = result(collection, **said)
    assert not found["pairs"] and all("low" not in system for system in found["systems"])
    return [each["name"] for each in found["refused"]]


def test_a_sample_that_was_judged_through_the_queue_gives_intervals(collection):
    drawn = draw(collection, share=0.6)
    _, judged = judge_all(collection)
    assert (drawn.size, len(judged)) == (30, 30)
    found = result(collection)
    assert found["refused"] == []
    assert (found["frame"], found["sample"], found["answered"], found["model"]) == (50, 30, 30, "gpt")
    down, up = found["systems"]
    assert (down["run_tag"], up["run_tag"]) == ("down", "up")
    assert down["low"] < down["value"] < down["high"] < up["low"]
    (pair,) = found["pairs"]
    assert pair["differing"] == 30 and pair["high"] < 0


def test_all_judged_gives_peoples_value_without_a_width(collection):
    draw(collection, share=1.0)
    judge_all(collection)
    for system in result(collection)["systems"]:
        assert system["low"] == system["value"] == system["high"] == system["people_only"]["value"]


def test_whole_topics_give_intervals_of_ndcg(collection):
    draw(collection, unit="topic", number=3)
    judge_all(collection)
    found = result(collection)
    assert (found["refused"], found["unit"], found["topics_sampled"]) == ([], "topic", 3)
    assert all(system["low"] <= system["value"] <= system["high"] for system in found["systems"])


def test_the_reference_is_certain_and_not_sampled(collection):
    factories.import_qrels(collection, "".join(f"{topic} 0 {topic}.00 3\n" for topic in TOPICS))
    draw(collection)
    judge_all(collection)
    found = result(collection)
    assert (found["refused"], found["frame"]) == ([], 45)


def test_what_is_frozen_speaks_of_the_same_grades_after_they_moved_on(collection):
    draw(collection)
    judge_all(collection)
    manifest = freeze.freeze(collection=collection, plan=Plan())
    before = freeze.thaw(manifest)
    Suggestion.objects.filter(rater__collection=collection).update(grade=0)
    Judgment.objects.filter(assessor__collection=collection).update(grade=0, first_grade=0)
    after = freeze.thaw(manifest)
    for field in dataclasses.fields(before):
        if field.name != "rankings":
            assert getattr(after, field.name) == getattr(before, field.name)
    assert freeze.freeze(collection=collection, plan=Plan())["grades"] != manifest["grades"]


def test_grades_before_a_reveal_count_and_what_people_say_after_it_does_not(collection):
    model = Rater.objects.get(collection=collection, name="gpt")
    small.show_suggestions(collection, reveal=100)
    Collection.objects.filter(pk=collection.pk).update(suggesting_rater=model)
    collection.refresh_from_db()
    draw(collection)
    assessor, judged = judge_all(collection)
    found = result(collection)
    assert found["refused"] == []
    small.decide(assessor, judged[-1], 3)
    turns.change(
        assessor=assessor,
        judgment_id=judged[1].pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=3),
        now=NOW,
        claims_next=False,
    )
    assert result(collection) == found


def test_without_a_recorded_sample_intervals_are_refused(collection):
    judge_all(collection)
    assert refused(collection) == ["no design"]


def test_judgments_in_the_order_of_influence_are_refused(collection):
    factories.import_qrels(collection, "".join(f"{topic} 0 {topic}.00 3\n" for topic in TOPICS))
    queued = influence.request_influence(collection=collection, orders=True, by=None, now=NOW)
    factories.engine.run(factories.engine.claim(work_id=queued.pk))
    collection.refresh_from_db()
    judge_all(collection)
    assert influence.find_influence(collection)
    assert refused(collection) == ["adaptive order"]


def test_grades_given_beside_a_suggestion_are_refused(collection):
    model = Rater.objects.get(collection=collection, name="gpt")
    Collection.objects.filter(pk=collection.pk).update(share_hidden=0, share_shown=100, suggesting_rater=model)
    collection.refresh_from_db()
    draw(collection)
    judge_all(collection)
    assert refused(collection) == ["in view"]


def test_judging_that_ended_early_is_refused_and_bounds_are_wider(collection):
    draw(collection)
    judge_all(collection, but=4)
    assert refused(collection) == ["unanswered"]
    bounded = result(collection, unanswered="bounds")
    assert bounded["refused"] == [] and bounded["unanswered"] == {"open": 4}
    draws.end_draw(collection=collection, by=None, now=NOW + timedelta(hours=1))
    assert refused(collection) == ["unanswered"]


def test_skipped_pairs_and_ones_that_nobody_can_judge_are_nonresponse(collection):
    draw(collection)
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, None)
    claimed = factories.claim(assessor)
    turns.skip(assessor=assessor, token=claimed.token, now=NOW, claims_next=False)
    judge_all(collection, but=1, assessor=assessor)
    found = result(collection)
    assert [each["name"] for each in found["refused"]] == ["unanswered"]
    assert found["unanswered"] == {"cannot": 1, "skipped": 1}


def test_a_decision_without_a_suggestion_in_view_answers_what_nobody_could_judge(collection):
    draw(collection)
    assessor = factories.make_assessor(collection)
    pair = factories.judge(assessor, None).pair
    judge_all(collection, assessor=assessor)
    assert refused(collection) == ["unanswered"]
    factories.decide(pair, 2)
    assert result(collection)["refused"] == []


def test_a_pair_that_waits_for_more_judgments_is_open(collection):
    Collection.objects.filter(pk=collection.pk).update(target=2)
    collection.refresh_from_db()
    draw(collection)
    judge_all(collection)
    assert result(collection)["unanswered"] == {"open": 10}


def test_model_grades_that_changed_after_the_sample_are_refused(collection):
    draw(collection)
    judge_all(collection)
    Suggestion.objects.filter(pair__passage_id="q1.05").update(grade=0)
    assert refused(collection) == ["changed model"]


def test_runs_that_are_gone_or_others_are_refused_and_new_ones_left_out(collection):
    draw(collection)
    judge_all(collection)
    add_run(collection, "later", 1)
    found = result(collection)
    assert (found["refused"], found["runs_since"], len(found["systems"])) == ([], 1, 2)
    source = Run.objects.get(collection=collection, tag="up").source
    withdraw(source)
    assert refused(collection) == ["changed runs"]


def withdraw(source):
    queued = imports_withdrawals.request_withdrawal(imported=source, by=None, now=NOW)
    factories.engine.run(factories.engine.claim(work_id=queued.pk))


def test_reference_grades_that_came_after_the_sample_are_refused(collection):
    draw(collection)
    judge_all(collection)
    factories.import_qrels(collection, "q1 0 q1.00 3\n")
    # The sample recorded that there was no reference; a rater that came since closes none of its pairs.
    Collection.objects.filter(pk=collection.pk).update(reference_rater=None)
    assert result(collection)["refused"] == []


def test_grades_of_the_reference_that_changed_are_refused(collection):
    factories.import_qrels(collection, "".join(f"{topic} 0 {topic}.00 3\n" for topic in TOPICS))
    draw(collection)
    judge_all(collection)
    factories.import_qrels(collection, "q1 0 q1.09 1\n")
    assert refused(collection) == ["changed reference"]


def test_pairs_withdrawn_since_stay_in_the_frame_and_are_nonresponse_if_they_were_sampled(collection):
    drawn = draw(collection)
    judge_all(collection)
    names = {name for topic in drawn.design["topics"] for name in topic["passage_ids"]}
    outside = next(name for name in PASSAGES["q1"] if name not in names)
    draws_withdrawals.withdraw_pairs(
        collection=collection, named=named_pairs.check_pairs([("q1", outside)]), reason="spam", now=NOW
    )
    assert result(collection)["refused"] == []


@pytest.mark.postgresql
def test_a_smaller_part_of_a_sample_that_was_being_judged_is_refused(collection):
    draw(collection, share=0.4)
    judge_all(collection, but=15)
    plan = SamplePlan(number=2, model=Rater.objects.get(collection=collection, name="gpt"))
    draws.draw_sample(collection=collection, plan=plan, by=None, now=NOW + timedelta(hours=1))
    collection.refresh_from_db()
    judge_all(collection)
    assert refused(collection) == ["stopped"]


def test_a_sample_with_another_seed_is_another_sample(collection):
    draw(collection, share=0.4)
    judge_all(collection, but=15)
    plan = SamplePlan(number=2, seed=2, model=Rater.objects.get(collection=collection, name="gpt"))
    draws.draw_sample(collection=collection, plan=plan, by=None, now=NOW + timedelta(hours=1))
    collection.refresh_from_db()
    judge_all(collection, assessor=Membership.objects.filter(collection=collection, role="ASSESSOR").first())
    found = result(collection)
    assert (found["refused"], found["earlier_samples"]) == ([], 1)


@pytest.mark.postgresql
def test_a_judge_taught_in_folds_reads_the_texts_that_were_frozen(collection):
    draw(collection)
    manifest = freeze.freeze(collection=collection, plan=Plan(method="cross-fitted"))
    inputs = freeze.thaw(manifest)
    assert inputs.texts["q1.00"] == "it tells q1.00" and inputs.queries["q1"] == "what is q1"
    assert freeze.freeze(collection=collection, plan=Plan())["texts"] is None


def test_a_draw_of_another_collection_is_no_draw_here(collection):
    other = PairDraw.objects.create(
        collection=factories.make_collection(), kind="SAMPLE", seed=1, size=1, frame_version=1, created_at=NOW
    )
    with pytest.raises(CannotStudy, match=f"no draw number {other.pk}"):
        freeze.freeze(collection=collection, plan=Plan(draw=other.pk))


def test_without_runs_there_is_nothing_to_tell():
    with pytest.raises(CannotStudy, match="There are no runs"):
        freeze.freeze(collection=factories.make_collection(), plan=Plan())


@pytest.mark.parametrize(
    "gain, reason", [("0/1", "gain 0/1 ends at grade 1"), ("0/0/0/0", "no grade is worth anything")]
)
def test_a_gain_that_the_scale_does_not_fit_is_said_before_anything_runs(gain, reason):
    with pytest.raises(CannotStudy, match=reason):
        freeze.freeze(collection=factories.make_collection(), plan=Plan(gain=gain))
