"""Who calls the API of a collection with qrels, a model's grades and one run."""

import pytest

from annotate.models import Collection
from tests import factories
from tests.api_caller import Caller

QRELS = "q1 0 d1.1 3\nq1 0 d1.2 0\nq1 0 d1.3 1\nq2 0 d2.1 0\n"


@pytest.fixture
def collection(db) -> Collection:
    collection = factories.make_holes(factories.make_collection(by=factories.make_user("researcher")))
    factories.import_qrels(collection, QRELS)
    factories.make_suggestions(collection, grade=1)
    return collection


@pytest.fixture
def researcher(collection) -> Caller:
    return Caller(collection.created_by, collection)


@pytest.fixture
def assessor(collection) -> Caller:
    return Caller(factories.make_assessor(collection).user, collection)


@pytest.fixture
def stranger(collection) -> Caller:
    return Caller(factories.make_collection().created_by, collection)
