"""Workers that are killed while variants are written: among calls that fail, and between a hand-in and its results."""

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


def test_what_a_killed_worker_had_handed_in_is_fetched_and_paid_once(tmp_path):
    served.migrate(tmp_path)
    with asking_site.standing_in(looks=2, says=['["one way"]'] * TOPICS + ['["another way"]'] * TOPICS) as service:
        site = Site(tmp_path, service)
        site.fill(TOPICS)
        wanted = ["--profiles", "child", "-n", "2", "--batches", "--json"]
        told = site.manage("variants", "--collection", SLUG, "--model", MODEL, *wanted)
        handed_in = "SELECT count(*), sum(ended_at IS NULL AND service_id != '') FROM annotate_servicebatch"
        for rounds in (1, 2):
            with site.worker() as worker:
                asking_site.wait_until(lambda rounds=rounds: site.rows(handed_in) == [(rounds, 1)])
                os.kill(worker.pid, signal.SIGKILL)
            site.let_leases_run_out()
        with site.worker():
            state = "SELECT state FROM annotate_work WHERE kind = 'write'"
            asking_site.wait_until(lambda: site.rows(state)[0][0] not in ("QUEUED", "RUNNING"))
        paid = service.counts()

    assert site.rows("SELECT state, count(*) FROM annotate_generation GROUP BY state") == [("DONE", TOPICS)]
    assert site.rows("SELECT count(*) FROM annotate_queryvariant") == [(2 * TOPICS,)]
    [(calls,)] = site.rows("SELECT calls FROM annotate_batch WHERE id = ?", json.loads(told)["batch"])
    assert calls == paid.calls == 2 * TOPICS
    assert site.rows("SELECT count(*) FROM annotate_servicebatch") == [(2,)]
