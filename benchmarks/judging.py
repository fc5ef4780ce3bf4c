"""How fast judging is, on the server that `make demo` starts: `make bench-judging` writes it to docs/benchmarks.md."""

import itertools
import json
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from benchmarks import judging_clients, judging_server, report
from benchmarks.judging_clients import Assessor, Browser, Load, token
from benchmarks.judging_server import Server
from benchmarks.report import Row

SLUG = "bench"
SMALL, MIDDLE, LARGE = 1_000, 10_000, 200_000
WARM_UP = 30
IN_TURN, ALONE, TOGETHER, COUNTED, WATCHED = 300, 1_000, 200, 60, 50
IMPORTED_LINES = 100_000
_PACKAGES = ("Django", "waitress")
# A pair for which two people were asked at once, though one judgment is wanted.
_TWICE = "SELECT count(*) FROM (SELECT 1 FROM annotate_claim GROUP BY pair_id HAVING count(DISTINCT assessor_id) > 1)"
_STORED = "SELECT count(*) FROM annotate_judgment"


class Site(NamedTuple):
    """A data folder with a generated collection, and who signs in there."""

    data: Path
    password: str
    assessors: list[str]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        installed = Path(folder) / "installed"
        judging_server.install(installed)
        small, middle, large = (_site(installed, pairs) for pairs in (SMALL, MIDDLE, LARGE))
        measure(small, middle, large, _site(installed, SMALL, "--suggestions"))


def measure(small: Site, middle: Site, large: Site, reveal: Site) -> None:
    before, rows = os.getloadavg()[0], []
    for row in itertools.chain(
        _growth(small, large),
        _statements([small, large, reveal]),
        _alone_and_together(middle),
        _wire(small, reveal),
        _beside_an_import(large),
    ):
        print(f"{row.work}: {row.measured}", flush=True)
        rows.append(row)
    text = f"{_what_runs()}\n{report.table(rows)}\n{_load(before)}{report.machine(_PACKAGES)}"
    report.write_section("Judging", text)
    print(text)


def _what_runs() -> str:
    return (
        "Generated collections (`benchmarks/generated.py`, `benchmarks/judging_collection.py`): 54 topics with "
        "backstories, passages of about 55 words, half of the pairs judged by ten assessors before. `manage.py serve` "
        "on SQLite as `make demo` starts it; assessors sign in by the form and send what the judging page sends, "
        "without think time, from one more process on the same cores. Written by `make bench-judging`.\n"
    )


def _load(before: float) -> str:
    return f"Load average of the machine before: {before:.1f}, after: {os.getloadavg()[0]:.1f} (its own included). "


def _site(installed: Path, pairs: int, *options: str) -> Site:
    data = judging_server.copy(installed, installed.with_name("-".join([str(pairs), *options])))
    print(f"making a collection of {pairs:,} pairs {' '.join(options)}", flush=True)
    made = json.loads(judging_server.python(data, "-m", "benchmarks.judging_collection", str(pairs), *options))
    return Site(data, made["password"], made["assessors"])


def _signed_in(server: Server, site: Site, number: int = 1) -> list[Assessor]:
    """The first assessors of the site, each before a pair."""
    result = []
    for name in site.assessors[:number]:
        browser = Browser(server.address)
        browser.sign_in(name, site.password)
        assessor = Assessor(browser, SLUG)
        assessor.open()
        result.append(assessor)
    return result


def _growth(small: Site, large: Site) -> Iterator[Row]:
    """One assessor on each, who take turns."""
    with ExitStack() as stack:
        sites = [(stack.enter_context(judging_server.running(site.data)), site) for site in (small, large)]
        assessors = [_signed_in(server, site)[0] for server, site in sites]
        judging_clients.in_turn(assessors, WARM_UP)
        few, many = judging_clients.in_turn(assessors, IN_TURN)
    ratio = many.p95_ms / few.p95_ms
    yield Row(
        f"save and next pair, {LARGE:,} pooled pairs beside {SMALL:,}",
        f"p95 {ratio:.2f} times ({many.p95_ms:.1f} ms, {few.p95_ms:.1f} ms), median "
        f"{many.median_ms / few.median_ms:.2f} times ({many.median_ms:.1f} ms, {few.median_ms:.1f} ms)",
        "p95 at most 1.5 times",
        ratio <= 1.5,
    )


def _statements(sites: Sequence[Site]) -> Iterator[Row]:
    asked = ("-m", "benchmarks.judging_statements", SLUG, str(COUNTED))
    most = [max(json.loads(judging_server.python(site.data, *asked))) for site in sites]
    yield Row(
        "SQL statements for a save and the next pair, transaction control not counted",
        f"{max(most)} ({', '.join(map(str, most))} with {SMALL:,} pairs, {LARGE:,} pairs, suggestions revealed)",
        "at most 16",
        max(most) <= 16,
    )


def _alone_and_together(site: Site) -> Iterator[Row]:
    with judging_server.running(site.data) as server:
        assessors = _signed_in(server, site, number=len(site.assessors))
        judging_clients.in_turn(assessors, WARM_UP)
        yield from _alone(server, assessors[0])
        before = server.rows(_STORED)[0][0]
        result = judging_clients.at_once(assessors, lambda times: times < TOGETHER)
        yield from _together(f"{len(assessors)} assessors at once, {MIDDLE:,} pairs", result, server, before, 40, 500)


def _alone(server: Server, assessor: Assessor) -> Iterator[Row]:
    before = server.processor_seconds()
    [result] = judging_clients.in_turn([assessor], ALONE)
    cost = (server.processor_seconds() - before) / ALONE * 1e3
    yield Row(
        f"one assessor, {MIDDLE:,} pairs, {ALONE:,} judgments: processor time of all processes of the server",
        f"{cost:.1f} ms a judgment",
        "at most 15 ms",
        cost <= 15,
    )
    yield Row(
        "the same: from the request to the next pair",
        f"median {result.median_ms:.1f} ms, p95 {result.p95_ms:.1f} ms",
        "median at most 20 ms",
        result.median_ms <= 20,
    )


def _together(work: str, result: Load, server: Server, before: int, least: int, most_ms: int) -> Iterator[Row]:
    """Rows of a load; `before` is how many judgments were stored when it began."""
    lost = len(result.judged) - (server.rows(_STORED)[0][0] - before)
    [[twice]] = server.rows(_TWICE)
    locked = server.log.read_text().count("database is locked")
    errors = "; ".join(result.errors[:3]) or "none"
    yield Row(
        work,
        f"{result.a_second:.0f} judgments/s, median {result.median_ms:.0f} ms, p95 {result.p95_ms:.0f} ms",
        f"at least {least} judgments/s, p95 at most {most_ms / 1e3:g} s"
        if least
        else f"p95 at most {most_ms / 1e3:g} s",
        result.a_second >= least and result.p95_ms <= most_ms,
    )
    yield Row(
        f"the same, {len(result.judged):,} judgments: faults",
        f'errors: {errors}; "database is locked": {locked}; lost: {lost}; pairs handed to two: {twice}',
        "none",
        not (result.errors or locked or lost or twice),
    )


def _beside_an_import(site: Site) -> Iterator[Row]:
    with judging_server.running(site.data) as server:
        assessors = _signed_in(server, site, number=len(site.assessors))
        judging_clients.in_turn(assessors, 5)
        before = server.rows(_STORED)[0][0]
        _upload(server, site)
        is_over = threading.Event()
        watching = threading.Thread(target=_watch, args=[server, is_over])
        watching.start()
        result = judging_clients.at_once(assessors, lambda times: not is_over.is_set())
        watching.join()
        [[added]] = server.rows("SELECT added FROM annotate_importedfile ORDER BY id DESC LIMIT 1")
        assert added == IMPORTED_LINES, f"{added} lines were imported"
        work = (
            f"{len(assessors)} assessors at once, {LARGE:,} pairs, while a file of {IMPORTED_LINES:,} lines is imported"
        )
        yield from _together(f"{work} ({result.seconds:.0f} s)", result, server, before, 0, 1_000)


def _upload(server: Server, site: Site) -> None:
    """The researcher imports a model's grades for half of the pairs."""
    statement = (
        "SELECT t.query_id, p.passage_id FROM annotate_pair p JOIN annotate_topic t ON t.id = p.topic_id ORDER BY p.id"
    )
    pairs = server.rows(f"{statement} LIMIT {IMPORTED_LINES}")
    content = "".join(
        f"{query_id} 0 {passage_id} {number % 4}\n" for number, (query_id, passage_id) in enumerate(pairs)
    )
    browser = Browser(server.address)
    browser.sign_in("researcher", site.password)
    path = f"/c/{SLUG}/imports/?kind=QRELS"
    fields = {"csrfmiddlewaretoken": token(browser.get(path).text), "rater": "model", "rater_kind": "MODEL"}
    answer = browser.upload(path, fields, "model.qrels", content.encode())
    assert answer.status == 302, answer.text


def _watch(server: Server, is_over: threading.Event) -> None:
    while not server.is_quiet():
        is_over.wait(0.2)
    is_over.set()


def _wire(plain: Site, reveal: Site) -> Iterator[Row]:
    with judging_server.running(plain.data) as server:
        [assessor] = _signed_in(server, plain)
        wire = judging_clients.cold(server.address, assessor.browser.cookies, f"/c/{SLUG}/judge/")
        [shown] = judging_clients.in_turn([assessor], WATCHED)
    with judging_server.running(reveal.data) as server:
        [revealed] = judging_clients.in_turn(_signed_in(server, reveal), 2 * WATCHED)
    yield Row(
        "cold judging page in chromium",
        f"{wire.requests} requests, {wire.bytes / 1e3:.0f} KB" if wire else "not measured: there is no chromium here",
        "at most 8 requests, 120 KB",
        wire is not None and wire.requests <= 8 and wire.bytes <= 120_000,
    )
    largest = max(one.bytes for one in [*shown.judged, *revealed.judged])
    decisions = sum(one.is_decision for one in revealed.judged)
    yield Row(
        "a judgment over the wire",
        f"1 request, {len(revealed.judged) / decisions:.0f} with a revealed suggestion; the largest answer of "
        f"{len(shown.judged) + len(revealed.judged)} has {largest / 1e3:.1f} KB",
        "1 request, 2 with a revealed suggestion, at most 15 KB each",
        decisions == WATCHED and largest <= 15_000,
    )


if __name__ == "__main__":
    main()
