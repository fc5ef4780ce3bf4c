"""Who calls the API, and how."""

import json
import uuid

import pytest
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from annotate.models import Collection, Membership, User
from tests import factories


class Caller:
    """Sends JSON below a collection's address with a personal token."""

    def __init__(self, user: User, collection: Collection) -> None:
        self.base = f"/api/v1/collections/{collection.slug}/"
        self.client = Client(headers={"authorization": f"Token {AuthToken.objects.create(user=user)[1]}"})

    def get(self, path: str = "", **parameters: str):
        return self.client.get(self.base + path, parameters)

    def post(self, path: str, body: object = None, key: uuid.UUID | str | None = None):
        headers = {"Idempotency-Key": str(key)} if key else {}
        return self.client.post(self.base + path, json.dumps(body), content_type="application/json", headers=headers)

    def post_lines(self, path: str, *lines: object):
        body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        return self.client.post(self.base + path, body, content_type="application/x-ndjson")


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
