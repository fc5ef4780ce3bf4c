"""A worker that is killed three times in the middle of a batch, by a service that fails at every fourth request."""

from benchmarks import asking_site
from benchmarks.asking_site import Site
from tests import served

pytestmark = served.OWN_INSTALLATION
KILLS = 3


def test_every_pair_ends_in_one_state_and_only_what_was_under_way_is_paid_twice(tmp_path):
    served.migrate(tmp_path)
    with asking_site.standing_in(share=0.25, seconds=0.05) as service:
        site = Site(tmp_path, service)
        site.fill(topics=24)
        outcome = asking_site.run_killed_batch(site, kills=KILLS, concurrency=8)
    assert outcome.is_whole, outcome
    assert outcome.is_within_what_was_under_way, outcome
    assert outcome.is_all_counted, outcome
    assert outcome.states["DONE"] > 180
    # A cut answer is asked once more with room: whether one is cut again is a matter of the prompts' bytes.
    assert {"DONE", "REFUSED", "EMPTY", "UNPARSED"} <= outcome.states.keys() <= asking_site.FINAL
    assert outcome.states["FAILED"] == 0
    [(state, attempts)] = site.rows("SELECT state, attempts FROM annotate_work WHERE kind = 'ask'")
    assert (state, attempts) == ("DONE", 1 + KILLS)
