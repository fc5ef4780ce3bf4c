"""Which pairs are judged is changed while people judge: nobody sees a fault, and the counters equal a recount."""

import uuid

import pytest

from annotate.draws.operations import changes, draws
from annotate.draws.queries import Plan
from annotate.formats.named_pairs import NamedPair
from annotate.judging.operations import judgments, turns
from annotate.models import Claim, Collection, Judgment
from annotate.rules import drawing
from tests import at_once, factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)
SAVES = 12


@pytest.fixture
def collection():
    """Four topics of ten pooled passages; in each the last two are near-duplicates, and the reference graded one."""
    made = factories.make_holes(factories.make_collection(), topics=4, passages=10)
    factories.import_text(made, "PASSAGES", "t1\tthe very same words\nt2\tThe very same words!\n")
    changes.add_pairs(collection=made, named=[NamedPair(n, f"q{t}", f"t{n}") for t in range(1, 5) for n in (1, 2)])
    factories.import_qrels(made, "".join(f"q{t} 0 d{t}.1 {t - 1}\n" for t in range(1, 5)))
    return made


def judge_on(assessor):
    turn, saved = turns.begin(assessor=assessor, now=NOW), 0
    who = {"by": assessor.user, "slug": assessor.collection.slug}
    for _ in range(SAVES):
        if turn.claim is None:
            turn = turns.begin(assessor=assessor, now=NOW)
            continue
        answer = judgments.Answer(grade=2)
        turn = turns.save(**who, token=turn.claim.token, key=uuid.uuid4(), answer=answer, now=NOW)
        saved += 1
    return saved


def change_all(collection):
    """Every change of which pairs are judged, three times."""
    some = [NamedPair(n, f"q{n}", f"d{n}.5") for n in range(1, 5)]
    keys = drawing.order_by_value({("q1", "d1.4"): 1.0, ("q3", "d3.3"): 2.0})
    for seed in range(3):
        draws.draw_sample(collection=collection, plan=Plan(number=4, seed=seed, leaves_out=True), by=None, now=NOW)
        changes.withdraw_pairs(collection=collection, named=some, reason="torn", now=NOW)
        draws.draw_calibration(collection=collection, number=1, seed=seed, by=None, now=NOW)
        draws.end_draw(collection=collection, by=None, now=NOW)
        changes.restore_pairs(collection=collection, named=some, now=NOW)
        work = changes.request_finding(collection=collection, by=None, now=NOW)
        list(changes.run(work))
        list(draws.set_order_keys(collection=collection, keys=keys, design={"n": seed}, by=None, now=NOW))
    return 0


def test_people_go_on_judging_while_everything_about_the_pairs_changes(collection):
    Collection.objects.filter(pk=collection.pk).update(target=2)
    assessors = [factories.make_assessor(collection) for _ in range(4)]

    def act(who):
        return change_all(who) if isinstance(who, Collection) else judge_on(who)

    saved, faults = at_once.run(act, [*assessors, collection])
    assert faults == []
    assert sum(saved) == Judgment.objects.filter(round=1).count()
    pairs = list(collection.pairs.all())
    for pair in pairs:
        held = pair.claims.filter(state=Claim.State.OPEN, round=1).count()
        counted = pair.judgments.filter(is_current=True, round=1, is_extra=False).count()
        assert pair.counted == min(counted, pair.target)
        assert pair.places_open == max(0, pair.target - pair.counted - held)
    collection.refresh_from_db()
    assert collection.pairs_wanted == sum(pair.target > 0 for pair in pairs)
    assert collection.pairs_open == sum(pair.counted < pair.target for pair in pairs)
