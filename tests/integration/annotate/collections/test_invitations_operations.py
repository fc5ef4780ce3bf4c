"""Who comes by a link when several want to."""

import pytest

from annotate.collections import queries as collections_queries
from annotate.collections.operations import people as collections_invitations
from annotate.collections.rules import NotOpen
from annotate.models import Invitation, Membership, User
from tests import at_once, factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def collection():
    return factories.make_collection()


def invite(collection, places: int) -> str:
    by = collection.created_by
    return collections_invitations.invite(collection=collection, places=places, days=1, by=by, now=factories.NOW)[1]


def test_only_the_hash_of_the_secret_is_stored(collection):
    secret = invite(collection, places=1)
    row = Invitation.objects.values().get()

    assert secret not in map(str, row.values())
    assert row["secret_hash"] == collections_queries.hash_secret(secret)
    assert len(secret) >= 32


def test_of_people_who_want_the_last_place_at_once_one_gets_it(collection):
    secret = invite(collection, places=2)
    people = [factories.make_user() for _ in range(6)]
    came, faults = at_once.run(
        lambda user: collections_invitations.join(secret=secret, user=user, now=factories.NOW).pseudonym, people
    )

    assert sorted(came) == ["assessor-1", "assessor-2"]
    assert [type(fault) for fault in faults] == [NotOpen] * 4
    assert Invitation.objects.get().used == 2


def test_one_person_who_joins_twice_at_once_takes_one_place(collection):
    secret = invite(collection, places=2)
    came, faults = at_once.run(
        lambda user: collections_invitations.join(secret=secret, user=user, now=factories.NOW),
        [factories.make_user()] * 2,
    )

    assert (len(came), [type(fault) for fault in faults]) == (1, [collections_invitations.CannotJoin])
    assert (Invitation.objects.get().used, Membership.objects.filter(role="ASSESSOR").count()) == (1, 1)


def test_one_person_who_joins_by_several_links_at_once_takes_one_place(collection):
    secrets = [invite(collection, places=2) for _ in range(4)]
    user = factories.make_user()
    came, faults = at_once.run(
        lambda secret: collections_invitations.join(secret=secret, user=user, now=factories.NOW), secrets
    )

    assert (len(came), [type(fault) for fault in faults]) == (1, [collections_invitations.CannotJoin] * 3)
    assert sum(Invitation.objects.values_list("used", flat=True)) == 1


def test_of_people_who_want_one_name_at_once_one_gets_it(collection):
    secrets = [invite(collection, places=4), invite(factories.make_collection(), places=4)]
    wanted = [(secrets[0], "ann"), (secrets[0], "Ann"), (secrets[0], "ann"), (secrets[1], "ann")]
    came, faults = at_once.run(
        lambda asked: collections_invitations.join_anew(
            secret=asked[0], username=asked[1], password=factories.PASSWORD, now=factories.NOW
        ),
        wanted,
    )

    assert len(came) + len(faults) == 4
    assert {type(fault) for fault in faults} == {collections_invitations.CannotJoin}
    assert User.objects.filter(username="ann").count() <= 1


def test_where_joining_fails_no_account_is_left(collection):
    secret = invite(collection, places=1)
    collections_invitations.join_anew(secret=secret, username="ann", password=factories.PASSWORD, now=factories.NOW)
    with pytest.raises(NotOpen):
        collections_invitations.join_anew(secret=secret, username="bob", password=factories.PASSWORD, now=factories.NOW)

    assert User.objects.filter(username="ann").exists()
    assert not User.objects.filter(username="bob").exists()
