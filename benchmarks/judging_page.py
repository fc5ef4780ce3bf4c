"""What the judging page costs over the wire when a browser that has nothing of it opens it."""

import os
import shutil
from typing import NamedTuple

from playwright.sync_api import sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")


class Wire(NamedTuple):
    requests: int
    bytes: int


def cold(address: str, cookies: dict[str, str], path: str) -> Wire | None:
    """Requests and bytes (bodies as they came, compressed, with headers) until chromium asks for nothing more; None
    without a chromium."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        return None
    sizes: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=address)
        context.add_cookies([{"name": name, "value": value, "url": address} for name, value in cookies.items()])
        page = context.new_page()
        watched = context.new_cdp_session(page)
        watched.send("Network.enable")
        watched.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(path, wait_until="networkidle")
        assert page.locator("#judgment").is_visible(), "the judging page did not open"
        browser.close()
    return Wire(len(sizes), int(sum(sizes)))
