"""A batch whose worker is killed again and again while its service fails: what is left in the end."""

import os
import signal
from collections import Counter
from decimal import Decimal
from typing import NamedTuple

from annotate.llm import prices
from annotate.llm.messages import Tokens
from benchmarks import asking_site
from benchmarks.asking_site import MODEL, Site

FINAL = {"DONE", "REFUSED", "EMPTY", "UNPARSED", "TRUNCATED", "FILTERED", "FAILED", "CANCELLED"}


class Outcome(NamedTuple):
    """`stored` and `paid` are pairs of answers and US dollars, by our rows and by the service's own count.
    `most_lost` answers may have been under way at the kills."""

    states: Counter[str]
    pairs: int
    stored: tuple[int, Decimal]
    paid: tuple[int, Decimal]
    most_lost: int

    @property
    def is_whole(self) -> bool:
        """Whether every pair ended in exactly one final state."""
        return self.states.keys() <= FINAL and self.states.total() == self.pairs

    @property
    def is_within_what_was_under_way(self) -> bool:
        """Whether no more was paid than is stored and may have been under way at the kills, by the dearest answers."""
        lost, cost = self.paid[0] - self.stored[0], self.paid[1] - self.stored[1]
        dearest = prices.cost(prices.of(MODEL), Tokens(fresh=2_000, given=200), is_batch=False)
        return 0 <= lost <= self.most_lost and 0 <= cost <= lost * dearest


def run(site: Site, *, kills: int, concurrency: int) -> Outcome:
    """Ask about all pairs of the site; the worker is killed when so many equal parts of the answers were given."""
    [[pairs]] = site.rows("SELECT count(*) FROM annotate_pair")
    batch = site.ask("--concurrency", str(concurrency))
    for number in range(1, kills + 1):
        enough = pairs * number // (kills + 1)
        with site.worker() as worker:
            asking_site.wait_until(lambda enough=enough: site.service.counts().calls >= enough)
            os.kill(worker.pid, signal.SIGKILL)
        site.let_leases_run_out()
    site.manage("work", "--once")
    return _outcome(site, batch, pairs, kills * concurrency)


def _outcome(site: Site, batch: int, pairs: int, most_lost: int) -> Outcome:
    states = site.rows("SELECT state, count(DISTINCT pair_id) FROM annotate_suggestion GROUP BY state")
    [row] = site.rows(
        "SELECT tokens_fresh, tokens_cached, tokens_written, tokens_given, calls FROM annotate_batch WHERE id = ?",
        batch,
    )
    counts = site.service.counts()
    paid = Tokens(**counts.tokens)
    price = prices.of(MODEL)
    return Outcome(
        states=Counter(dict(states)),
        pairs=pairs,
        stored=(row[4], prices.cost(price, Tokens(*row[:4]), is_batch=False)),
        paid=(counts.calls, prices.cost(price, paid, is_batch=False)),
        most_lost=most_lost,
    )
