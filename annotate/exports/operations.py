"""Freezing completed qrels: qrels.txt, provenance.jsonl and manifest.json in a folder named by what is in them."""

import io
import itertools
import json
import tempfile
from collections import Counter
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from annotate.exports import queries
from annotate.formats import qrels, whole_files
from annotate.formats.records import Qrel
from annotate.grades import completed_qrels
from annotate.grades.completed_qrels import CompletedGrade
from annotate.models import Collection, Export, User
from annotate.rules import completion
from annotate.work import kept_files

QRELS = "qrels.txt"
PROVENANCE = "provenance.jsonl"
MANIFEST = "manifest.json"
FILES = (QRELS, PROVENANCE, MANIFEST)
HOLE = -1  # what stands for a hole where a reader wants each pooled pair; TREC's sign for pooled and not judged


class NothingToExport(Exception):
    """A rule that leaves no line, with the counts that say why."""


def freeze(
    *, collection: Collection, rule: completion.Rule, by: User | None, now: datetime, with_holes: bool = False
) -> Export:
    """Keep the completed qrels of this moment; the same facts and rule give the export that was frozen before.

    Nobody waits while they are built. Raises NothingToExport, and completed_qrels.NoSuchRater.
    """
    with tempfile.TemporaryDirectory(prefix=".", dir=kept_files.folder("exports")) as part:
        manifest = _build_of_one_moment(collection, rule, Path(part), with_holes)
        content = whole_files.digest_file(Path(part) / MANIFEST)
        path = f"exports/{collection.slug}-{content[:16]}"
        copy_files(Path(part), kept_files.folder(path))
    if there := Export.objects.filter(collection=collection, path=path).first():
        return there
    export = Export(
        collection=collection,
        rule={"sources": str(rule), "consensus": rule.consensus_rule},
        digest=manifest["sha256"][QRELS],
        path=path,
        manifest=manifest,
        created_at=now,
        created_by=by,
    )
    return _number(export)


def _build_of_one_moment(
    collection: Collection, rule: completion.Rule, folder: Path, with_holes: bool
) -> dict[str, Any]:
    """A caller's transaction sees what it sees; without one the facts are those of a single moment."""
    with nullcontext() if connection.in_atomic_block else queries.snapshot():
        return build_files(Collection.objects.get(pk=collection.pk), rule, folder, with_holes=with_holes)


@transaction.atomic
def _number(export: Export) -> Export:
    """The row with the next number, or the one that another person stored meanwhile for the same files."""
    Collection.objects.select_for_update(no_key=True).get(pk=export.collection_id)
    exports = Export.objects.filter(collection=export.collection_id)
    if there := exports.filter(path=export.path).first():
        return there
    export.number = (exports.aggregate(last=Max("number"))["last"] or 0) + 1
    export.save()
    return export


def build_files(
    collection: Collection, rule: completion.Rule, folder: Path, *, with_holes: bool = False
) -> dict[str, Any]:
    """Write the three files into a folder, the same for the same facts and rule; returns the manifest as a value.

    A hole has no line, or with `with_holes` a line with HOLE in the qrels, where it is no grade. Provenance goes to the
    disk line by line. Raises NothingToExport, and completed_qrels.NoSuchRater.
    """
    lines = _complete(collection, rule)
    holes = queries.list_holes_left(collection, lines)
    graded = (Qrel(line.query_id, line.passage_id, line.grade) for line in lines)
    left = (Qrel(*pair, HOLE) for pair in holes if with_holes)
    with whole_files.replace(folder / QRELS, mode=whole_files.PUBLIC) as stream:
        qrels.write_qrels(itertools.chain(graded, left), stream)
    records = queries.provenance_records(collection, rule, lines)
    whole_files.write(folder / PROVENANCE, map(_provenance_line, records), mode=whole_files.PUBLIC)
    manifest = _manifest(collection, rule, lines, folder)
    manifest |= {"holes_left": len(holes), "holes_written": len(holes) if with_holes else 0}
    content = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"
    whole_files.write(folder / MANIFEST, [content], mode=whole_files.PUBLIC)
    return manifest


def _provenance_line(record: queries.Record) -> bytes:
    return json.dumps(record, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def build_qrels(collection: Collection, rule: completion.Rule) -> bytes:
    """The bytes of the qrels alone. Raises NothingToExport, and completed_qrels.NoSuchRater."""
    stream = io.BytesIO()
    lines = _complete(collection, rule)
    qrels.write_qrels((Qrel(line.query_id, line.passage_id, line.grade) for line in lines), stream)
    return stream.getvalue()


def _complete(collection: Collection, rule: completion.Rule) -> list[CompletedGrade]:
    if lines := completed_qrels.complete_qrels(collection, rule):
        return lines
    raise NothingToExport(
        f"The rule {rule} leaves no line: {queries.count_sources_in_words(collection)}. Nothing was written."
    )


def copy_files(source: Path, folder: Path) -> None:
    """Copy each of the three files, whole or not at all, that is not there as it should be; the manifest comes last."""
    for name in FILES:
        if not whole_files.is_whole(folder / name, whole_files.digest_file(source / name)):
            whole_files.write(folder / name, whole_files.chunks_of(source / name), mode=whole_files.PUBLIC)


def is_whole(frozen: Export, name: str) -> bool:
    """Whether a file of a frozen version has the bytes that were frozen."""
    content_of_manifest = frozen.path.rpartition("-")[2]
    try:
        digest = whole_files.digest_file(kept_files.path(frozen.path) / name)
    except FileNotFoundError:
        return False
    return digest.startswith(content_of_manifest if name == MANIFEST else frozen.manifest["sha256"][name])


def _manifest(
    collection: Collection, rule: completion.Rule, lines: list[CompletedGrade], folder: Path
) -> dict[str, Any]:
    by_grade = Counter(line.grade for line in lines)
    by_source = Counter(line.source for line in lines)
    both = Counter((line.source, line.grade) for line in lines)
    return {
        "collection": collection.slug,
        "scale": str(collection.scale),
        "rule": str(rule),
        "consensus": rule.consensus_rule,
        "lines": len(lines),
        "topics": len({line.query_id for line in lines}),
        "by_grade": {str(grade): by_grade[grade] for grade in sorted(by_grade)},
        "by_source": {source: by_source[source] for source in rule.sources},
        "by_source_and_grade": {
            source: {str(grade): both[source, grade] for grade in sorted(by_grade) if both[source, grade]}
            for source in rule.sources
        },
        "raters": completed_qrels.describe_raters(collection, lines),
        "synthetic_holes": queries.describe_hole_draw(collection),
        "pair_draws": queries.describe_pair_draws(collection),
        "sha256": {name: whole_files.digest_file(folder / name) for name in (QRELS, PROVENANCE)},
    }
