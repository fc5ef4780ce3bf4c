"""Two installations that differ only in what an assessor may not learn: no byte of what the assessor gets differs.

What may differ is a forecast that is shown: the grade and the probabilities of an own judge, which learned from others.
"""

import difflib
import json
import re

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.models import Collection, Pair, Rater, Suggestion
from annotate.own_judges.operations import requests
from annotate.pairs import pair_states
from annotate.pool.operations import pooling
from annotate.work import engine
from tests import factories, visitors
from tests.integration.annotate.judging.test_blindness import CHANGING, HTMX, all_in
from tests.integration.annotate.test_assessors_addresses import crawl

TOPICS, PASSAGES, READ = 2, 10, 8
FORECAST = re.compile(
    r'<p class="row"><span class="part-name">Suggestion</span>.*?</p>|<table class="probabilities">.*?</table>|'
    r"The model suggests \d",
    re.DOTALL,
)
TIMES = re.compile(r"(\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d)?")


def known(grades):
    """A collection whose passages of even numbers have these reference grades by topic and number."""
    collection = factories.make_holes(factories.make_collection("here", target=2), TOPICS, PASSAGES)
    lines = [f"q{t} 0 d{t}.{p} {grades(t, p)}\n" for t in range(1, TOPICS + 1) for p in range(2, PASSAGES + 1, 2)]
    factories.import_qrels(collection, "".join(lines))
    return collection


def train(collection):
    batch = requests.request_version(collection=collection, by=None, now=factories.NOW)
    assert engine.run(engine.claim(work_id=batch.work_id)) is None
    Collection.objects.filter(pk=collection.pk).update(suggesting_rater=batch.rater)


def others_grade(shift):
    """Another person grades all holes before the reader, differently in each world; the judge learns from it."""
    collection = known(lambda t, p: p % 4)
    other = factories.make_assessor(collection)
    for number in range(TOPICS * PASSAGES // 2):
        factories.judge(other, (number * 3 + shift) % 4, timezone.now())
    train(collection)
    return collection


def grades_are_held_out(shift):
    """The judge is trained before grades are held out that differ in each world, and again after it."""
    collection = known(lambda t, p: 2 + (p + shift) % 2 if p > 4 else p % 2)
    train(collection)
    pooling.draw_holes(collection=collection, fraction=1, chosen=[2, 3], seed=1, by=None, now=factories.NOW)
    return collection


def references_are_mixed_in(shift):
    """Pairs with a reference grade are judged once more, blind."""
    collection = known(lambda t, p: (p + shift) % 4)
    train(collection)
    Pair.objects.filter(reference_grades__isnull=False).update(is_calibration=True)
    pair_states.refresh(collection=collection, pairs=list(Pair.objects.all()))
    return collection


WORLDS = [others_grade, grades_are_held_out, references_are_mixed_in]


def read_everything(world, shift, arm):
    """All bytes that a reader gets who judges every pair that is offered, page and API, without what is always new."""
    with transaction.atomic():
        all_in_after = world(shift)
        all_in(arm)
        reader = factories.make_assessor(all_in_after, "reader")
        visitor, got = visitors.of(reader.user), []
        for _ in range(READ):
            page = visitor.get(reverse("judge", args=["here"]))
            card = visitor.post(reverse("api_next", args=["here"]))
            held = reader.claims.filter(state="OPEN").first()
            got += [page.content.decode(), json.dumps(without_forecast(card.json()))]
            if held is None:
                break
            answer = {"token": held.token, "key": held.token, "grade": "1"}
            got.append(visitor.post(reverse("save_judgment", args=["here"]), answer, **HTMX).content.decode())
            if undecided := reader.judgments.filter(revealed_at__isnull=False, decided_at=None).first():
                kept = visitor.post(reverse("decide", args=["here", undecided.pk]), {"grade": "1"}, **HTMX)
                got.append(kept.content.decode())
        judged = reader.judgments.count()
        got += [f"{address} {body.decode()}" for address, body in sorted(crawl(visitor, "/").items())]
        transaction.set_rollback(True)
    return judged, [TIMES.sub("", CHANGING.sub("", FORECAST.sub("", text))) for text in got]


def without_forecast(said):
    if isinstance(said, dict):
        return {
            name: without_forecast(value)
            for name, value in said.items()
            if not (name in ("grade", "probabilities") and "rater" in said)
        }
    return [without_forecast(each) for each in said] if isinstance(said, list) else said


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("arm", ["hidden", "shown", "reveal"])
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_two_worlds_look_alike_to_who_still_has_to_judge(world, arm):
    (judged, one), (_, other) = read_everything(world, 0, arm), read_everything(world, 1, arm)
    assert judged == READ
    differing = list(difflib.unified_diff("\n".join(one).splitlines(), "\n".join(other).splitlines(), n=1))
    assert not differing, "\n".join(differing)


def test_the_reason_that_a_researcher_reads_quotes_grades_and_that_of_an_assessor_none(db):
    others_grade(0)
    said = list(Suggestion.objects.filter(rater__judge="learned").select_related("rater"))
    assert all("nearest judged passage" in one.reason and "is graded" in one.reason for one in said)
    assert all(one.reason_for_assessors.startswith("covers") for one in said)
    assert not [one for one in said if re.search("grade|judged", one.reason_for_assessors)]


def test_a_judge_that_learned_what_is_held_out_shows_nothing_and_fills_no_hole(db):
    collection = known(lambda t, p: p % 4)
    train(collection)
    pooling.draw_holes(collection=collection, fraction=0.5, chosen=[0, 1, 2, 3], seed=1, by=None, now=factories.NOW)
    first = Rater.objects.get(judge="learned")
    assert first.held_out_by is not None
    all_in("shown")
    assert factories.claim(factories.make_assessor(collection), timezone.now()).suggestion is None

    pooling.undo_draw(collection=collection, now=factories.NOW)
    first.refresh_from_db()
    assert first.held_out_by is None
