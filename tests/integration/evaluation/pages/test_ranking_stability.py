"""When to stop, on the judging page: computed in the background, stale after new judgments."""

import pytest
from django.utils import timezone

from annotate.models import Suggestion, Work
from annotate.work import engine
from evaluation.findings import ranking_stability
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
PAGE = "judging/stability"


@pytest.fixture
def collection():
    """The holes h and x of three systems; the model says how likely their grades are."""
    made = small.three_systems()
    factories.import_qrels(made, small.lines("q1 h 1, q1 x 2, q2 h 0, q2 x 0"), rater="gpt", kind="MODEL")
    Suggestion.objects.filter(rater__collection=made).update(probabilities=[0.4, 0.3, 0.2, 0.1])
    return made


def test_the_judging_page_asks_for_it_and_links_to_it(collection, read):
    page = read(collection, "judging").content.decode()
    assert f'hx-get="/c/{collection.slug}/{PAGE}/" hx-trigger="load"' in page
    assert f'<a href="/c/{collection.slug}/{PAGE}/">' in page


@pytest.mark.postgresql
def test_it_is_computed_in_the_background_and_said_to_be_a_models_figure(collection, read):
    page = read(collection, PAGE)
    assert "It is being computed in the background." in page.words
    assert 'hx-trigger="every 3s"' in page.content.decode()
    engine.run_waiting()
    page = read(collection, PAGE)
    assert "hx-trigger" not in page.content.decode()
    assert "A model-based figure: it says what gpt believes, not what people would say." in page.words
    assert "In each of 200 draws (seed 1) the 4 open pairs get grades" in page.words
    assert "r r>x>h level today" in page.words
    assert f'href="/c/{collection.slug}/{PAGE}/?model=gpt"' in read(collection, f"work/{queued().pk}").content.decode()


def queued():
    return Work.objects.filter(kind="finding").latest("pk")


def test_a_new_judgment_makes_it_stale_and_computed_again(collection, read):
    read(collection, PAGE)
    engine.run_waiting()
    factories.judge(factories.make_assessor(collection), 3, now=timezone.now())
    page = read(collection, PAGE).words
    assert "have come since this was computed" in page
    assert "It is being computed again." in page
    engine.run_waiting()
    assert "the 3 open pairs" in read(collection, PAGE).words


def test_htmx_gets_the_section_alone(collection):
    client = visitors.researcher(collection)
    whole = client.get(f"/c/{collection.slug}/{PAGE}/")
    part = client.get(f"/c/{collection.slug}/{PAGE}/", headers={"HX-Request": "true"})
    assert "HX-Request" in whole.headers["Vary"]
    assert "<html" in whole.content.decode() and "<html" not in part.content.decode()


def test_without_probabilities_it_says_what_to_do(collection, read):
    Suggestion.objects.filter(rater__collection=collection).update(probabilities=None)
    page = read(collection, PAGE).words
    assert "No judge says yet how likely grades are" in page
    assert "Find the holes that can move the ranking most" in page


def test_the_holes_with_most_influence_stand_beside_it(collection, read):
    visitors.researcher(collection).post(f"/c/{collection.slug}/pairs/influence/compute/")
    engine.run_waiting()
    assert "0.50000 topic q1, passage h" in read(collection, PAGE).words


def test_another_judge_can_be_chosen_and_an_unknown_name_is_the_first(collection, read):
    factories.import_qrels(collection, small.lines("q1 h 3"), rater="<b>bold</b>", kind="MODEL")
    Suggestion.objects.filter(rater__name="<b>bold</b>").update(probabilities=[0, 0, 0, 1])
    page = read(collection, PAGE)
    assert "&lt;b&gt;bold&lt;/b&gt;" in page.content.decode() and "<b>bold</b>" not in page.content.decode()
    engine.run_waiting()
    client = visitors.researcher(collection)
    client.get(f"/c/{collection.slug}/{PAGE}/", {"model": "gpt"})
    engine.run_waiting()
    assert "what gpt believes" in visitors.words(client.get(f"/c/{collection.slug}/{PAGE}/", {"model": "gpt"}))
    assert "what <b>bold</b> believes" in visitors.words(client.get(f"/c/{collection.slug}/{PAGE}/", {"model": "?"}))


def test_it_is_for_researchers_of_the_collection_only(collection):
    for visitor in (visitors.assessor(collection), visitors.stranger()):
        assert visitor.get(f"/c/{collection.slug}/{PAGE}/").status_code in (403, 404)


def test_a_ranking_that_cannot_be_has_its_reason():
    alone = factories.make_holes(factories.make_collection(), topics=1)
    model = factories.make_suggestions(alone)
    assert ranking_stability.compute_stability(alone, model.name)["reason"] == "A ranking needs two runs."
    factories.import_text(alone, "RUN", "q1 Q0 d1.2 1 1 second\n")
    told = ranking_stability.compute_stability(alone, model.name)
    assert (told["reason"], told["open"]) == ("There are no grades to rank systems by yet.", 3)
    factories.import_qrels(alone, "q1 0 d1.1 2\nq1 0 d1.2 1\nq1 0 d1.3 0\n")
    told = ranking_stability.compute_stability(alone, model.name)
    assert told["reason"] == "Of the pairs that are open this judge says nothing."
