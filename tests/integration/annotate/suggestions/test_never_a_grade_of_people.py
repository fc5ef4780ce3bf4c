"""What models say, or fail to say, changes nothing of what people are asked for, did, or have left to do."""

from collections import Counter

import pytest

from annotate.grades import ratings
from annotate.judging.queries import activity
from annotate.llm import prompts
from annotate.models import Judgment, Pair, Prompt, Suggestion
from annotate.suggestions.operations import prompts as suggestions_prompts
from annotate.suggestions.operations.prompts import Kept
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "Grade {passage} for {need}, please."
PEOPLES = ("target", "counted", "places_open", "consensus_grade", "is_disputed")


def of_people(collection):
    collection.refresh_from_db()
    return list(Pair.objects.order_by("pk").values_list("pk", *PEOPLES)), list(Judgment.objects.values())


@pytest.mark.parametrize("fault", ["words", "off the scale", "refusal", "quoting 400"])
def test_a_model_that_fails_uses_up_no_place_and_is_no_judgment(serve, collection, ask, fault):
    factories.judge(factories.make_assessor(collection), 2)
    before = of_people(collection)
    serve(share=1.0, faults=(fault,))
    batch = ask(collection)
    assert not batch.suggestions.filter(grade__isnull=False).exists()
    assert of_people(collection) == before


def test_a_model_that_grades_everything_leaves_judgments_consensus_and_progress_as_they_were(serve, collection, ask):
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 2)
    before, people, done = (
        of_people(collection),
        ratings.consensus_grades(collection),
        activity.read_own_progress(assessor),
    )
    serve()
    batch = ask(collection)
    assert batch.suggestions.filter(state="DONE").count() == 10
    assert (of_people(collection), ratings.consensus_grades(collection), activity.read_own_progress(assessor)) == (
        before,
        people,
        done,
    )


def test_seven_of_twenty_fail_are_counted_and_asked_again_alone(serve, ask):
    collection = factories.make_holes(factories.make_collection(), topics=2, passages=10)
    server = serve(share=0.35, faults=("quoting 400",), times=1)
    batch = ask(collection)
    found = Counter(batch.suggestions.values_list("state", flat=True))
    assert found.total() == 20 and found["FAILED"] > 0 and found["DONE"] + found["FAILED"] == 20
    asked = len(server.script.asked)
    again = ask(collection)
    assert len(server.script.asked) - asked == found["FAILED"]
    assert Counter(Suggestion.objects.filter(rater=again.rater).values_list("state", flat=True)) == {"DONE": 20}


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_a_service_that_turns_the_first_three_calls_of_everybody_away_loses_none(serve, collection, ask, service):
    serve(share=1.0, faults=("429",), times=3)
    batch = ask(collection, service=service, concurrency=4)
    assert set(batch.suggestions.values_list("state", "attempts")) == {("DONE", 4)}


def test_another_wording_is_another_version_and_old_answers_keep_theirs(serve, collection, ask):
    serve()
    wordings = [Kept.grading(prompts.Template("", words), "number") for words in (WORDS, f"{WORDS} Thanks.")]
    first, second = (
        suggestions_prompts.write_prompt(collection=collection, name="ours", kept=kept, by=None, now=factories.NOW)
        for kept in wordings
    )
    old, new = ask(collection, prompt=first), ask(collection, prompt=second)
    assert (first.version, second.version, Prompt.objects.get(pk=first.pk).text) == (1, 2, WORDS)
    assert old.rater != new.rater
    for batch, prompt in ((old, first), (new, second)):
        told = batch.rater.parameters
        assert (told["prompt"], told["model"], told["temperature"]) == (prompt.digest, "claude-haiku-4-5", None)
        assert batch.suggestions.count() == 10
