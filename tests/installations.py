"""A whole installation in small, for the tests of backups: rows of every stage and kept files."""

from datetime import timedelta
from pathlib import Path

from django.conf import LazySettings
from django.core.management import call_command
from knox.models import AuthToken

from annotate.draws.operations import draws
from annotate.draws.queries import Plan
from annotate.exports import operations as exports_operations
from annotate.management import backups
from annotate.models import Batch, Collection, Generation, Membership, ProbeAnswer
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.rules.perturbations import Perturbation
from annotate.suggestions.operations import prompts
from annotate.texts import operations as backstories_operations
from annotate.texts import operations as variants_operations
from annotate.texts.operations import CheckAnswer
from tests import factories

ODD_MOMENT = factories.NOW + timedelta(microseconds=123_457)


def fill() -> Membership:
    """People, one collection with its imports, holes, suggestions, judgments, export; an assessor with a token."""
    collection = factories.make_holes(factories.make_collection("dl19"), topics=2, passages=4)
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 3\nq2 0 d2.1 1\n")
    pooling.draw_holes(collection=collection, fraction=0.5, chosen=[3], seed=7, by=None, now=factories.NOW)
    factories.make_suggestions(collection, reason='nearest: "na\u00efve"\u2028d1.1')
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 2, now=ODD_MOMENT, comment="\u00fcber\nzwei Zeilen")
    factories.judge(assessor, None, visible_ms=1200)
    _draw(collection)
    _write(collection, assessor)
    _probe(collection)
    exports_operations.freeze(collection=collection, rule=completion.Rule(), by=assessor.user, now=ODD_MOMENT)
    AuthToken.objects.create(user=assessor.user)
    return assessor


def _draw(collection: Collection) -> None:
    """A sample in force, and a pair that names another one, which comes after it in the table."""
    draws.draw_sample(collection=collection, plan=Plan(number=2), by=None, now=factories.NOW)
    first, *_, last = collection.pairs.filter(topic__query_id="q2").order_by("pk")
    first.duplicate_of = last
    first.save(update_fields=["duplicate_of"])


def _write(collection: Collection, assessor: Membership) -> None:
    """A model's draft of a backstory and a query variant, of which a person has said something."""
    topic = collection.topics.earliest("pk")
    profile = prompts.use_built_in_profile(collection=collection, name="voice", now=ODD_MOMENT)
    batch = Batch.objects.create(
        collection=collection, purpose=Batch.Purpose.VARIANTS, judge="anthropic", created_at=ODD_MOMENT
    )
    row = {"batch": batch, "topic": topic, "state": "DONE", "created_at": ODD_MOMENT, "answers": ["so\u2028 it is"]}
    draft = Generation.objects.create(**row, texts=["A need."])
    backstories_operations.add_draft(topic=topic, text="A need.", generation=draft, now=ODD_MOMENT)
    said = Generation.objects.create(**row, profile=profile, texts=["says \u00fcber"])
    [variant] = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=said.texts, generation=said, now=ODD_MOMENT
    )
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1)
    variants_operations.record_check(member=assessor, variant_id=variant.pk, answer=CheckAnswer(True), now=ODD_MOMENT)


def _probe(collection: Collection) -> None:
    """A passage of another topic that a judge was shown with an instruction."""
    batch = Batch.objects.create(
        collection=collection, purpose=Batch.Purpose.PROBE, judge="anthropic", created_at=ODD_MOMENT
    )
    topic, passage = collection.topics.earliest("pk"), collection.passages.latest("pk")
    ProbeAnswer.objects.create(
        batch=batch,
        topic=topic,
        passage=passage,
        disguise=Perturbation.ORDER,
        state="UNPARSED",
        answer="I will\u2028not",
        created_at=ODD_MOMENT,
    )


def empty(settings: LazySettings, data_dir: Path) -> None:
    """A new installation: no rows, and a data folder of its own."""
    call_command("flush", "--no-input", verbosity=0)
    data_dir.mkdir()
    settings.DATA_DIR = data_dir


def everything() -> dict[str, list[bytes]]:
    """Every row and every kept file."""
    told = {model._meta.label_lower: list(backups.row_lines(model)) for model in backups.list_models()}
    return told | {path: list(backups.file_chunks(path)) for path in backups.list_files()}
