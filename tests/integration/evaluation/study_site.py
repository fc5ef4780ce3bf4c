"""A collection that has what a hole study needs, and studies of it that run to their end."""

import random
from typing import Any

from annotate.models import Collection, Work
from annotate.work import engine
from evaluation.models import Study
from evaluation.studies.operations import running
from tests import factories
from tests.factories import NOW

TOPICS, PASSAGES, SYSTEMS = 4, 8, 5
PLAN: dict[str, Any] = {"holes": ["all"], "fractions": [0.3, 0.5, 0.7], "trials": 3, "fillers": ["model:gpt"]}


def make(slug: str = "", *, is_backwards: bool = False) -> Collection:
    """Four topics with eight passages, five systems, the reference `nist`, the model `gpt`. `is_backwards`: everything
    comes in the opposite order."""
    collection = factories.make_collection(slug)
    files = [
        ("TOPICS", "".join(f"{query_id}\ttopic {query_id}\n" for query_id in _query_ids()), {}),
        *(("RUN", _run(system), {"group": f"group {system % 2}"}) for system in range(SYSTEMS)),
        ("QRELS", _qrels(seed=1), {"rater": "nist", "rater_kind": "REFERENCE"}),
        ("QRELS", _qrels(seed=2), {"rater": "gpt", "rater_kind": "MODEL"}),
    ]
    for kind, text, options in [files[0], *(reversed(files[1:]) if is_backwards else files[1:])]:
        lines = text.splitlines(keepends=True)
        factories.import_text(collection, kind, "".join(reversed(lines) if is_backwards else lines), **options)
    factories.build_pool(collection)
    return collection


def request(collection: Collection, title: str = "", kind: str = "HOLES", **plan: Any) -> Study:
    return running.start_study(
        collection=collection, kind=kind, plan=PLAN | plan if kind == "HOLES" else plan, title=title, by=None, now=NOW
    )


def through(study: Study) -> Study:
    """Run what it lacks in this process."""
    engine.run(engine.claim(work_id=study.work_id))
    return again(study)


def again(study: Study) -> Study:
    """As it is stored by now."""
    return Study.objects.select_related("collection", "work", "created_by").get(pk=study.pk)


def finished(collection: Collection, title: str = "", **plan: Any) -> Study:
    found = through(request(collection, title, **plan))
    assert found.work.state == Work.State.DONE, found.work.error
    return found


def _query_ids() -> list[str]:
    return [f"q{number}" for number in range(1, TOPICS + 1)]


def _run(system: int) -> str:
    drawn = random.Random(system)
    return "".join(
        f"{query_id} Q0 d{passage} {rank} {100 - rank} system-{system}\n"
        for query_id in _query_ids()
        for rank, passage in enumerate(drawn.sample(range(PASSAGES), PASSAGES), start=1)
    )


def _qrels(seed: int) -> str:
    drawn = random.Random(seed)
    return "".join(
        f"{query_id} 0 d{passage} {drawn.choice([0, 0, 1, 2, 3])}\n"
        for query_id in _query_ids()
        for passage in range(PASSAGES)
    )
