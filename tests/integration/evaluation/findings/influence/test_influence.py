import pytest

from annotate.draws.operations import changes
from annotate.formats import named_pairs
from annotate.models import Collection, Pair, Rater, Suggestion
from evaluation.engine.influence import TooFewSystems
from evaluation.findings import influence
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
H, X = ("q1", "h"), ("q1", "x")


@pytest.fixture
def collection():
    return small.three_systems()


def top(collection, weights=""):
    told = influence.compute_influence(collection, weights).value["top"]
    return {(hole["query_id"], hole["passage_id"]): hole for hole in told}


def test_holes_stand_by_the_figure_that_is_worked_out_by_hand(collection):
    found = influence.compute_influence(collection)
    first, second = found.value["top"]
    assert (first["passage_id"], first["influence"]) == ("h", pytest.approx(0.5))
    assert (second["passage_id"], second["influence"]) == ("x", pytest.approx(0.31546, abs=1e-5))
    assert first["through_ideal"] == second["through_ideal"] == pytest.approx(0.06529, abs=1e-5)
    assert first["ranks"] == [{"rank": 1, "systems": ["h>r"]}, {"rank": 3, "systems": ["r>x>h"]}]
    assert [found.keys[pair] for pair in (H, X)] == [0, 1]


def test_topics_without_anything_relevant_are_ignored_and_counted(collection):
    told = influence.compute_influence(collection).value
    assert (told["holes"], told["moving"], told["ignored"], told["unanswered"]) == (4, 2, 2, 0)
    assert (told["systems"], told["topics"]) == (3, 2)


def test_what_people_judged_is_no_hole_and_moves_the_ideal(collection):
    pair = Pair.objects.get(topic__query_id="q1", passage_id="h")
    factories.decide(pair, 3)
    assert list(top(collection)) == [X]
    # The ideal is 3 + 2 / log2(3) = 4.26186 now, where it was 2.
    assert top(collection)[X]["influence"] == pytest.approx(0.31546 * 2 / 4.26186, abs=1e-5)


@pytest.mark.postgresql
def test_withdrawn_pairs_and_near_duplicates_that_follow_another_are_left_out(collection):
    Pair.objects.filter(passage_id="x").update(duplicate_of=Pair.objects.get(topic__query_id="q1", passage_id="h"))
    assert list(top(collection)) == [H, X]
    Collection.objects.filter(pk=collection.pk).update(propagates_duplicates=True)
    collection.refresh_from_db()
    assert list(top(collection)) == [H]
    named = named_pairs.check_pairs([H])
    changes.withdraw_pairs(collection=collection, named=named, reason="broken", now=NOW)
    assert top(collection) == {}


@pytest.mark.postgresql
def test_a_model_weights_holes_by_its_probabilities_or_by_its_grade_as_certain(collection):
    factories.import_qrels(collection, small.lines("q1 h 1, q1 x 3, q2 h 1"), rater="gpt", kind="MODEL")
    said = Suggestion.objects.filter(rater__name="gpt", pair__passage_id="h", pair__topic__query_id="q1")
    said.update(probabilities=[0.5, 0.2, 0.2, 0.1])
    found = top(collection, "gpt")
    assert list(found) == [X, H]
    assert found[X]["value"] == pytest.approx(found[X]["influence"])
    assert found[H]["value"] == pytest.approx(0.5 * (0.2 / 3 + 0.2 * 2 / 3 + 0.1))
    assert influence.compute_influence(collection, "gpt").value["unanswered"] == 1


def test_where_the_scale_starts_above_0_probabilities_start_there_too():
    collection = small.three_systems(lowest_grade=1)
    factories.import_qrels(collection, small.lines("q1 h 1"), rater="gpt", kind="MODEL")
    Suggestion.objects.update(probabilities=[0.5, 0.25, 0.25])
    assert top(collection, "gpt")[H]["value"] == pytest.approx(0.5 * (0.5 / 3 + 0.25 * 2 / 3 + 0.25))


def test_the_design_names_all_that_it_was_computed_from(collection):
    factories.import_qrels(collection, small.lines("q1 h 1"), rater="gpt", kind="MODEL")
    design = influence.compute_influence(collection, "gpt").design
    assert [run["run_tag"] for run in design["runs"]] == ["h>r", "r", "r>x>h"]
    assert (design["measure"], design["weights"]["rater"], design["weights"]["grades"]) == ("nDCG@10", "gpt", 1)
    Rater.objects.filter(name="gpt").update(name="other")
    with pytest.raises(influence.NoSuchModel, match="no model rater named 'gpt'"):
        influence.compute_influence(collection, "gpt")


def test_one_system_has_no_influence_to_speak_of():
    collection = small.with_qrels("q1 r 2")
    small.add_run(collection, "h>r")
    factories.build_pool(collection)
    with pytest.raises(TooFewSystems):
        influence.compute_influence(collection)
