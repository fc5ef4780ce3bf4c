"""Migrations over rows that were stored before them: each row gets what it implies."""

import itertools
import uuid
from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

# Without the first no database of the tests is made, and the fixture would use the real one.
pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.postgresql, pytest.mark.xdist_group("migrations")]

CLAIMS, CONTROL = "0002_claims_hold_what_is_shown", "0003_judging_under_control"
NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
_numbers = itertools.count(1)


class Stored:
    """Rows made by the models of one moment, around one collection."""

    def __init__(self, apps, **settings):
        self.apps = apps
        self.collection = self.make("Collection", slug="old", title="Old", created_at=NOW, **settings)
        told = {"kind": "TOPICS", "state": "PUBLISHED", "name": "t", "path": "t", "digest": "0", "created_at": NOW}
        self.source = self.make("ImportedFile", collection=self.collection, **told)
        self.topic = self.make("Topic", collection=self.collection, source=self.source, query_id="q1", text="what")
        self.guidelines = [self.add_guidelines(version) for version in (1, 2)]

    def make(self, model, **fields):
        return self.apps.get_model("annotate", model).objects.create(**fields)

    @classmethod
    def of(cls, old, name):
        """The same collection by the models of a later migration."""
        later = cls.__new__(cls)
        later.apps = MigrationExecutor(connection).loader.project_state([("annotate", name)]).apps
        for name in ("collection", "topic"):
            row = getattr(old, name)
            setattr(later, name, later.apps.get_model("annotate", row._meta.object_name).objects.get(pk=row.pk))
        later.guidelines = list(later.apps.get_model("annotate", "Guidelines").objects.order_by("version"))
        return later

    def judged(self, pair):
        return self.claim(pair, self.assessor(), "JUDGED", arm="HIDDEN", guidelines=self.guidelines[0])

    def add_guidelines(self, version):
        return self.make(
            "Guidelines",
            collection=self.collection,
            version=version,
            text=f"v{version}",
            grade_words=[],
            created_at=NOW,
        )

    def assessor(self):
        number = next(_numbers)
        user = self.make("User", username=f"person{number}", password="!")
        told = {"role": "ASSESSOR", "pseudonym": f"assessor-{number}", "created_at": NOW}
        return self.make("Membership", collection=self.collection, user=user, **told)

    def pair(self, **fields):
        return self.make(
            "Pair",
            collection=self.collection,
            topic=self.topic,
            passage_id=f"d{next(_numbers)}",
            is_pooled=True,
            **fields,
        )

    def claim(self, pair, assessor, state="OPEN", **fields):
        closed = None if state == "OPEN" else NOW
        told = {"token": uuid.uuid4(), "claimed_at": NOW, "expires_at": NOW, "closed_at": closed, **fields}
        return self.make("Claim", collection=self.collection, pair=pair, assessor=assessor, state=state, **told)

    def judgment(self, claim, grade, **fields):
        told = {
            "outcome": "GRADED" if grade is not None else "CANNOT",
            "reason": "" if grade is not None else "torn",
            "arm": "HIDDEN",
            "is_suggestion_seen": False,
            "guidelines": self.guidelines[0],
            "order": "RANDOM",
            "order_seed": 7,
            "order_key": 77,
        }
        return self.make(
            "Judgment",
            pair=claim.pair,
            assessor=claim.assessor,
            claim=claim,
            key=uuid.uuid4(),
            grade=grade,
            first_grade=grade,
            created_at=NOW,
            shown_at=NOW,
            sitting=1,
            sitting_position=1,
            stratum="q1",
            frame_version=1,
            **{**told, **fields},
        )


def migrate(name):
    """To a migration of annotate; the models as they are then."""
    executor = MigrationExecutor(connection)
    executor.migrate([("annotate", name)])
    return executor.loader.project_state([("annotate", name)]).apps


def read(apps, row, *names):
    """Columns of the row as a later model has them."""
    return apps.get_model("annotate", row._meta.object_name).objects.values_list(*names).get(pk=row.pk)


@pytest.fixture(scope="module")
def found(django_db_setup, django_db_blocker):
    """What the columns are after each migration, by its name: all on one way there, for the way back takes seconds."""
    with django_db_blocker.unblock():
        try:
            old = Stored(migrate("0001_initial"), share_hidden=0, share_shown=1, order="TOPIC", seed=3)
            claims = _store_claims(old)
            after_claims = _read_claims(old, claims, migrate(CLAIMS))
            pairs = _store_pairs(Stored.of(old, CLAIMS))
            yield {CLAIMS: after_claims, CONTROL: _read_pairs(old, claims, pairs, migrate(CONTROL))}
        finally:
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())
            call_command("flush", interactive=False, verbosity=0)


GIVEN = {
    "agreed": [2, 2],
    "differ": [0, 3],
    "nobody can judge": [None, None],
    "one cannot": [1, None],
    "one to come": [3],
}


def _store_claims(old):
    """Judged with the suggestion in view, judged without, and waiting."""
    model = old.make("Rater", collection=old.collection, name="model-a", kind="MODEL", created_at=NOW)
    old.apps.get_model("annotate", "Collection").objects.update(suggesting_rater=model)
    backstory = old.make("Backstory", topic=old.topic, version=1, text="told", origin="WRITTEN", created_at=NOW)
    pairs = [old.pair(order_key=key) for key in (31, 32, 33)]
    told = {"rater": model, "state": "DONE", "grade": 1, "source": old.source, "created_at": NOW}
    said = [old.make("Suggestion", pair=pair, **told) for pair in pairs]
    states = ["JUDGED", "JUDGED", "OPEN"]
    claims = [old.claim(pair, old.assessor(), state) for pair, state in zip(pairs, states, strict=True)]
    old.judgment(claims[0], 2, arm="SHOWN", is_suggestion_seen=True, suggestion=said[0], backstory=backstory)
    old.judgment(claims[0], 1, version=2, is_current=False, order_key=99)
    old.judgment(claims[1], 2, arm="HIDDEN")
    return claims


def _read_claims(old, claims, apps):
    return [read(apps, claim, "arm", "suggestion__pair", "backstory__text", "guidelines__version") for claim in claims]


def _store_pairs(old):
    pairs = {}
    for name, grades in GIVEN.items():
        consensus = grades[0] if len(set(grades) - {None}) == 1 else None
        pairs[name] = old.pair(target=2, counted=len(grades), consensus_grade=consensus)
        for grade in grades:
            old.judgment(old.judged(pairs[name]), grade)
    pairs["changed"] = old.pair(target=1, counted=1, consensus_grade=2)
    claim = old.judged(pairs["changed"])
    old.judgment(claim, 0, is_current=False)
    old.judgment(claim, 2, version=2)
    return {**pairs, "not wanted": old.pair()}


def _read_pairs(old, claims, pairs, apps):
    return {
        "drawn": [read(apps, c, "order", "order_seed", "order_key", "pair_draw", "is_calibration") for c in claims],
        "is_current": [read(apps, guidelines, "is_current") for guidelines in old.guidelines],
        "pairs": {name: read(apps, pair, "spread", "is_disputed") for name, pair in pairs.items()},
        "passage": [claim.pair_id for claim in claims],
    }


def test_a_claim_keeps_what_it_showed_or_gets_what_it_would_show_now(found):
    [shown, hidden, waiting] = found[CLAIMS]
    [pair, _, last] = found[CONTROL]["passage"]
    assert shown == ("SHOWN", pair, "told", 1)
    assert hidden == ("HIDDEN", None, None, 1)
    assert waiting == ("SHOWN", last, "told", 2)


def test_a_claim_was_drawn_as_its_first_judgment_says_or_else_as_the_settings_do(found):
    [judged, _, waiting] = found[CONTROL]["drawn"]
    assert judged == ("RANDOM", 7, 77, None, False)
    assert waiting == ("TOPIC", 3, 33, None, False)


def test_the_newest_guidelines_are_the_current_ones(found):
    assert found[CONTROL]["is_current"] == [(False,), (True,)]


@pytest.mark.parametrize(
    ("name", "spread", "is_disputed"),
    [
        ("agreed", 0, False),
        ("differ", 3, True),
        ("nobody can judge", 0, True),
        ("one cannot", 0, False),
        ("one to come", 0, False),
        ("changed", 0, False),
        ("not wanted", 0, False),
    ],
)
def test_a_pair_gets_its_spread_and_whether_it_is_disputed(found, name, spread, is_disputed):
    assert found[CONTROL]["pairs"][name] == (spread, is_disputed)
