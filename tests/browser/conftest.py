"""A real chromium against a real server. A page that breaks the content security policy or throws fails its test."""

import os
import shutil

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright

# Playwright's synchronous interface keeps an event loop in the test's thread, beside which Django refuses its database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTLED = "() => !document.querySelector('.htmx-request, .htmx-settling, .htmx-swapping')"
# The judging page takes no answer in the first moment of a pair; longer than that, it is the person's.
MOMENT_MS = 300


@pytest.fixture(scope="session")
def chromium() -> Browser:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if path is None:
        sentence = "there is no chromium here: install it, or name it in the variable CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium, live_server):
    """Make pages of separate browsers' stores: `new_page(viewport=..., java_script_enabled=...)`."""
    contexts, faults = [], []

    def make(**options: object) -> Page:
        context = chromium.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def page(new_page) -> Page:
    return new_page(viewport={"width": 1280, "height": 900})


@pytest.fixture
def sign_in(live_server):
    """`sign_in(page, user)`: by a session cookie, as after the form."""

    def enter(page: Page, user) -> None:
        client = Client()
        client.force_login(user)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])

    return enter


@pytest.fixture
def wait_for_htmx():
    """`wait_for_htmx(page)`: until no request is under way and what came has settled."""

    def wait(page: Page) -> None:
        page.wait_for_function(SETTLED)

    return wait


@pytest.fixture
def press(wait_for_htmx):
    """`press(page, key)`: as a person who has looked at the pair, and waits for the answer."""

    def press_key(page: Page, key: str) -> None:
        page.wait_for_timeout(MOMENT_MS)
        page.keyboard.press(key)
        wait_for_htmx(page)

    return press_key
