"""All that an assessor can reach: every link that the pages name, and every address of the collection."""

import re
from collections import defaultdict
from html import unescape

import pytest
from django.apps import apps
from django.urls import reverse

from annotate.models import Collection, Judgment
from tests import addresses, factories, visitors

# Signing in and out and being seen are no changes; a claim and its time are what opening the judging page is for.
MAY_CHANGE = {"annotate.Claim", "annotate.Pair", "sessions.Session", "contenttypes.ContentType"}
OTHERS = ["somebody-else", "assessor-1", "my secret comment", "tells too much", "model-a"]


@pytest.fixture
def collection(db):
    """Two assessors' worth: somebody else has judged with a comment, and a model grades with a reason."""
    collection = factories.make_holes(factories.make_collection("here", target=2), topics=2, passages=3)
    factories.make_suggestions(collection, grade=1, reason="tells too much")
    factories.judge(factories.make_assessor(collection, "somebody-else"), grade=3, comment="my secret comment")
    return collection


@pytest.fixture
def assessor(collection):
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, grade=2)
    factories.claim(assessor)
    return assessor


def crawl(client, start: str) -> dict[str, bytes]:
    """Each address that can be reached by links from the start, with what it answers."""
    found, waiting = {}, [start]
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        answer = client.get(address)
        found[address] = answer.getvalue()
        if answer.headers["Content-Type"].startswith("text/html"):
            linked = re.findall(r'(?:href|hx-get)="([^"]+)"', answer.content.decode())
            here = [unescape(each) for each in linked if not each.startswith(("#", "http", "/static/"))]
            waiting += [address.partition("?")[0] + each if each.startswith("?") else each for each in here]
        elif answer.status_code in (301, 302):
            waiting.append(answer.url)
    return found


def everything() -> dict[str, list]:
    models = [model for model in apps.get_models() if model._meta.label not in MAY_CHANGE]
    return {model._meta.label: list(model.objects.order_by("pk").values()) for model in models}


def test_following_every_link_changes_no_row_but_claims(assessor):
    client = visitors.of(assessor.user)
    before = everything()
    found = crawl(client, "/")

    assert {reverse("judge", args=["here"]), reverse("history", args=["here"]), "/account/"} <= found.keys()
    assert everything() == before


def test_nothing_that_other_people_or_a_hidden_model_said_is_behind_any_link_or_in_the_api(assessor):
    client = visitors.of(assessor.user)
    found = crawl(client, "/")
    for name in ("api_collections", "api_collection", "api_progress", "api_next"):
        address = reverse(name, args=[] if name == "api_collections" else ["here"])
        found[address] = (client.post if name == "api_next" else client.get)(address).getvalue()

    told = [(address, word) for address, body in found.items() for word in OTHERS if word.encode() in body]
    assert told == []


def test_no_address_that_an_assessor_may_post_to_takes_a_judgment_away(collection, assessor):
    client = visitors.of(assessor.user)
    judgment = Judgment.objects.get(assessor=assessor)
    before = list(Judgment.objects.order_by("pk").values("pk", "pair", "assessor", "first_grade"))
    parts = {"slug": "here", "judgment_id": judgment.pk, "token": judgment.claim.token}
    posted = 0
    for pattern in addresses.routes().values():
        address = addresses.fill(pattern, defaultdict(lambda: 1, parts))
        if "<slug:slug>" in pattern and client.post(address, {"key": "x"}).status_code < 400:
            posted += 1
    after = list(Judgment.objects.filter(pk__in=[row["pk"] for row in before]).order_by("pk").values(*before[0]))

    assert posted
    assert after == before
    assert Collection.objects.filter(slug="here").exists()
