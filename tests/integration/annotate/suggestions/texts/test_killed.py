"""A worker that is killed in the middle of writing variants, by a service that fails at every fourth request."""

import json
import os
import signal

from benchmarks import asking_site
from benchmarks.asking_site import MODEL, SLUG, Site
from tests import served

pytestmark = served.OWN_INSTALLATION
KILLS, CONCURRENCY, TOPICS = 2, 4, 24


def test_every_topic_and_profile_ends_in_one_state_with_the_variants_that_were_wanted(tmp_path):
    served.migrate(tmp_path)
    with asking_site.standing_in(share=0.25, seconds=0.05) as service:
        site = Site(tmp_path, service)
        site.fill(TOPICS)
        wanted = ["--profiles", "child,expert", "-n", "2", "--concurrency", str(CONCURRENCY), "--rounds", "4"]
        told = site.manage("variants", "--collection", SLUG, "--model", MODEL, "--json", *wanted)
        for number in range(1, KILLS + 1):
            enough = 2 * TOPICS * number // (KILLS + 1)
            with site.worker() as worker:
                asking_site.wait_until(lambda enough=enough: service.counts().calls >= enough)
                os.kill(worker.pid, signal.SIGKILL)
            site.let_leases_run_out()
        site.manage("work", "--once")
        paid = service.counts()

    states = dict(site.rows("SELECT state, count(*) FROM annotate_generation GROUP BY state"))
    assert sum(states.values()) == 2 * TOPICS
    assert states.keys() <= {"DONE", "REFUSED", "EMPTY", "UNPARSED", "TRUNCATED"}
    written = site.rows(
        "SELECT count(*), count(DISTINCT text) FROM annotate_queryvariant GROUP BY topic_id, profile_id"
    )
    assert written == [(2, 2)] * states["DONE"]
    [(calls,)] = site.rows("SELECT calls FROM annotate_batch WHERE id = ?", json.loads(told)["batch"])
    assert 0 <= paid.calls - calls <= KILLS * CONCURRENCY
