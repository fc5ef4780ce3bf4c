"""The way of query variants by commands: in as a mapping, their runs in, pooled for the topics, out again."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests import factories

pytestmark = pytest.mark.django_db


def said(*arguments):
    """Exit code and the JSON answer."""
    out = io.StringIO()
    try:
        call_command(*map(str, arguments), "--json", stdout=out, stderr=out)
    except CommandError as error:
        return error.returncode, json.loads(out.getvalue().splitlines()[0])
    return 0, json.loads(out.getvalue())


@pytest.fixture
def slug():
    return factories.make_holes(factories.make_collection()).slug


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mapping.tsv").write_text("w1\tq1\tchild\t1\nw2\tq2\texpert\t1\n")
    (tmp_path / "texts.tsv").write_text("w1\tchild asks\nw2\texpert asks\n")
    (tmp_path / "child.run").write_text("w1 Q0 new 1 2 bm25\nw1 Q0 d1.1 2 1 bm25\n")
    (tmp_path / "expert.run").write_text("w2 Q0 d2.1 1 2 bm25\n")
    return tmp_path


def test_from_files_to_a_pool_and_out_again(slug, folder):
    mapping, texts = folder / "mapping.tsv", folder / "texts.tsv"
    code, told = said("import_variants", "--collection", slug, mapping, "--texts", texts)
    assert (code, told["files"][0]["added"]) == (0, 2)
    runs = (folder / "child.run", folder / "expert.run")
    assert said("import_run", "--collection", slug, "--variants", *runs)[0] == 0
    assert said("build_pool", "--collection", slug, "--depth", 10) == (0, {"depth": 10, "pooled": 7, "holes": 7})
    assert said("export_variants", "--collection", slug, "--out", folder / "out")[1]["variants"] == 2
    assert (folder / "out" / "mapping.tsv").read_bytes() == mapping.read_bytes()
    assert (folder / "out" / "variants.tsv").read_bytes() == texts.read_bytes()


def test_faults_name_file_and_line_with_exit_code_2(slug, folder):
    (folder / "bad.tsv").write_text("w1\tq1\tchild\t1\nw2\tq9\tchild\t0\n")
    code, told = said("import_variants", "--collection", slug, folder / "bad.tsv")
    assert code == 2
    assert told["files"][0]["faults"] == [
        "bad.tsv, line 2: the number of variant 'w2' is 0 instead of a whole number from 1"
    ]
    code, told = said("import_variants", "--collection", slug, folder / "mapping.tsv", "--texts", folder / "none")
    assert (code, told["files"][0]["faults"]) == (2, [f"{folder / 'none'}: No such file or directory"])


def test_the_same_again_is_nothing_to_do(slug, folder):
    said("import_variants", "--collection", slug, folder / "mapping.tsv")
    assert said("import_variants", "--collection", slug, folder / "mapping.tsv")[0] == 1
