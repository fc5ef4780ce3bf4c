import re

import pytest
from django.urls import reverse

from annotate.collections.operations import people
from annotate.models import Membership, User
from tests import factories, visitors


@pytest.fixture
def collection(db):
    return factories.make_collection()


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


@pytest.fixture
def where(collection):
    return reverse("people", args=[collection.slug])


def password_on(answer):
    return re.search(r'class="password">([^<]+)<', answer.content.decode())[1]


def test_somebody_new_gets_a_first_password_that_is_shown_once_and_kept_nowhere(visitor, collection, where):
    answer = visitor.post(where, {"username": "ann", "role": "ASSESSOR"})

    password = password_on(answer)
    ann = User.objects.get(username="ann")
    assert ann.check_password(password)
    assert ann.must_change_password
    assert Membership.objects.get(user=ann, collection=collection).role == "ASSESSOR"
    assert "no-store" in answer.headers["Cache-Control"]
    assert password not in visitor.get(where).content.decode()


def test_somebody_known_is_added_without_a_password(visitor, collection, where):
    ann = factories.make_user("ann")
    answer = visitor.post(where, {"username": "ann", "role": "RESEARCHER"}, follow=True)

    assert "ann is researcher of this collection" in visitors.words(answer)
    assert Membership.objects.get(user=ann, collection=collection).role == "RESEARCHER"
    ann.refresh_from_db()
    assert ann.check_password(factories.PASSWORD)


@pytest.mark.parametrize("said", [{"username": "a b"}, {"username": ""}, {"role": "OWNER"}, {"username": "x" * 151}])
def test_a_user_name_or_role_that_is_none_is_refused(visitor, collection, where, said):
    answer = visitor.post(where, {"username": "ann", "role": "ASSESSOR", **said})

    assert answer.status_code == 422
    assert Membership.objects.filter(collection=collection).count() == 1


@pytest.mark.postgresql
def test_a_person_leaves_and_comes_back_under_the_same_pseudonym(visitor, collection, where):
    ann = factories.make_assessor(collection, "ann")
    left = visitor.post(reverse("deactivate_member", args=[collection.slug, ann.pk]), follow=True)
    assert "ann left; the judgments stay under assessor-1" in visitors.words(left)
    assert "Bring back" in visitors.words(left)

    visitor.post(where, {"username": "ann", "role": "ASSESSOR"})

    assert list(Membership.objects.filter(user=ann.user).values_list("pseudonym", "is_active")) == [
        ("assessor-1", True)
    ]


@pytest.mark.postgresql
def test_the_last_researcher_cannot_leave(visitor, collection):
    mine = Membership.objects.get(collection=collection)
    answer = visitor.post(reverse("deactivate_member", args=[collection.slug, mine.pk]), follow=True)

    assert "A collection keeps at least one researcher" in visitors.words(answer)
    mine.refresh_from_db()
    assert mine.is_active


@pytest.mark.postgresql
def test_an_assessor_gets_a_new_first_password(visitor, collection):
    ann = factories.make_assessor(collection, "ann")
    answer = visitor.post(reverse("reset_password", args=[collection.slug, ann.pk]))

    ann.user.refresh_from_db()
    assert ann.user.check_password(password_on(answer))
    assert not ann.user.check_password(factories.PASSWORD)


def test_who_also_works_elsewhere_is_not_reset_and_the_button_says_why(visitor, collection, where):
    ann = factories.make_assessor(collection, "ann")
    people.add_member(collection=factories.make_collection(), user=ann.user, role="ASSESSOR", now=factories.NOW)
    sentence = "This person also works, or worked, in collections that are not yours: ask an administrator."
    assert f'disabled title="{sentence}"' in visitor.get(where).content.decode()

    answer = visitor.post(reverse("reset_password", args=[collection.slug, ann.pk]), follow=True)

    ann.user.refresh_from_db()
    assert sentence in visitors.words(answer)
    assert ann.user.check_password(factories.PASSWORD)


@pytest.mark.parametrize("role", ["ASSESSOR", "RESEARCHER"])
def test_who_is_added_by_name_cannot_be_taken_over_once_the_other_roles_ended(visitor, collection, where, role):
    eve = factories.make_user("eve")
    elsewhere = people.add_member(collection=factories.make_collection(), user=eve, role=role, now=factories.NOW)
    people.deactivate_member(membership=elsewhere, by=eve, now=factories.NOW)
    visitor.post(where, {"username": "eve", "role": "ASSESSOR"})
    member = next(m for m in visitor.get(where).context["members"] if m.membership.user == eve)
    assert member.reset_refusal

    visitor.post(reverse("reset_password", args=[collection.slug, member.membership.pk]))

    eve.refresh_from_db()
    assert eve.check_password(factories.PASSWORD)


@pytest.mark.parametrize("name", ["Zoë", "zoë", "ZOË"])
def test_a_name_in_other_letters_is_the_same_person(visitor, collection, where, name):
    zoe = factories.make_user("Zoë")
    answer = visitor.post(where, {"username": name, "role": "ASSESSOR"}, follow=True)

    assert "Zoë is assessor of this collection" in visitors.words(answer)
    assert Membership.objects.get(collection=collection, role="ASSESSOR").user == zoe


def test_of_two_accounts_alike_the_one_of_exactly_this_name_is_meant(visitor, collection, where):
    factories.make_user("boss")
    meant = factories.make_user("Boss")
    visitor.post(where, {"username": "Boss", "role": "ASSESSOR"})

    assert Membership.objects.get(collection=collection, role="ASSESSOR").user == meant


def test_what_a_person_held_is_free_at_once_when_she_leaves(visitor, collection):
    factories.make_holes(collection, topics=1, passages=1)
    ann, bob = factories.make_assessor(collection, "ann"), factories.make_assessor(collection, "bob")
    held = factories.claim(ann)
    assert factories.claim(bob) is None

    visitor.post(reverse("deactivate_member", args=[collection.slug, ann.pk]))

    assert factories.claim(bob).pair == held.pair
    held.refresh_from_db()
    assert held.state == "EXPIRED"


def test_the_page_offers_a_reset_exactly_where_the_operation_allows_it(visitor, collection, where):
    ann = factories.make_assessor(collection, "ann")
    peer = people.add_member(
        collection=collection, user=factories.make_user("peer"), role="RESEARCHER", now=factories.NOW
    )
    offered = {member.membership.pk for member in visitor.get(where).context["members"] if not member.reset_refusal}

    assert offered == {ann.pk}
    assert visitor.post(reverse("reset_password", args=[collection.slug, peer.pk])).status_code == 302
    assert visitor.post(reverse("reset_password", args=[collection.slug, ann.pk])).status_code == 200
