"""The judging page from the server that people run: compressed files, several processes, and an end in between."""

import socket
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests import factories, served

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("served")]
# Texts as long as those of real collections at their longest: passages just not cut, guidelines of two pages.
FILL = """
from annotate.models import Collection
from annotate.texts import operations as backstories
from annotate.collections.operations import collections, people
from tests import factories
ann = factories.make_user("ann")
for slug in ("cards", "reveals"):
    collection = factories.make_holes(factories.make_collection(slug), topics=2, passages=10)
    factories.make_suggestions(collection, reason="a reason of some words " * 20)
    collection.passages.update(text="words of a passage " * 210)
    for topic in collection.topics.all():
        backstories.add_version(topic=topic, text="in need of it " * 40, origin="WRITTEN", by=None, now=factories.NOW)
    words = collections.usual_grade_words(collection.scale)
    told = {"text": "- **a** rule\\n" * 150, "grade_words": [{**word, "description": "means " * 20} for word in words]}
    collections.add_guidelines(collection=collection, **told, by=None, now=factories.NOW)
    people.add_member(collection=collection, user=ann, role="ASSESSOR", now=factories.NOW)
Collection.objects.filter(slug="reveals").update(share_hidden=0, share_reveal=100)
"""
COLD_REQUESTS, COLD_BYTES, JUDGMENT_BYTES = 8, 120_000, 15_000


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    """The environment of an installation in which ann may judge."""
    env = served.environment(tmp_path_factory.mktemp("installation"))
    for command in (["migrate", "-v0"], ["collectstatic", "--no-input", "-v0"], ["shell", "--no-imports", "-c", FILL]):
        done = served.manage(*command, env=env)
        assert done.returncode == 0, done.stderr
    return env


@pytest.fixture
def judging(chromium):
    """`judging(address, slug)`: ann's judging page of a collection, signed in by the form."""
    contexts = []

    def open_page(address, slug="cards"):
        context = chromium.new_context(base_url=address)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"/sign-in/?next=/c/{slug}/judge/")
        page.get_by_label("Username").fill("ann")
        page.get_by_label("Password").fill(factories.PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.locator(".passage-text").wait_for()
        page.wait_for_load_state("networkidle")
        return page

    yield open_page
    for context in contexts:
        context.close()


def stored(env) -> list[int]:
    with closing(sqlite3.connect(f"{env['LACUNA_DATA_DIR']}/db.sqlite3")) as database:
        return [grade for (grade,) in database.execute("SELECT grade FROM annotate_judgment ORDER BY id")]


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return taken.getsockname()[1]


def test_a_grade_given_while_the_server_was_down_is_stored_once_it_is_back(env, judging, press):
    port = free_port()
    with served.running(env, port) as (_, address):
        served.wait_for(lambda: served.answers(address))
        page = judging(address)
        press(page, "1")
        before = stored(env)
    press(page, "2")
    expect(page.get_by_text("Not saved: your grade 2. The server does not answer.")).to_be_visible()
    with served.running(env, port):
        served.wait_for(lambda: served.answers(address))
        expect(page.get_by_text("Not saved")).to_have_count(0, timeout=60_000)  # it is sent again by itself
        press(page, "3")
        page.locator(".saved").wait_for()
        assert stored(env) == [*before, 2, 3]


class Wire:
    """What goes over the wire from now on, as chromium counts it: headers and compressed bodies."""

    def __init__(self, page):
        self.page, self.addresses, self.bytes = page, [], 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda told: self.addresses.append(told["request"]["url"]))
        session.on("Network.loadingFinished", self._count)

    def _count(self, told):
        self.bytes += told["encodedDataLength"]

    def of(self, act):
        """The requests that an action makes and their bytes, once nothing has come for a while."""
        self.addresses.clear()
        self.bytes = 0
        act()
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_timeout(700)
        return list(self.addresses), self.bytes


def test_a_cold_page_takes_few_requests_and_few_bytes_and_a_judgment_one_small_request(env, judging, press):
    with served.running(env) as (_, address):
        served.wait_for(lambda: served.answers(address))
        page = judging(address)
        wire = Wire(page)
        session = page.context.new_cdp_session(page)
        session.send("Network.clearBrowserCache")
        cold, cold_bytes = wire.of(page.reload)
        warm, warm_bytes = wire.of(lambda: press(page, "2"))
        page.close()
        reveals = judging(address, "reveals")
        wire = Wire(reveals)
        reveal, reveal_bytes = wire.of(lambda: (press(reveals, "2"), press(reveals, "Enter")))

    assert len(cold) <= COLD_REQUESTS, cold
    assert cold_bytes <= COLD_BYTES
    assert len(warm) == 1, warm
    assert warm_bytes <= JUDGMENT_BYTES
    assert len(reveal) == 2, reveal
    assert reveal_bytes <= 2 * JUDGMENT_BYTES
