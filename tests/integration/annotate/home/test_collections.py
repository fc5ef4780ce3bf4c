import pytest
from django.urls import reverse

from annotate.collections.operations import people
from annotate.models import Collection, Membership
from annotate.pool.operations import pooling
from tests import factories, visitors

NEW = {"title": "DL 2019 passages", "slug": "dl19", "scale": "0-3", "description": "about it"}


@pytest.fixture
def maker(db):
    return factories.make_user(may_create_collections=True)


def test_a_collection_is_made_with_its_scale_and_its_researcher(maker):
    answer = visitors.of(maker).post(reverse("new_collection"), {**NEW, "scale": "0-2"})

    made = Collection.objects.get(slug="dl19")
    assert answer.url == reverse("collection", args=["dl19"])
    assert (made.title, str(made.scale), made.description) == ("DL 2019 passages", "0-2", "about it")
    assert Membership.objects.get(collection=made).role == "RESEARCHER"


def test_the_short_name_comes_from_the_title_where_none_is_given(maker):
    visitors.of(maker).post(reverse("new_collection"), {**NEW, "slug": ""})

    assert Collection.objects.get().slug == "dl-2019-passages"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"title": "東京", "slug": ""}, "No short name can be made from this title"),
        ({"slug": "Has Spaces"}, "small letters, digits and hyphens"),
        ({"scale": "3"}, "not a grade scale such as 0-3"),
        ({"scale": "3-1"}, "goes from 0 or more up to a higher grade"),
        ({"title": ""}, "This field is required"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(maker, said, sentence):
    answer = visitors.of(maker).post(reverse("new_collection"), {**NEW, **said})

    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert "about it" in answer.content.decode()
    assert not Collection.objects.exists()


def test_a_taken_short_name_is_refused(maker):
    factories.make_collection("dl19")
    answer = visitors.of(maker).post(reverse("new_collection"), NEW)

    assert answer.status_code == 422
    assert "There is a collection dl19 already" in visitors.words(answer)


def test_only_who_may_makes_collections(db):
    visitor = visitors.of(factories.make_user())

    assert visitor.get(reverse("new_collection")).status_code == 403
    assert visitor.post(reverse("new_collection"), NEW).status_code == 403
    assert not Collection.objects.exists()


def test_an_administrator_makes_collections(db):
    assert visitors.of(factories.make_user(is_superuser=True)).get(reverse("new_collection")).status_code == 200


def test_a_collection_page_knows_no_post_and_no_strangers(db):
    where = reverse("collection", args=[factories.make_collection("mine").slug])

    assert visitors.stranger().get(where).status_code == 404
    assert visitors.researcher(Collection.objects.get(slug="mine")).post(where).status_code == 405


def test_a_researcher_sees_the_way_of_the_data_with_its_counts(db):
    collection = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.make_suggestions(collection, rater="model-a")
    assessor = factories.make_assessor(collection)
    factories.judge(assessor)

    page = visitors.words(visitors.researcher(collection).get(reverse("collection", args=[collection.slug])))

    for words in [
        "2 topics",
        "6 passages",
        "1 run",
        "0 references, 1 model",
        "6 pairs to depth 10",
        "5 holes",
        "5 of 5 holes with the chosen model's grade",
        "1 of 6 pairs done",
        "1 judgment of 1 assessor",
        "0 frozen versions",
    ]:
        assert words in page


def test_an_assessor_sees_what_waits_and_nothing_of_models_or_others(db):
    collection = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.make_suggestions(collection, rater="secret-model")
    other = factories.make_assessor(collection, "other-person")
    factories.judge(other)
    mine = factories.make_assessor(collection)

    answer = visitors.of(mine.user).get(reverse("collection", args=[collection.slug]))
    page = answer.content.decode()

    assert "0 of 5 judged" in page
    assert reverse("judge", args=[collection.slug]) in page
    assert reverse("guidelines", args=[collection.slug]) in page
    for hidden in ["secret-model", "other-person", "assessor-1", "uggestion", "mport", "rater"]:
        assert hidden not in page


def test_who_researches_and_judges_gets_both(db):
    collection = factories.make_holes(factories.make_collection())

    people.add_member(collection=collection, user=collection.created_by, role="ASSESSOR", now=factories.NOW)
    page = visitors.words(visitors.researcher(collection).get(reverse("collection", args=[collection.slug])))

    assert "Judge: 0 of 6" in page
    assert "Pool and holes" in page


def test_a_page_says_that_no_worker_answers(db):

    collection = factories.make_collection()
    pooling.request_pool(collection=collection, depth=3, by=None, now=factories.NOW)
    page = visitors.words(visitors.researcher(collection).get(reverse("collection", args=[collection.slug])))

    assert "no worker has answered for 30 seconds" in page
    assert "pool to depth 3" in page


@pytest.mark.postgresql
def test_the_overview_says_whose_grades_the_reference_are(db):
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tfirst topic\n")
    told = {"rater": "nist", "rater_kind": "REFERENCE", "rater_description": "Made by hand, not for conclusions."}
    factories.import_text(collection, "QRELS", "q1 0 d1 3\n", **told)
    page = visitors.words(visitors.researcher(collection).get(f"/c/{collection.slug}/"))
    assert "nist: its grades close holes. Made by hand, not for conclusions." in page
