"""Who calls the API of a collection."""

import pytest
from django.utils import timezone

from annotate.models import Collection, Membership
from tests import factories
from tests.api_caller import Caller


@pytest.fixture
def collection(db) -> Collection:
    return factories.make_collection(by=factories.make_user("researcher"))


@pytest.fixture
def holes(collection) -> Collection:
    """The collection with two topics and three pooled passages each, none judged."""
    return factories.make_holes(collection)


@pytest.fixture
def membership(collection) -> Membership:
    return factories.make_assessor(collection, "assessor")


@pytest.fixture
def assessor(membership) -> Caller:
    return Caller(membership.user, membership.collection)


@pytest.fixture
def researcher(collection) -> Caller:
    return Caller(collection.created_by, collection)


@pytest.fixture
def stranger(collection) -> Caller:
    return Caller(factories.make_collection().created_by, collection)


@pytest.fixture
def still_clock(monkeypatch):
    """Time that stands still, so that two answers may be compared byte for byte."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
