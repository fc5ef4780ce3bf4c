"""What stands behind the raters of completed qrels: which model with which parameters, which files."""

from annotate.grades import ratings
from annotate.grades.completed_qrels import OF_PEOPLE, CompletedGrade
from annotate.models import Adjudication, Collection, ImportedFile, Rater

Told = dict[str, object]


def told(collection: Collection, lines: list[CompletedGrade]) -> dict[str, Told]:
    """By name, the raters that gave a line's grade, and those whose suggestions stand by what people said."""
    by_id = set(Rater.objects.filter(collection=collection, name__in=_named(lines)).values_list("pk", flat=True))
    if any(line.source in OF_PEOPLE for line in lines):
        by_id |= _shown(collection)
    return {rater.name: _rater(rater) for rater in sorted(Rater.objects.filter(pk__in=by_id), key=lambda r: r.name)}


def _named(lines: list[CompletedGrade]) -> set[str]:
    return {line.rater for line in lines if line.source not in OF_PEOPLE}


def _shown(collection: Collection) -> set[int]:
    judged = ratings.current(collection).filter(suggestion__isnull=False)
    decided = Adjudication.objects.filter(pair__collection=collection, is_current=True, suggestion__isnull=False)
    return {rater for rows in (judged, decided) for rater in rows.values_list("suggestion__rater", flat=True)}


def _rater(rater: Rater) -> Told:
    return {
        "kind": rater.kind,
        "judge": rater.judge,
        "description": rater.description,
        "parameters": rater.parameters,
        "files": _files(rater),
    }


def _files(rater: Rater) -> list[Told]:
    """The imported files whose grades are in force, in the order of their import."""
    given = rater.suggestions if rater.kind == Rater.Kind.MODEL else rater.reference_grades
    ids = set(given.filter(source__isnull=False).values_list("source", flat=True).distinct())
    files = ImportedFile.objects.filter(pk__in=ids, state=ImportedFile.State.PUBLISHED).order_by("pk")
    return [{"name": name, "sha256": digest} for name, digest in files.values_list("name", "digest")]
