"""A newcomer's way: `make demo`, sign in, judge ten pairs by keyboard, see what they change, take the qrels home.

With LACUNA_SCREENSHOTS=FOLDER it also takes the pictures of the documentation (`make screenshots`).
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS_TO_START = 600
COLLECTION = "/c/python-docs/"
TIMEOUT_MS = 60_000  # the machine may be busy

pytestmark = [pytest.mark.browser, pytest.mark.postgresql, pytest.mark.xdist_group("journey")]  # one demo for both


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo as `make demo` starts it: its address, the password of each login that it made, its folder."""
    if shutil.which("make") is None:
        pytest.skip("there is no make here")
    folder = tmp_path_factory.mktemp("demo")
    port = _free_port()
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        ["make", "demo", f"PORT={port}"],
        cwd=ROOT,
        env={**os.environ, "LACUNA_DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address, process, folder / "log")
        lines = (folder / "data" / "demo_logins.txt").read_text().splitlines()
        yield address, dict(line.split() for line in lines), folder / "data"
    finally:
        process.terminate()
        process.wait(timeout=60)
        log.close()


@pytest.fixture
def enter(chromium, demo):
    """`enter(person)`: a browser of its own in which the person has signed in by the form."""
    address, passwords, _ = demo
    contexts = []

    def sign_in(person, **options):
        context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 860}, **options)
        context.set_default_timeout(TIMEOUT_MS)
        contexts.append(context)
        page = context.new_page()
        page.goto("/")
        page.get_by_label("Username").fill(person)
        page.get_by_label("Password").fill(passwords[person])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/")
        return page

    yield sign_in
    for context in contexts:
        context.close()


def test_a_newcomer_judges_ten_pairs_and_takes_the_qrels_home(enter, press, tmp_path):
    researcher = enter("researcher")
    _picture(researcher, "collection", COLLECTION)
    _picture(researcher, "imports", f"{COLLECTION}imports/")
    _picture(researcher, "pool", f"{COLLECTION}pool/")
    _picture(researcher, "suggestions", f"{COLLECTION}suggestions/")
    before = _leaderboard(researcher)
    assert _blind_agreement(researcher) == (0, None)

    assessor = enter("assessor-1")
    assessor.get_by_role("link", name=re.compile("judge", re.IGNORECASE)).first.click()
    assessor.locator("#judging").wait_for()
    _picture(assessor, "judging")
    seen = _judge(assessor, press, 10)
    assert {"SHOWN", "REVEAL"} <= seen

    pairs, alpha = _blind_agreement(researcher)
    assert 2 <= pairs <= 10
    assert -1 <= alpha <= 1
    _picture(researcher, "agreement", f"{COLLECTION}agreement/?first=demonstration-reference&second=learned-1")
    assert _leaderboard(researcher) != before
    assert "So few systems make tau coarse." in researcher.locator("main").inner_text()
    _picture(researcher, "leaderboard", f"{COLLECTION}leaderboard/")

    researcher.goto(f"{COLLECTION}exports/")
    _picture(researcher, "exports")
    researcher.get_by_role("button", name="Freeze this version").click()
    with researcher.expect_download() as download:
        researcher.get_by_role("link", name="qrels.txt").first.click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert all(re.fullmatch(r"\S+ 0 \S+ [0-3]", line) for line in lines)
    assert len({line.rsplit(" ", 1)[0] for line in lines}) == len(lines)


def test_loading_the_sample_again_keeps_what_was_judged(demo, enter):
    """What each start of the demo does, after the ten judgments of the journey."""
    page = enter("assessor-1")
    page.goto(f"{COLLECTION}judge/history/")
    before = page.locator("main").inner_text()
    assert page.get_by_role("link", name="Reopen").count() == 10
    done = subprocess.run(
        [sys.executable, "manage.py", "load_sample", "--json"],
        cwd=ROOT,
        env={**os.environ, "LACUNA_DATA_DIR": str(demo[2]), "DJANGO_SETTINGS_MODULE": "config.settings"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert json.loads(done.stdout) == {"collection": "python-docs", "logins": str(demo[2] / "demo_logins.txt")}
    page.reload()
    assert page.locator("main").inner_text() == before


def _judge(page, press, pairs):
    """Grade so many pairs by keyboard, keep after each reveal; the arms that were met."""
    seen = set()
    for number in range(pairs):
        seen.add("SHOWN" if page.locator(".judging-suggestion").count() else "REVEAL")
        press(page, str(3 - number % 4))
        if page.locator("form.reveal").count():
            _picture(page, "reveal")
            press(page, "Enter")
    return seen


def _leaderboard(page):
    """The systems under the reference and people, beside the original reference, as the form asks for them."""
    page.goto(f"{COLLECTION}leaderboard/")
    page.get_by_label("Systems under", exact=True).select_option("reference,adjudicated,people")
    page.get_by_label("Beside", exact=True).select_option("original")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url(re.compile(r"rule=reference(,|%2C)adjudicated(,|%2C)people&other=original"))
    return page.locator("table").first.inner_text()


def _blind_agreement(page):
    """Of people, blind, with the learned judge: the pairs of both and their alpha, None where it is undefined."""
    page.goto(f"{COLLECTION}agreement/?first=people:blind&second=learned-1")
    headline = page.locator(".headline").first.inner_text()
    pairs = int(re.search(r"on (\d+) pairs? that both graded", headline)[1])
    alpha = re.search(r"ordinal\s+(-?\d\.\d+)", headline)
    return pairs, float(alpha[1]) if alpha else None


def _picture(page, name, address=None):
    folder = os.environ.get("LACUNA_SCREENSHOTS")
    if folder is None:
        return
    if address:
        page.goto(address)
    page.wait_for_load_state("networkidle")
    Path(folder).mkdir(parents=True, exist_ok=True)
    page.screenshot(path=Path(folder) / f"{name}.png")


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def _wait_for(address, process, log):
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"make demo did not serve {address}:\n{log.read_text()[-3000:]}")
