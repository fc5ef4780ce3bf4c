"""Query variants of the sample collection: imported, searched for, pooled, and asked about.

A second run skips what is there.
"""

import io
import json
from collections.abc import Callable

from django.utils import timezone

from annotate.grades import rankings
from annotate.imports.queries import unranked
from annotate.management import command_line, sample_loading
from annotate.models import Collection, QueryVariant
from annotate.own_judges.operations import requests
from annotate.pool.operations import pooling, retrieval
from annotate.retrieval import systems
from annotate.rules import completion, own_judges
from annotate.sample import loading
from annotate.work import kept_files

PLAN = "profile-study.json"
Told = dict[str, object]


def load(collection: Collection, tell: Callable[[str], None]) -> Told:
    """What there is of query variants in the end, the model rater that was asked about their holes, and the file with
    the plan of a profile study in which it fills them."""
    listed = loading.VARIANTS
    sample_loading.import_file(collection, "VARIANTS", listed.name, io.BytesIO(listed.read_bytes()), {})
    if unranked.of(collection, list(systems.SYSTEMS), with_variants=True, most=retrieval.QUERIES_OF_A_RUN).parts:
        tell("the pool grows to some 22,900 pairs, and what waits for assessors with it; it takes some minutes")
        tell("retrieving for all query variants")
        _retrieve(collection)
    model = _suggest(collection, tell)
    plan = {"after": str(completion.Rule((*completion.Rule().sources, f"{completion.MODEL}{model}")))}
    kept_files.path(PLAN).write_text(json.dumps(plan), "utf-8")
    return {
        "variants": QueryVariant.objects.published().filter(collection=collection).count(),
        "variant_runs": len(rankings.published_variant_runs(collection)),
        "pairs": collection.pairs.filter(is_pooled=True).count(),
        "model": model,
        "plan": str(kept_files.path(PLAN)),
    }


def next_step(told: Told) -> str:
    """The study that can be made of them, as a command."""
    command = f"study start --collection {sample_loading.SLUG} --kind profiles --plan {told['plan']}"
    there = f"{told['variants']:,} query variants and {told['variant_runs']} runs of them are there."
    return f"{there} To study them: manage.py {command} --folder profile-study"


def _retrieve(collection: Collection) -> None:
    now = timezone.now()
    queued = retrieval.request(collection=collection, with_variants=True, by=None, now=now)
    sample_loading.check_done(command_line.see_through(queued))


def _suggest(collection: Collection, tell: Callable[[str], None]) -> str:
    """The name of the version that was asked about the whole pool."""
    tell("building the pool with them")
    queued = pooling.request_pool(collection=collection, depth=10, by=None, now=timezone.now())
    sample_loading.check_done(command_line.see_through(queued))
    tell("asking the learned judge about the new pairs of the pool")
    try:
        batch = requests.request(collection=collection, by=None, now=timezone.now())
    except requests.NothingToDo:
        return collection.raters.filter(judge=own_judges.LEARNED).latest("pk").name
    sample_loading.check_done(command_line.see_through(batch.work))
    return batch.rater.name
