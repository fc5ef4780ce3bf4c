"""Every page there is opens, and axe finds nothing on it, light and dark, in a collection that has something on each.

The pages are not listed here: they are all addresses that answer a person of some role with a whole page.
"""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, Response

from annotate.collections.operations import people as collections_people
from annotate.exports import operations as exports_operations
from annotate.models import BackstoryFlag, Claim, ImportedFile, Judgment, Pair, User, Work
from annotate.rules import completion
from annotate.suggestions.operations import prompts
from annotate.texts import operations as backstories_operations
from annotate.texts import operations as variants_operations
from annotate.work import engine
from tests import addresses, factories, visitors
from tests.browser import test_evaluation_pages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# What a page shows more of when it is asked.
ASKED = dict(test_evaluation_pages.PAGES)
SHARED = {"account", "change_password", "api_docs", "schema"}  # the same for everybody who is signed in


@pytest.fixture
def collection():
    """Two people of whom one disagrees, a model in view, a flagged backstory, variants to check, imports, a draw, a
    frozen version."""
    made = factories.make_holes(factories.make_collection("dl", target=2, share_hidden=0, share_shown=100), passages=4)
    factories.import_text(made, "RUN", "q1 Q0 d1.2 1 2.5 second\nq2 Q0 d2.1 1 1.5 second\n", group="dense")
    factories.import_text(made, "TOPICS", "no tab in this line\n")
    factories.import_qrels(made, "q1 0 d1.1 2\nq2 0 d2.1 3\n")
    factories.make_suggestions(made, reason="It names the query.")
    for topic in made.topics.all():
        backstories_operations.add_version(
            topic=topic, text=f"in need of {topic}", origin="WRITTEN", by=None, now=factories.NOW
        )
        for name in ("child", "expert"):
            profile = prompts.use_built_in_profile(collection=made, name=name, now=factories.NOW)
            texts = [f"{name} wants {topic}"]
            variants_operations.add_variants(
                collection=made, topic=topic, profile=profile, texts=texts, now=factories.NOW
            )
    variants_operations.draw_checks(collection=made, per_profile=1, people=2)
    return made


@pytest.fixture
def assessor(collection):
    """Who disagreed with somebody, said that the backstory looks wrong, and holds the next pair."""
    other, assessor = factories.make_assessor(collection), factories.make_assessor(collection, "ann")
    for grade in (0, 1, 3):
        factories.judge(other, grade, comment="so")
        factories.judge(assessor, 3, comment="not so")
    held = factories.claim(assessor, timezone.now())
    backstories_operations.flag_version(
        assessor=assessor, backstory_id=held.backstory_id, comment="too vague", now=factories.NOW
    )
    return assessor


@pytest.fixture
def parts(collection, assessor):
    """Something of the collection for every part that an address can name."""
    by, now = collection.created_by, factories.NOW
    invitation, secret = collections_people.invite(collection=collection, places=3, days=400, by=by, now=timezone.now())
    frozen = exports_operations.freeze(collection=collection, rule=completion.parse_rule("people"), by=by, now=now)
    return {
        "slug": collection.slug,
        "secret": secret,
        "invitation_id": invitation.pk,
        "number": frozen.number,
        "name": "qrels.txt",
        "format": "csv",
        "file_id": ImportedFile.objects.filter(collection=collection, state="REFUSED").get().pk,
        "work_id": Work.objects.filter(collection=collection).latest("pk").pk,
        "pair_id": Pair.objects.filter(collection=collection, is_disputed=True).first().pk,
        "judgment_id": Judgment.objects.filter(assessor=assessor).latest("pk").pk,
        "token": Claim.objects.get(assessor=assessor, state="OPEN").token,
        "backstory_id": BackstoryFlag.objects.get().backstory_id,
        "topic_id": collection.topics.earliest("pk").pk,
        "member_id": assessor.pk,
        "batch_id": 0,
        "variant_id": 0,
        "kind": "holes",
        "draw_id": 0,
    }


@pytest.fixture
def people(collection, assessor) -> dict[str, User | None]:
    return {
        "nobody": None,
        "assessor": assessor.user,
        "adjudicator": factories.make_adjudicator(collection).user,
        "researcher": collection.created_by,
    }


def pages(client: Client, parts: dict[str, object]) -> dict[str, str]:
    """By its name the address of each whole page that this visitor is shown."""
    found = {}
    for name, pattern in addresses.routes().items():
        address = addresses.fill(pattern, parts) + ASKED.get(name, "")
        answer = client.get(address)
        content = answer.getvalue()  # of a download too: it closes the file
        if answer.status_code == 200 and "text/html" in answer.headers["Content-Type"] and b"<html" in content:
            found[name] = address
    return found


def visit(page, address: str) -> Response | None:
    answer = page.goto(address)
    page.wait_for_load_state("networkidle")
    return answer


def faults(page) -> list[tuple[str, str]]:
    violations = Axe().run(page).response["violations"]
    return [(each["id"], node["html"]) for each in violations for node in each["nodes"]]


def is_of_swagger(fault: tuple[str, str]) -> bool:
    """The library's own: a second main part, and buttons in buttons. Colours and headings there are ours to mend."""
    return fault[0] in (
        "landmark-main-is-top-level",
        "landmark-no-duplicate-main",
        "landmark-unique",
        "nested-interactive",
    )


def of_everybody(new_page, sign_in, people, parts) -> Iterator[tuple[str, str, str, Page]]:
    """Role, name and address of each page, and where to open it; one that is the same for everybody comes once."""
    seen = set()
    for role, user in people.items():
        shown = pages(visitors.of(user) if user else Client(), parts)
        engine.run_waiting()  # what is computed for a page the first time that it is asked for
        page = new_page()
        if user:
            sign_in(page, user)
        for name, address in shown.items():
            if name not in SHARED & seen:
                yield role, name, address, page
        seen |= shown.keys()


@pytest.mark.smoke
def test_every_page_of_everybody_opens(new_page, sign_in, people, parts):
    """Faults of scripts and of the content security policy fail it by themselves: see `new_page`."""
    opened = set()
    for role, name, address, page in of_everybody(new_page, sign_in, people, parts):
        answer = visit(page, address)
        assert answer is not None and answer.ok, (role, name)
        assert page.get_by_role("heading", level=1).count() == 1, (role, name)
        opened.add(name)
    assert {"sign_in", "join", "judge", "reopen", "history", "adjudicate_pair", "backstories", "leaderboard"} <= opened
    assert len(opened) > 30


def test_axe_finds_nothing_on_any_page_of_anybody(new_page, sign_in, people, parts):
    found = {}
    for role, name, address, page in of_everybody(new_page, sign_in, people, parts):
        visit(page, address)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            told = [each for each in faults(page) if name != "api_docs" or not is_of_swagger(each)]
            if told:
                found[role, name, scheme] = told
    assert found == {}
