import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from annotate.models import HoleDraw, Pair
from annotate.work import engine
from tests import factories, visitors


@pytest.fixture
def collection(db):
    """Two topics of three pooled passages each; d1.1 has grade 2 and d2.1 grade 0."""
    made = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.import_qrels(made, "q1 0 d1.1 2\nq2 0 d2.1 0\n")
    return made


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def test_holes_are_counted_by_topic_and_by_run(visitor, collection):
    page = visitors.words(visitor.get(reverse("pool", args=[collection.slug])))

    assert "6 pooled pairs" in page
    assert "4 holes" in page
    assert "q1 what is q1 3 2" in page
    assert "of the top 10 of all 2 topics" in page
    # one run: 2 of 20 slots judged; 4 retrieved passages are not, 14 slots are empty
    assert "first 0.100 2 4 20 yes" in page


def test_holes_without_a_text_are_said(visitor, collection):
    factories.import_text(collection, "RUN", "q1 Q0 unknown 1 2.5 second\n")
    factories.build_pool(collection)
    page = visitors.words(visitor.get(reverse("pool", args=[collection.slug])))

    assert "1 hole without a text: nobody is asked about it" in page


def test_building_is_queued_to_the_depth_and_shows_its_progress(visitor, collection):
    answer = visitor.post(reverse("pool", args=[collection.slug]), {"depth": 1}, follow=True)
    assert "pool to depth 1: waiting" in visitors.words(answer)
    engine.run_waiting()

    assert Pair.objects.filter(is_pooled=True).count() == 2
    assert "2 pooled pairs" in visitors.words(visitor.get(reverse("pool", args=[collection.slug])))


@pytest.mark.parametrize("depth", ["0", "-1", "1001", "x", ""])
def test_a_depth_that_is_none_is_refused(visitor, collection, depth):
    answer = visitor.post(reverse("pool", args=[collection.slug]), {"depth": depth})

    assert answer.status_code == 422
    assert answer.context["pool_form"].errors


def test_a_pool_older_than_an_import_says_so(visitor, collection):
    factories.build_pool(collection)
    where = reverse("pool", args=[collection.slug])
    assert "since the pool was built" not in visitors.words(visitor.get(where))

    factories.import_text(collection, "RUN", "q1 Q0 d1.3 1 2.5 second\n")

    assert "since the pool was built" in visitors.words(visitor.get(where))


def test_the_grades_of_a_model_make_no_pool_old(visitor, collection):
    factories.build_pool(collection)
    factories.make_suggestions(collection)

    assert "since the pool was built" not in visitors.words(visitor.get(reverse("pool", args=[collection.slug])))


def test_a_preview_says_what_a_draw_would_drop_and_drops_nothing(visitor, collection):
    said = {"fraction": "1", "grades": ["1", "2", "3"], "seed": "7", "preview": "1"}
    answer = visitor.post(reverse("draw_holes", args=[collection.slug]), said)

    preview = [(loss.grade, loss.known, loss.dropped) for loss in answer.context["preview"]]
    assert preview == [(0, 1, 0), (1, 0, 0), (2, 1, 1), (3, 0, 0)]
    assert not HoleDraw.objects.exists()


def test_holes_are_drawn_and_brought_back(visitor, collection):
    said = {"fraction": "1", "grades": ["0", "2"], "seed": "7"}
    drawn = visitors.words(visitor.post(reverse("draw_holes", args=[collection.slug]), said, follow=True))
    assert "2 of the grades are dropped" in drawn
    assert "6 holes" in drawn

    back = visitors.words(visitor.post(reverse("undo_draw", args=[collection.slug]), follow=True))
    assert "2 of the grades count again" in back
    assert "4 holes" in back


@pytest.mark.parametrize(
    "wrong", [{"fraction": "0"}, {"fraction": "1.1"}, {"fraction": "nan"}, {"grades": []}, {"grades": ["9"]}]
)
def test_a_draw_that_is_none_is_refused(visitor, collection, wrong):
    said = {"fraction": "0.5", "grades": ["2"], "seed": "7", **wrong}

    assert visitor.post(reverse("draw_holes", args=[collection.slug]), said).status_code == 422
    assert not HoleDraw.objects.exists()


def test_a_draw_that_drops_nothing_says_why(visitor, collection):
    said = {"fraction": "0.5", "grades": ["2"], "seed": "7"}
    answer = visitor.post(reverse("draw_holes", args=[collection.slug]), said)

    assert answer.status_code == 422
    assert "less than one grade: nothing to drop" in visitors.words(answer)


def test_taking_back_what_is_not_drawn_says_so(visitor, collection):
    answer = visitor.post(reverse("undo_draw", args=[collection.slug]), follow=True)

    assert "No synthetic holes are drawn" in visitors.words(answer)


@pytest.mark.postgresql
def test_an_empty_collection_says_what_to_do_first(db):
    collection = factories.make_collection()
    page = visitors.words(visitors.researcher(collection).get(reverse("pool", args=[collection.slug])))

    assert "There is nothing to pool yet: import runs or qrels" in page
    assert "Holes are drawn from reference grades: import qrels first" in page


def test_large_numbers_have_a_mark_at_the_thousands_on_every_page(db):
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    factories.import_qrels(collection, "".join(f"q1 0 d{number} 1\n" for number in range(1234)))
    factories.build_pool(collection)
    visitor = visitors.researcher(collection)
    pool, exports = (visitor.get(reverse(name, args=[collection.slug])) for name in ("pool", "exports"))
    pool, exports = visitors.words(pool), visitors.words(exports)
    assert "1,235 pooled pairs" in pool and "q1 what is q1 1,235 1 " in pool
    assert "1,234 lines over 1 topic" in exports


def test_the_head_of_a_judging_card_has_a_mark_at_the_thousands():
    told = {"mine": {"judged": 1359, "total": 22176, "skipped": 1000}, "collection": {"slug": "dl"}}
    assert "1,359 / 22,176</span>" in (head := render_to_string("annotate/judging/_head.html", told))
    assert "1,000 skipped" in head and 'max="22176" value="1359"' in head
