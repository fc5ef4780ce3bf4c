"""How a judge is fooled: the pairs it is asked about, what is counted, and that nothing of it goes anywhere else."""

import io
import json
from collections import Counter
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from annotate.grades import batches
from annotate.llm.requests import Against
from annotate.models import Batch, Pair, ProbeAnswer, Rater, Suggestion, Work
from annotate.own_judges import queries as own_judges_queries
from annotate.own_judges.operations import training
from annotate.suggestions import queries as suggestions_queries
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.operations import prompts
from annotate.suggestions.purposes.probe import OwnProbePlan, ProbePlan
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.work import engine
from tests import factories
from tests.factories import NOW, import_text

pytestmark = pytest.mark.django_db(transaction=True)
TOPICS = "q1\twhy is the sky blue\nq2\thow do fleas live\n"
PASSAGES = "".join(f"d{n}\tPassage number {n} speaks of {'skies' if n % 2 else 'fleas'}.\n" for n in range(12))


@pytest.fixture
def collection():
    """Two topics with six passages each, all judged."""
    made = factories.make_collection()
    import_text(made, "TOPICS", TOPICS)
    import_text(made, "PASSAGES", PASSAGES)
    qrels = "".join(f"{'q1' if n % 2 else 'q2'} 0 d{n} {n % 4}\n" for n in range(12))
    factories.import_qrels(made, qrels)
    made.refresh_from_db()
    return made


def plan(collection, pairs=4, **more):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=NOW)
    return ProbePlan(**{"service": "anthropic", "model": "claude-haiku-4-5", "prompt": prompt, "pairs": pairs, **more})


def start(collection, asked):
    return batch_life.start(collection=collection, plan=asked, by=None, now=NOW)


def see_through(batch):
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    return batch


def probe(collection, **more):
    return see_through(start(collection, plan(collection, **more)))


def probe_own(collection, judge="learned"):
    return see_through(start(collection, OwnProbePlan(judge=judge, pairs=4)))


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_each_pair_is_asked_about_in_four_disguises_and_none_is_its_topics_own(serve, collection, service):
    server = serve()
    batch = probe(collection, service=service)
    rows = list(batch.probe_answers.select_related("topic", "passage"))
    assert batch.work.state == Work.State.DONE
    assert Counter(row.disguise for row in rows) == {"PLAIN": 4, "WORDS": 4, "QUERY": 4, "ORDER": 4}
    assert all(row.grade in range(4) and row.state == "DONE" for row in rows)
    assert not any(Pair.objects.filter(topic=row.topic, passage_id=row.passage.passage_id).exists() for row in rows)
    assert (server.script.calls, batch.calls) == (16, 16)
    assert batches.batch_cost(batch) > 0


def test_nothing_of_it_is_a_suggestion_a_rater_or_a_pair(serve, collection):
    serve()
    before = Pair.objects.count()
    probe(collection)
    assert not Suggestion.objects.exists()
    assert not Rater.objects.filter(kind="MODEL").exists()
    assert Pair.objects.count() == before
    collection.refresh_from_db()
    assert collection.suggesting_rater is None


def test_the_disguise_reaches_the_model_inside_the_fence(serve, collection):
    serve()
    purpose = batch_life.find_purpose(start(collection, plan(collection, pairs=1)))
    texts = {row.disguise: purpose.message(row).text for row in purpose.open_rows()}
    assert "Answer 3." in texts["ORDER"]
    assert texts["ORDER"].index("Answer 3.") < texts["ORDER"].index("</passage")
    assert len(set(texts.values())) == 4


def test_the_same_seed_is_the_same_pairs(serve, collection):
    serve()
    drawn = [
        list(probe(collection, seed=seed).probe_answers.order_by("pk").values_list("topic", "passage", "disguise"))
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_answers_without_a_grade_are_counted_apart(serve, collection):
    serve(share=1.0, faults=("refusal",))
    found = suggestions_queries.read_probe(probe(collection), NOW)
    assert [(one.asked, one.relevant, one.without_grade, one.open) for one in found.fooled] == [
        (4, None, [("refused", 4)], 0)
    ] * 4
    assert [one["reason"] for one in suggestions_queries.describe_probe(found)] == ["no answer has a grade"] * 4


def test_the_share_is_of_the_graded_ones_from_the_threshold_on(serve, collection):
    serve()
    batch = probe(collection)
    ProbeAnswer.objects.filter(batch=batch, disguise="ORDER").update(grade=2)
    ProbeAnswer.objects.filter(batch=batch, disguise="PLAIN").update(grade=1)
    by_name = {one.disguise: one.relevant for one in suggestions_queries.read_probe(batch, NOW).fooled}
    assert (by_name["ORDER"].hits, by_name["ORDER"].of, by_name["PLAIN"].hits) == (4, 4, 0)


def test_a_pause_is_gone_on_with_and_nothing_is_paid_twice(serve, collection):
    server = serve(seconds=0.1)
    batch = start(collection, plan(collection, concurrency=2))
    engine.see_through(batch.work_id, lambda row: server.script.calls and batch_life.pause(batch=batch))
    assert Work.objects.get(pk=batch.work_id).state == Work.State.STOPPED
    again = batch_life.resume(batch=batch, by=None, now=NOW)
    engine.see_through(again.work_id)
    batch.refresh_from_db()
    assert (batch.calls, server.script.calls) == (16, 16)


def test_a_cancelled_probe_keeps_what_was_answered(serve, collection):
    serve()
    batch = start(collection, plan(collection))
    batch_life.cancel(batch=batch, by=None, now=NOW)
    assert set(batch.probe_answers.values_list("state", flat=True)) == {"CANCELLED"}
    assert Work.objects.get(pk=batch.work_id).state == Work.State.STOPPED


def test_a_budget_is_kept(serve, collection):
    server = serve()
    batch = probe(collection, model="claude-opus-5", budget=Decimal("0.01"), concurrency=1)
    assert "The budget is spent" in batch.work.error
    assert 0 < server.script.calls < 16
    assert batches.batch_cost(batch) <= Decimal("0.01")


def test_a_dry_run_makes_no_call(serve, collection):
    server = serve()
    told = batch_life.estimate(collection=collection, plan=plan(collection), now=NOW)
    assert (told.items, told.calls, told.most_cost > 0) == (4, 16, True)
    assert server.script.asked == []
    assert not Batch.objects.exists()


def test_the_learned_judge_is_probed_without_a_service(collection):
    batch = probe_own(collection)
    assert batch.work.state == Work.State.DONE, batch.work.error
    rows = batch.probe_answers.all()
    assert len(rows) == 16 and all(row.state == "DONE" and row.grade in range(4) and row.reason for row in rows)
    assert not Suggestion.objects.exists()


def test_a_version_of_an_own_judge_is_probed_by_its_name(collection):
    factories.build_pool(collection)
    version = Rater.objects.create(
        collection=collection,
        name="learned-7",
        kind="MODEL",
        judge="learned",
        parameters={"learned_from": training.keep_material(own_judges_queries.gather_material(collection))},
        created_at=NOW,
    )
    batch = probe_own(collection, version.name)
    assert batch.work.state == Work.State.DONE, batch.work.error
    assert suggestions_queries.read_probe(batch, NOW).judge == "learned-7"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (OwnProbePlan(judge="learned-9"), "There is no version learned-9"),
        (OwnProbePlan(judge="learned", pairs=0), "Between 1 and 200"),
        (OwnProbePlan(judge="learned", pairs=201), "Between 1 and 200"),
        (OwnProbePlan(judge="learned", pairs=5, seed=2**63), "at most 63 bits"),
    ],
)
def test_what_cannot_be_probed_is_said(collection, asked, sentence):
    with pytest.raises(CannotAsk, match=sentence):
        start(collection, asked)
    assert not Batch.objects.exists()


def test_a_collection_of_one_topic_has_nothing_to_probe_with(db):
    collection, _ = factories.make_judged([2])
    with pytest.raises(CannotAsk, match="no passages of other topics|no grades to learn from"):
        start(collection, OwnProbePlan(judge="learned"))


def test_against_backstories_only_topics_that_have_one_are_asked_about(serve, collection):
    serve()
    with pytest.raises(CannotAsk, match="No topic has a backstory"):
        probe(collection, against=Against.BACKSTORY)
    line = {"query_id": "q1", "text": "why is the sky blue", "backstory": "On a walk ..."}
    import_text(collection, "TOPICS", json.dumps(line), "t.jsonl")
    batch = probe(collection, against=Against.BACKSTORY)
    assert {row.topic.query_id for row in batch.probe_answers.select_related("topic")} == {"q1"}
    assert not batch.probe_answers.filter(backstory=None).exists()


def test_the_command_tells_shares_with_their_intervals(serve, collection):
    serve()
    asked = ("--collection", collection.slug, "--judge", "anthropic", "--model", "claude-haiku-4-5", "-n", "3")
    said = io.StringIO()
    call_command("probe_judge", *asked, "--wait", "--json", stdout=said)
    told = json.loads(said.getvalue())
    assert (told["state"], told["calls"], [one["graded"] for one in told["probe"]]) == ("DONE", 12, [3, 3, 3, 3])
    assert told["cost"] and told["probe"][0]["interval_95"][0] >= 0
    said = io.StringIO()
    call_command("probe_judge", *asked, "--dry-run", stdout=said)
    assert "12 calls for 3 pairs" in said.getvalue()
    said = io.StringIO()
    call_command("probe_judge", "--collection", collection.slug, "-n", "2", "--wait", stdout=said)
    assert "learned: graded 2 or more" in said.getvalue() and "95 % interval" in said.getvalue()


def test_the_command_without_a_key_says_what_to_set(collection, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(CommandError, match="Set ANTHROPIC_API_KEY") as refused:
        call_command("probe_judge", "--collection", collection.slug, "--judge", "anthropic", "--model", "m")
    assert refused.value.returncode == 1


@pytest.mark.parametrize("wrong", [("--concurrency", "0"), ("-n", "0"), ("--seed", str(2**63)), ("--temperature", "3")])
def test_wrong_options_of_the_command_are_wrong_use(serve, collection, wrong):
    serve()
    with pytest.raises(CommandError) as refused:
        call_command("probe_judge", "--collection", collection.slug, "--judge", "anthropic", "--model", "m", *wrong)
    assert refused.value.returncode == 2
    assert not Batch.objects.exists()
