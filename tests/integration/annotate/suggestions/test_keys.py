"""A key is found nowhere after a run: not in rows, files, logs, pages, exports or what commands say."""

import io
import zipfile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from annotate.models import Batch, Work
from tests import visitors
from tests.model_service.script import ECHO, FINAL, KEY, PASSING, QUOTING

pytestmark = pytest.mark.django_db(transaction=True)
WRONG = "sk-wrong-9a8b7c6d5e"


@pytest.fixture
def data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


def rows():
    """All that the database holds, as text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            yield from map(str, cursor.fetchall())


def unpacked(path):
    with zipfile.ZipFile(path) as archive:
        yield from (archive.read(name).decode(errors="replace") for name in archive.namelist())


def pages(collection):
    visitor = visitors.researcher(collection)
    slug = collection.slug
    where = [reverse(name, args=[slug]) for name in ("suggestions", "ask_model", "write_prompt", "probe", "exports")]
    where += [reverse("batch", args=[slug, batch.pk]) for batch in Batch.objects.all()]
    yield from (visitor.get(address).content.decode() for address in where)


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_no_key_is_found_after_a_run(data_dir, serve, collection, ask, caplog, monkeypatch, service):
    server = serve(share=0.5, faults=(*PASSING, *FINAL, *QUOTING, ECHO))
    collection.refresh_from_db()
    good = ask(collection, service=service, samples=3)
    server.script.share, server.script.faults = 1.0, (ECHO,)
    ask(collection, service=service, prompt="rationale", temperature=0.7)
    server.script.share, server.script.faults = 0.5, (*PASSING, *FINAL, *QUOTING, ECHO)
    server.script.batch_faults = ("errored", "rejected")
    ask(collection, service=service, prompt="decomposed", is_batched=True)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, WRONG)
    refused = ask(collection, service=service, prompt="rationale")
    said = io.StringIO()
    with pytest.raises(CommandError) as error:
        call_command(
            *("suggest", "--collection", collection.slug, "--judge", service, "--model", "m", "--wait", "--json"),
            stdout=said,
        )
    exported = ("--collection", collection.slug, "--rule", f"model:{good.rater.name}", "--out", str(data_dir / "out"))
    call_command("export_qrels", *exported, stdout=said)
    call_command("backup", str(data_dir / "backup.zip"), stdout=said)

    assert good.work.state == Work.State.DONE
    assert "the key is not accepted" in refused.work.error
    files = [path.read_bytes().decode(errors="replace") for path in data_dir.rglob("*") if path.is_file()]
    assert files
    kept = [*rows(), *unpacked(data_dir / "backup.zip")]
    assert any("You gave me the key [key]" in text for text in kept), "the key was never repeated: nothing is shown"
    everything = [*kept, *pages(collection), *files, caplog.text, said.getvalue(), str(error.value)]
    assert not [text for text in everything if KEY in text or WRONG in text or WRONG[:9] in text]


@pytest.mark.parametrize(("service", "key"), [("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY")])
def test_without_a_key_page_and_command_say_what_to_set(collection, monkeypatch, service, key):
    monkeypatch.delenv(key, raising=False)
    asked = ("--collection", collection.slug, "--judge", service, "--model", "m")
    with pytest.raises(CommandError, match=f"Set {key} in the environment.*own judges work without a key"):
        call_command("suggest", *asked)
    call_command("suggest", *asked, "--dry-run", stdout=io.StringIO())
    page = visitors.words(visitors.researcher(collection).get(reverse("ask_model", args=[collection.slug])))
    assert f"Set {key} in the environment" in page
    assert not Batch.objects.exists()
