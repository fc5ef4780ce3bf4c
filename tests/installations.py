"""A whole installation in small, for the tests of backups: rows of every stage and kept files."""

from datetime import timedelta
from pathlib import Path

from django.conf import LazySettings
from django.core.management import call_command
from knox.models import AuthToken

from annotate.management.backups import files, rows
from annotate.models import Collection, Membership
from annotate.operations import exporting, hole_drawing, sampling
from annotate.queries.sample_plans import Plan
from annotate.rules import completion
from tests import factories

ODD_MOMENT = factories.NOW + timedelta(microseconds=123_457)


def fill() -> Membership:
    """People, one collection with its imports, holes, suggestions, judgments, export; an assessor with a token."""
    collection = factories.make_holes(factories.make_collection("dl19"), topics=2, passages=4)
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 3\nq2 0 d2.1 1\n")
    hole_drawing.draw_holes(collection=collection, fraction=0.5, chosen=[3], seed=7, by=None, now=factories.NOW)
    factories.make_suggestions(collection, reason='nearest: "na\u00efve"\u2028d1.1')
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 2, now=ODD_MOMENT, comment="\u00fcber\nzwei Zeilen")
    factories.judge(assessor, None, visible_ms=1200)
    _draw(collection)
    exporting.freeze(collection=collection, rule=completion.Rule(), by=assessor.user, now=ODD_MOMENT)
    AuthToken.objects.create(user=assessor.user)
    return assessor


def _draw(collection: Collection) -> None:
    """A sample in force, and a pair that names another one, which comes after it in the table."""
    sampling.draw_sample(collection=collection, plan=Plan(number=2), by=None, now=factories.NOW)
    first, *_, last = collection.pairs.filter(topic__query_id="q2").order_by("pk")
    first.duplicate_of = last
    first.save(update_fields=["duplicate_of"])


def empty(settings: LazySettings, data_dir: Path) -> None:
    """A new installation: no rows, and a data folder of its own."""
    call_command("flush", "--no-input", verbosity=0)
    data_dir.mkdir()
    settings.DATA_DIR = data_dir


def everything() -> dict[str, list[bytes]]:
    """Every row and every kept file."""
    told = {model._meta.label_lower: list(rows.lines(model)) for model in rows.models()}
    return told | {path: list(files.chunks(path)) for path in files.paths()}
