"""Recounting what is stored twice, and checking that rows and files are what was written.

What people did is a log that only grows: a save, a change and a decision are rows of their own, and none is ever
rewritten or deleted. All else that judging reads (which version is in force, the states of pairs, the counters of
collections and people) follows from it, and is repaired from it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from django.db import connection, transaction
from django.db.models import Count, F, Max, Q, QuerySet

from annotate.exports import operations as exports_operations
from annotate.formats import run_store, whole_files
from annotate.formats.faults import FileRefused
from annotate.grades import rankings
from annotate.models import Adjudication, Claim, Collection, Export, ImportedFile, Judgment, Membership, Pair, Run
from annotate.pairs import pair_states
from annotate.work import kept_files

BATCH = 250
ALL_RANKS = 10**9
NAMED_BY_DIGEST = ("training", "studies")


@dataclass(frozen=True)
class Flaw:
    """`place`: what is not as it should be; `what`: in which way, a sentence; whether it has been repaired."""

    place: str
    what: str
    is_repaired: bool = False


def find_flaws(*, repairs: bool) -> Iterator[Flaw]:
    """All that is wrong with the installation; with `repairs` what follows from other rows and files is made again.

    People may judge meanwhile: pairs are held for a batch at a time.
    """
    if broken := list(_check_database()):
        yield from broken
        return  # a recount of rows that do not hold together proves nothing
    yield from _check_versions(Judgment.objects.all(), ("pair", "assessor", "round"), "judgments", repairs)
    yield from _check_versions(Adjudication.objects.all(), ("pair",), "decisions", repairs)
    for collection in Collection.objects.order_by("slug"):
        yield from _check_pairs(collection, repairs)
        yield from _check_collection(collection, repairs)
        for assessor in collection.memberships.filter(role=Membership.Role.ASSESSOR).order_by("pk"):
            yield from _check_assessor(collection, assessor.pk, repairs)
    yield from _check_files(repairs)


def _check_database() -> Iterator[Flaw]:
    """PostgreSQL keeps its constraints itself; a file of SQLite may have been copied while it was written."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for (found,) in cursor.execute("PRAGMA integrity_check").fetchall():
            if found != "ok":
                yield Flaw("database", f"SQLite finds: {found}. Restore the newest backup into an empty data folder.")
        for table, row, parent, _ in cursor.execute("PRAGMA foreign_key_check").fetchall():
            yield Flaw(
                f"row {row} of {table}", f"names a row of {parent} that is not there. Restore the newest backup."
            )


def _check_versions(
    rows: QuerySet[Judgment] | QuerySet[Adjudication], names: tuple[str, ...], noun: str, repairs: bool
) -> Iterator[Flaw]:
    """Of each pair and person the versions are counted from 1, and the last one is in force."""
    in_force = Q(is_current=True)
    by_key = rows.values(*names).annotate(
        versions=Count("pk"),
        last=Max("version"),
        current=Count("pk", filter=in_force),
        newest=Max("version", filter=in_force),
    )
    for found in by_key.exclude(versions=F("last"), current=1, newest=F("last")).order_by(*names):
        key = {name: found[name] for name in names}
        place = f"{noun} on pair {found['pair']}" + (f" by assessor {found['assessor']}" if "assessor" in found else "")
        if found["versions"] != found["last"]:
            yield Flaw(
                place, f"there are {found['versions']} versions, the last is number {found['last']}: rows are gone."
            )
        if (found["current"], found["newest"]) != (1, found["last"]):
            if repairs:
                with transaction.atomic():
                    rows.filter(**key).update(is_current=False)
                    rows.filter(**key, version=found["last"]).update(is_current=True)
            yield Flaw(place, f"version {found['newest']} is in force, the last is {found['last']}.", repairs)


def _check_pairs(collection: Collection, repairs: bool) -> Iterator[Flaw]:
    ids = collection.pairs.order_by(*pair_states.LOCK_ORDER).values_list("pk", flat=True)
    left = ids.iterator()
    while batch := list(islice(left, BATCH)):
        stored = {pair.pk: pair for pair in Pair.objects.filter(pk__in=batch)}
        with transaction.atomic():
            changed = pair_states.refresh(collection=collection, pairs=pair_states.lock_pairs(batch))
            transaction.set_rollback(not repairs)
        for pair in changed:
            columns = [name for name in pair_states.STATE_COLUMNS if _differ(stored.get(pair.pk), pair, name)]
            what = ", ".join(f"{name} is {getattr(pair, name)} by its judgments" for name in columns)
            yield Flaw(
                f"pair {pair.pk} of {collection.slug}", f"{what or 'its state does not follow its judgments'}.", repairs
            )


def _differ(stored: Pair | None, pair: Pair, name: str) -> bool:
    return stored is not None and getattr(stored, name) != getattr(pair, name)


@transaction.atomic
def _check_collection(collection: Collection, repairs: bool) -> list[Flaw]:
    held = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    counted = held.pairs.aggregate(
        pairs_wanted=Count("pk", filter=Q(target__gt=0)), pairs_open=Count("pk", filter=Q(target__gt=F("counted")))
    )
    return _compare(held, counted, f"collection {held.slug}", repairs)


@transaction.atomic
def _check_assessor(collection: Collection, assessor: int, repairs: bool) -> list[Flaw]:
    held = Membership.objects.select_for_update(no_key=True).get(pk=assessor)
    first = set(held.judgments.filter(version=1).values_list("pair", "round"))
    skipped = set(held.claims.filter(state=Claim.State.SKIPPED).values_list("pair", "round"))
    repeated = sum(round > 1 for _, round in first)
    counted = {"judged": len(first) - repeated, "repeated": repeated, "skipped": len(skipped - first)}
    return _compare(held, counted, f"{held.pseudonym} of {collection.slug}", repairs)


def _compare(row: Collection | Membership, counted: dict[str, int], place: str, repairs: bool) -> list[Flaw]:
    wrong = {name: value for name, value in counted.items() if getattr(row, name) != value}
    if wrong and repairs:
        type(row).objects.filter(pk=row.pk).update(**wrong)
    return [
        Flaw(place, f"{name} is stored as {getattr(row, name)}, a recount gives {value}.", repairs)
        for name, value in wrong.items()
    ]


def _check_files(repairs: bool) -> Iterator[Flaw]:
    for path, digest in _distinct(ImportedFile.objects.filter(state=ImportedFile.State.PUBLISHED)):
        yield from _check_digest(path, digest)
    for path, _ in _distinct(Run.objects.filter(source__state=ImportedFile.State.PUBLISHED)):
        yield from _check_run(path, repairs)
    for frozen in Export.objects.select_related("collection").order_by("pk"):
        for name in exports_operations.FILES:
            if not exports_operations.is_whole(frozen, name):
                yield Flaw(f"{frozen.path}/{name}", "is not what was frozen. Put it back from a backup.")
    for folder in NAMED_BY_DIGEST:
        for file in sorted(kept_files.path(folder).glob("*.json")):
            yield from _check_digest(f"{folder}/{file.name}", file.stem)


def _distinct(rows: Iterable[ImportedFile] | Iterable[Run]) -> list[tuple[str, str]]:
    return sorted({(row.path, row.digest) for row in rows})


def _check_digest(relative: str, digest: str) -> Iterator[Flaw]:
    path = kept_files.path(relative)
    if not path.exists():
        yield Flaw(relative, "is gone. Put it back from a backup.")
    elif not whole_files.is_whole(path, digest):
        yield Flaw(relative, "is not what was written: its SHA-256 is another. Put it back from a backup.")


def _check_run(relative: str, repairs: bool) -> Iterator[Flaw]:
    """The array file of a run is made of the file that was imported, and can be made again."""
    read = partial(run_store.load_top_ranks, kept_files.path(relative), ALL_RANKS)
    try:
        read()
    except (FileRefused, FileNotFoundError) as reason:
        if not repairs:
            yield Flaw(relative, "is gone or damaged; --repair makes it again of the file that was imported.")
            return
        try:
            rankings.make_again(kept_files.path(relative), reason)
        except whole_files.Damaged as sentence:
            yield Flaw(relative, str(sentence))
        else:
            yield Flaw(relative, "was gone or damaged.", is_repaired=True)
