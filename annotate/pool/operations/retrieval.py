"""Runs of the built-in retrieval systems over the collection's passages, kept as imported ones are.

What a system has ranked already is not ranked again: a retrieval that died, or that comes after new query variants,
does what is missing.
"""

import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.formats import records, runs
from annotate.formats.faults import Refused
from annotate.formats.runs import Run
from annotate.imports import queries as imports_queries
from annotate.imports.kinds import KINDS
from annotate.imports.kinds import runs as runs_kind
from annotate.imports.operations import uploads
from annotate.imports.queries import Part
from annotate.models import Collection, ImportedFile, Passage, QueryVariant, Topic, User, Work, required
from annotate.work import queue
from annotate.work.queue import CannotGoOn, LeaseLost, Step, WorkRequest

RETRIEVE = "retrieve"
DEPTH = 100
QUERIES_OF_A_RUN = 5_000
QUERIES_OF_A_STEP = 50
MOST_PASSAGES = 50_000  # their indexes lie in memory: 1 GB for 20,000 of 60 words


class CannotRetrieve(Exception):
    """Why there is nothing to search with or in; the sentence that the person reads."""


@transaction.atomic
def request_retrieval(
    *, collection: Collection, with_variants: bool, systems: Sequence[str] = (), by: User | None, now: datetime
) -> Work:
    """Queue the retrieval for the topics that have no run of a system, and `with_variants` for query variants too; or
    the one that was asked for already, and is not over.

    `systems` are names of `annotate.retrieval.scorers.SYSTEMS`, none for all. Raises CannotRetrieve.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    _check(collection, with_variants)
    request = WorkRequest(
        collection=collection,
        kind=RETRIEVE,
        queue=queue.FACTS,
        subject=f"retrieval for {'topics and query variants' if with_variants else 'topics'}",
        arguments={"systems": list(systems), "with_variants": with_variants},
        same_by=("systems", "with_variants"),
    )
    return queue.ask_once(request, by=by, now=now)


def run(work: Work) -> Iterator[Step]:
    """Retrieve system by system; each run is kept as soon as it is whole. The same texts give the same runs."""
    from annotate.retrieval import inverted_index, scorers  # take half a second to load

    collection, options = required(work.collection), work.arguments
    chosen, with_variants = options["systems"] or list(scorers.SYSTEMS), options["with_variants"]
    missing = imports_queries.find_unranked(collection, chosen, with_variants=with_variants, most=QUERIES_OF_A_RUN)
    if not missing.parts:
        raise CannotGoOn(_nothing(missing.taken))
    shelf, left_out, done, kept = inverted_index.Library(_passages(collection)), _left_out(missing.taken), 0, 0
    for system, parts in itertools.groupby(missing.parts, key=lambda part: part.system):
        yield Step(done, missing.queries, note=f"preparing {system}")
        search = scorers.search(system, shelf, DEPTH)
        for part in parts:
            found: dict[str, dict[str, float]] = {}
            for query_id, text in part.queries:
                found[query_id] = dict(search(text))
                done += 1
                if done % QUERIES_OF_A_STEP == 0:
                    yield Step(done, missing.queries, note=f"retrieving with {system}")
            try:
                kept += _keep(work, part, found, group=scorers.SYSTEMS[system].family)
            except LeaseLost:
                return
            queue.let_others_write()
            yield Step(done, missing.queries, note=f"{kept} run{'' if kept == 1 else 's'} kept. {left_out}".strip())


def _check(collection: Collection, with_variants: bool) -> None:
    passages = Passage.objects.published().filter(collection=collection).count()
    if not passages:
        raise CannotRetrieve("There is nothing to search in: import the passages first.")
    if passages > MOST_PASSAGES:
        raise CannotRetrieve(
            f"The built-in systems search at most {MOST_PASSAGES:,} passages, and the collection has {passages:,}: "
            "retrieve elsewhere and import the runs."
        )
    if not Topic.objects.published().filter(collection=collection).exists():
        raise CannotRetrieve("There is nothing to search for: import the topics first.")
    variants = QueryVariant.objects.published().filter(collection=collection).exclude(text="")
    if with_variants and not variants.exists():
        raise CannotRetrieve("There is no query variant with a text: import or write some first.")


def _passages(collection: Collection) -> list[records.Passage]:
    """By the bytes of their ids: the order in which they came says nothing."""
    rows = Passage.objects.published().filter(collection=collection).values_list("passage_id", "text", "title")
    return sorted(map(records.Passage._make, rows), key=lambda passage: passage.passage_id.encode())


def _keep(work: Work, part: Part, found: Mapping[str, Mapping[str, float]], *, group: str) -> bool:
    """Whether something was found: then the run has its file and row."""
    try:
        made = runs.build_run(part.system, found)
    except Refused:
        return False
    stream = io.BytesIO()
    runs.write_run(made, stream)
    digest, path = uploads.keep_bytes([stream.getvalue()])
    if part.ranks_variants:  # those that found nothing were asked all the same
        made = runs.with_topics(made, found)
    runs_kind.save_run(made, digest)
    _enter(work, part, made, ImportedFile(digest=digest, path=path, options=_options(part, group)))
    return True


@transaction.atomic
def _enter(work: Work, part: Part, made: Run, imported: ImportedFile) -> None:
    """Raises LeaseLost where another worker retrieves by now: it would keep the same run."""
    collection = Collection.objects.select_for_update(no_key=True).get(pk=required(work.collection_id))
    if not Work.objects.select_for_update(no_key=True).filter(pk=work.pk, token=work.token).exists():
        raise LeaseLost
    imported.collection, imported.kind = collection, ImportedFile.Kind.RUN
    imported.name = f"{part.system}{'-variants' if part.ranks_variants else ''}.run"
    imported.state = ImportedFile.State.PUBLISHED
    imported.created_by = work.created_by
    imported.created_at = imported.finished_at = timezone.now()
    imported.save()
    runs_kind.enter_run(imported, made)
    KINDS[imported.kind].publish(imported, 1)
    imported.save(update_fields=["added", "note"])


def _options(part: Part, group: str) -> dict[str, object]:
    return {"group": group, "is_pooled": True, "ranks_variants": part.ranks_variants, "is_retrieved": True}


def _nothing(taken: Sequence[str]) -> str:
    return f"There is nothing to retrieve: the systems have ranked it all. {_left_out(taken)}".strip()


def _left_out(taken: Sequence[str]) -> str:
    if not taken:
        return ""
    return f"Left out, since imported runs of query variants have their names: {', '.join(taken)}."
