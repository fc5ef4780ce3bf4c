"""A whole installation in small for the tests of backups: rows of every stage, kept files, and all of it as a value."""

from django.conf import settings
from knox.models import AuthToken

from annotate.management.backups import files, rows
from annotate.operations import exporting, hole_drawing
from annotate.rules import completion
from tests import factories


def fill() -> None:
    """People, a collection with topics, passages, run, qrels, holes, suggestions and judgments, an export, a token."""
    collection = factories.make_holes(factories.make_collection("dl-äöü"[:2] + "19"), topics=2, passages=4)
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 0\nq2 0 d2.1 1\n")
    rater = collection.raters.get(name="nist")
    hole_drawing.draw_holes(collection=collection, rater=rater, fraction=0.5, grades=[3, 1, 0], seed=7, by=None, now=factories.NOW)
    factories.make_suggestions(collection, reason='Nearest: "naïve" \u2028 d1.1')
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 2, comment="über\nzwei Zeilen")
    factories.judge(assessor, None)
    exporting.freeze(collection=collection, rule=completion.Rule(), by=None, now=factories.NOW)
    AuthToken.objects.create(user=assessor.user)


def empty(data_dir) -> None:
    pass


def everything() -> dict[str, list[bytes]]:
    """Every row and every kept file."""
    told = {model._meta.label_lower: list(rows.lines(model)) for model in rows.models()}
    return told | {path: list(files.chunks(path)) for path in files.paths()}
