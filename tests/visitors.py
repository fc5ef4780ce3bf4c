"""People who look at pages: clients that are signed in, without the form."""

import re
from html import unescape

from django.http import HttpResponse
from django.test import Client

from annotate.models import Collection, Membership, User
from tests import factories


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def researcher(collection: Collection) -> Client:
    """The collection's first researcher."""
    return of(Membership.objects.filter(collection=collection, role="RESEARCHER").earliest("pk").user)


def assessor(collection: Collection) -> Client:
    return of(factories.make_assessor(collection).user)


def stranger() -> Client:
    """Somebody with an account, a researcher elsewhere."""
    return of(factories.make_collection().created_by)


def words(response: HttpResponse) -> str:
    """The text of a page without its tags, white space joined: what a person reads."""
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", unescape(text))
