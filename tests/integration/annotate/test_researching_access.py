"""Every researcher's page: whom it lets in, and by which method."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from annotate.collections.operations import people
from annotate.exports import operations as exports_operations
from annotate.models import Collection
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.texts import operations as backstories_operations
from tests import factories, visitors

# name of the address, what it names beside the collection, the methods it knows
PAGES = [
    ("imports", (), "GET POST"),
    ("import_detail", ("file_id",), "GET"),
    ("withdraw_import", ("file_id",), "POST"),
    ("pool", (), "GET POST"),
    ("draw_holes", (), "POST"),
    ("undo_draw", (), "POST"),
    ("pairs", (), "GET"),
    ("draw_sample", (), "POST"),
    ("draw_list", (), "POST"),
    ("end_draw", (), "POST"),
    ("draw_calibration", (), "POST"),
    ("end_calibration", (), "POST"),
    ("add_pairs", (), "POST"),
    ("withdraw_pairs", (), "POST"),
    ("restore_pairs", (), "POST"),
    ("near_duplicates", (), "GET"),
    ("find_near_duplicates", (), "POST"),
    ("suggestions", (), "GET"),
    ("start_own_judge", (), "POST"),
    ("change_successors", (), "POST"),
    ("choose_model", (), "POST"),
    ("judging_settings", (), "GET POST"),
    ("judging_progress", (), "GET"),
    ("pause_judging", (), "POST"),
    ("backstories", (), "GET"),
    ("approve_backstory", ("backstory_id",), "POST"),
    ("write_backstory", ("topic_id",), "POST"),
    ("write_backstories", (), "GET POST"),
    ("approve_backstories", (), "POST"),
    ("backstory_versions", ("topic_id",), "GET"),
    ("compare_needs", (), "GET POST"),
    ("variants", (), "GET"),
    ("write_variants", (), "GET POST"),
    ("profiles", (), "GET POST"),
    ("measure_variants", (), "POST"),
    ("draw_variant_checks", (), "POST"),
    ("end_variant_checks", (), "POST"),
    ("change_scale", (), "POST"),
    ("people", (), "GET POST"),
    ("invite", (), "POST"),
    ("end_invitation", ("invitation_id",), "POST"),
    ("deactivate_member", ("member_id",), "POST"),
    ("reset_password", ("member_id",), "POST"),
    ("exports", (), "GET POST"),
    ("export_file", ("number", "name"), "GET"),
    ("judgments_file", ("kind",), "GET"),
    ("work_progress", ("work_id",), "GET"),
    ("stop_work", ("work_id",), "POST"),
    ("resume_work", ("work_id",), "POST"),
]


@pytest.fixture
def collection(db):
    return factories.make_collection()


@pytest.fixture
def named(collection):
    """Something of the collection for each part that an address can name."""
    imported = factories.import_text(collection, "TOPICS", "q1\twhat is q1\n")
    factories.import_qrels(collection, "q1 0 d1 2\n")
    topic = collection.topics.get()
    written = backstories_operations.add_version(
        topic=topic, text="in need", origin="WRITTEN", by=None, now=factories.NOW
    )
    by = collection.created_by
    invited, _ = people.invite(collection=collection, places=1, days=1, by=by, now=factories.NOW)
    queued = pooling.request_pool(collection=collection, depth=1, by=None, now=factories.NOW)
    frozen = exports_operations.freeze(
        collection=collection, rule=completion.parse_rule("reference"), by=None, now=factories.NOW
    )
    return {
        "file_id": imported.pk,
        "backstory_id": written.pk,
        "invitation_id": invited.pk,
        "topic_id": written.topic_id,
        "member_id": factories.make_assessor(collection).pk,
        "work_id": queued.pk,
        "number": frozen.number,
        "name": "qrels.txt",
        "kind": "csv",
    }


def address(name, collection, parts, named):
    return reverse(name, kwargs={"slug": collection.slug, **{part: named[part] for part in parts}})


@pytest.mark.parametrize(("name", "parts", "methods"), PAGES)
def test_a_researcher_page_is_for_researchers_alone(name, parts, methods, collection, named):
    where = address(name, collection, parts, named)
    method = methods.split()[0].lower()

    assert getattr(visitors.stranger(), method)(where).status_code == 404
    assert getattr(visitors.assessor(collection), method)(where).status_code == 403
    answer = getattr(visitors.researcher(collection), method)(where)
    answer.getvalue()  # closes the file of a download
    assert answer.status_code in (200, 302, 422)


@pytest.mark.parametrize(("name", "parts", "methods"), [page for page in PAGES if "GET" not in page[2]])
def test_what_changes_something_is_never_done_by_get(name, parts, methods, collection, named):
    assert visitors.researcher(collection).get(address(name, collection, parts, named)).status_code == 405


@pytest.mark.parametrize(("name", "parts", "methods"), [page for page in PAGES if "POST" not in page[2]])
def test_what_only_shows_something_takes_no_post(name, parts, methods, collection, named):
    assert visitors.researcher(collection).post(address(name, collection, parts, named)).status_code == 405


@pytest.mark.parametrize(("name", "parts", "methods"), [page for page in PAGES if "POST" in page[2]])
def test_a_post_of_an_assessor_or_a_stranger_changes_nothing(name, parts, methods, collection, named):
    where = address(name, collection, parts, named)
    assessor, stranger = visitors.assessor(collection), visitors.stranger()
    before = state(collection)

    assert assessor.post(where, {"depth": 3, "username": "eve", "role": "RESEARCHER"}).status_code == 403
    assert stranger.post(where, {"depth": 3, "username": "eve", "role": "RESEARCHER"}).status_code == 404
    assert state(collection) == before


def state(collection):
    """What a post could change, of all that hangs on the collection."""
    related = [collection.work, collection.imported_files, collection.memberships, collection.exports]
    return [list(rows.order_by("pk").values()) for rows in related], list(
        Collection.objects.filter(pk=collection.pk).values()
    )


@pytest.mark.parametrize(("name", "parts", "methods"), PAGES)
def test_who_is_not_signed_in_is_asked_to(name, parts, methods, collection, named, client):
    method = methods.split()[0].lower()
    answer = getattr(client, method)(address(name, collection, parts, named))

    assert answer.status_code == 302
    assert answer.url.startswith(reverse("sign_in"))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("import_detail", "file_id"),
        ("withdraw_import", "file_id"),
        ("deactivate_member", "member_id"),
        ("reset_password", "member_id"),
        ("approve_backstory", "backstory_id"),
        ("end_invitation", "invitation_id"),
        ("write_backstory", "topic_id"),
    ],
)
def test_nothing_of_another_collection_is_reached_by_its_id(name, part, collection, named):
    mine = factories.make_collection()
    method = "get" if name == "import_detail" else "post"
    where = reverse(name, kwargs={"slug": mine.slug, part: named[part]})

    assert getattr(visitors.researcher(mine), method)(where).status_code == 404


@pytest.mark.parametrize(("name", "method"), [("work_progress", "get"), ("stop_work", "post"), ("resume_work", "post")])
def test_work_of_another_collection_is_not_reached_by_its_id(name, method, collection, named):
    mine = factories.make_collection()
    where = reverse(name, args=[mine.slug, named["work_id"]])

    assert getattr(visitors.researcher(mine), method)(where).status_code == 404


@pytest.mark.parametrize(
    "name", ["collection", "imports", "pool", "suggestions", "judging_settings", "guidelines", "people", "exports"]
)
def test_a_page_makes_a_bounded_number_of_queries(name, collection, django_assert_max_num_queries):
    factories.make_holes(collection, topics=6, passages=4)
    factories.import_qrels(collection, "".join(f"q{t} 0 d{t}.1 {t % 4}\n" for t in range(1, 7)))
    for number in range(5):
        factories.make_suggestions(collection, rater=f"model-{number}")
        judge = factories.make_assessor(collection)
        factories.judge(judge, now=factories.NOW + timedelta(minutes=number))
        factories.import_text(collection, "RUN", f"q1 Q0 d1.1 1 2.5 run-{uuid.uuid4()}\n")
    visitor = visitors.researcher(collection)

    with django_assert_max_num_queries(30):
        assert visitor.get(reverse(name, args=[collection.slug])).status_code == 200
