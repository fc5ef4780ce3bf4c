"""The way of the data by commands: what they answer, in words and JSON, and with which exit code."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Collection, Export, Rater
from tests import factories

pytestmark = pytest.mark.django_db


def run(*arguments):
    """Exit code, standard output and the sentence of the error."""
    stdout = io.StringIO()
    try:
        call_command(*arguments, stdout=stdout, stderr=stdout)
    except CommandError as error:
        return error.returncode, stdout.getvalue(), str(error)
    return 0, stdout.getvalue(), ""


def said(*arguments):
    code, text, _ = run(*arguments, "--json")
    return code, json.loads(text.splitlines()[0])


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "topics.tsv").write_text("q1\tone\nq2\ttwo\n")
    (tmp_path / "passages.tsv").write_text("".join(f"d{n}\tpassage {n}\n" for n in range(12)))
    (tmp_path / "qrels.txt").write_text("".join(f"q1 0 d{n} {n % 4}\n" for n in range(8)))
    (tmp_path / "sys.run").write_text("".join(f"q1 Q0 d{n} {n} {20 - n} sys\n" for n in range(12)))
    (tmp_path / "bad.run").write_text("q1 Q0 d1 1 x sys2\nq1 Q0 d2 1\n")
    return tmp_path


def test_a_collection_goes_from_files_to_completed_qrels(folder):
    assert said("create_collection", "c1", "--scale", "0-3") == (0, {"collection": "c1", "scale": "0-3"})
    for kind in ("topics", "passages"):
        code, told = said(f"import_{kind}", "--collection", "c1", str(folder / f"{kind}.tsv"))
        assert (code, told["files"][0]["state"]) == (0, "PUBLISHED")
    assert said("import_qrels", "--collection", "c1", "--rater", "nist", str(folder / "qrels.txt"))[0] == 0
    assert said("import_run", "--collection", "c1", str(folder / "sys.run"))[0] == 0
    assert said("build_pool", "--collection", "c1", "--depth", "10") == (0, {"depth": 10, "pooled": 10, "holes": 2})
    code, told = said("make_holes", "--collection", "c1", "--fraction", "0.5", "--grades", "1,2,3", "--seed", "1")
    assert (code, told["dropped"]) == (0, 3)
    code, told = said("export_qrels", "--collection", "c1", "--rule", "reference,people", "--out", str(folder / "out"))
    assert (code, told["manifest"]["lines"], told["manifest"]["holes_left"]) == (0, 5, 5)
    assert len((folder / "out" / "qrels.txt").read_text().splitlines()) == 5


def test_the_same_file_again_is_nothing_to_do(folder):
    run("create_collection", "c1")
    assert run("import_topics", "--collection", "c1", str(folder / "topics.tsv"))[0] == 0
    code, text, _ = run("import_topics", "--collection", "c1", str(folder / "topics.tsv"))
    assert code == 1
    assert "nothing was added" in text


@pytest.mark.postgresql
def test_of_several_files_the_good_are_imported_and_the_bad_named(folder):
    run("create_collection", "c1")
    run("import_topics", "--collection", "c1", str(folder / "topics.tsv"))
    code, text, _ = run("import_run", "--collection", "c1", *[str(folder / name) for name in ("bad.run", "sys.run")])
    assert code == 2
    assert "bad.run, line 1" in text
    assert "bad.run, line 2" in text
    assert Collection.objects.get().runs.get().tag == "sys"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("create_collection", "Bad Slug"), 2, "small letters"),
        (("create_collection", "c1"), 1, "already"),
        (("create_collection", "c2", "--scale", "3-0"), 2, "3-0|from 3"),
        (("create_collection", "c2", "--researcher", "nobody"), 2, "no account nobody"),
        (("import_topics", "--collection", "nowhere", "x"), 2, "There are: c1"),
        (("import_topics", "--collection", "c1", "/no/such/file"), 2, "added nothing"),
        (("build_pool", "--collection", "c1", "--depth", "0"), 2, "at least 1"),
        (("build_pool", "--collection", "c1"), 1, "nothing to pool"),
        (("make_holes", "--collection", "c1"), 1, "no reference rater"),
        (("make_holes", "--collection", "c1", "--grades", "one"), 2, "whole numbers"),
        (("suggest", "--collection", "c1", "--judge", "learned"), 1, "no grades to learn from"),
        (("suggest", "--collection", "c1", "--judge", "calibrated"), 2, "needs --models. There are: none yet"),
        (("suggest", "--collection", "c1", "--judge", "calibrated", "--models", "gpt"), 2, "There is no model gpt"),
        (("suggest", "--collection", "c1", "--models", "gpt"), 2, "reads text alone"),
        (("suggest", "--collection", "c1", "--carry-over", "no"), 2, "reads text alone"),
        (("suggest", "--collection", "c1", "--dry-run"), 2, "costs nothing"),
        (("export_qrels", "--collection", "c1", "--out", "x"), 1, "leaves no line"),
        (("export_qrels", "--collection", "c1", "--rule", "nist", "--out", "x"), 2, "not a source"),
        (("export_qrels", "--collection", "c1", "--rule", "model:m", "--out", "x"), 2, "no model rater"),
    ],
)
def test_what_goes_wrong_has_its_exit_code_and_its_sentence(arguments, code, sentence):
    run("create_collection", "c1")
    got, _, error = run(*arguments)
    assert got == code
    assert any(part in error for part in sentence.split("|"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--grades", "7"), "off it: [7]"),
        (("--fraction", "1.5"), "at most 1"),
        (("--fraction", "nan"), "at most 1"),
        (("--seed", str(2**63)), "63 bits"),
    ],
)
def test_a_bad_value_is_bad_input_with_and_without_a_draw_in_force(arguments, sentence):
    collection = factories.make_holes(factories.make_collection("c1"))
    factories.import_qrels(collection, "q1 0 d1.1 1\nq1 0 d1.2 1\n")
    for _ in range(2):
        code, _, error = run("make_holes", "--collection", "c1", *arguments)
        assert code == 2
        assert sentence in error
        run("make_holes", "--collection", "c1", "--grades", "1")
    assert run("make_holes", "--collection", "c1", "--grades", "1")[0] == 1


@pytest.mark.parametrize("place", ["a-file", "a-file/out"])
def test_an_export_to_where_nothing_can_be_written_freezes_nothing(tmp_path, place):
    factories.import_qrels(factories.make_holes(factories.make_collection("c1")), "q1 0 d1.1 1\n")
    (tmp_path / "a-file").write_text("mine")
    code, _, error = run("export_qrels", "--collection", "c1", "--out", str(tmp_path / place))
    assert (code, error) == (2, f"Nothing can be written to {tmp_path / place}: Not a directory.")
    assert not Export.objects.exists()


def test_a_refused_export_makes_no_folder(tmp_path):
    run("create_collection", "c1")
    assert run("export_qrels", "--collection", "c1", "--out", str(tmp_path / "out"))[0] == 1
    assert not (tmp_path / "out").exists()


def test_an_export_takes_the_usual_rule_and_writes_holes_where_asked(tmp_path):
    collection = factories.make_holes(factories.make_collection("c1"))
    factories.import_qrels(collection, "q1 0 d1.1 1\n")
    _, told = said("export_qrels", "--collection", "c1", "--holes-as", "-1", "--out", str(tmp_path / "a"))
    assert (told["manifest"]["rule"], told["manifest"]["holes_written"]) == ("reference,adjudicated,people", 5)
    assert (tmp_path / "a" / "qrels.txt").read_text().count(" -1\n") == 5
    factories.make_suggestions(collection, rater="model-a")
    _, told = said("export_qrels", "--collection", "c1", "--consensus", "MEDIAN", "--out", str(tmp_path / "b"))
    assert told["manifest"]["rule"] == "reference,adjudicated,people,model:model-a"
    assert (told["manifest"]["consensus"], told["manifest"]["holes_left"]) == ("MEDIAN", 0)


def test_an_export_that_a_doubtful_judge_fills_says_so(tmp_path):
    collection = factories.make_holes(factories.make_collection("c1"))
    factories.make_suggestions(collection, rater="model-a")
    Rater.objects.filter(name="model-a").update(judge="learned", parameters={"warning": "the holes differ"})
    _, told = said("export_qrels", "--collection", "c1", "--out", str(tmp_path / "a"))
    assert told["warnings"] == {"model-a": "the holes differ"}
    assert (
        "But model-a: the holes differ." in run("export_qrels", "--collection", "c1", "--out", str(tmp_path / "b"))[1]
    )
    _, told = said("export_qrels", "--collection", "c1", "--rule", "model:model-a,people", "--out", str(tmp_path / "c"))
    assert list(told["warnings"]) == ["model-a"]


def test_each_file_is_a_rater_unless_one_is_named(folder):
    factories.make_holes(factories.make_collection("c1"))
    for name, pair in (("nist.v2.txt", "q1 0 d1.1 1"), ("other.qrels", "q1 0 d1.2 1")):
        (folder / name).write_text(pair + "\n")
    files = [str(folder / name) for name in ("nist.v2.txt", "other.qrels")]
    assert run("import_qrels", "--collection", "c1", *files)[0] == 0
    assert set(Rater.objects.values_list("name", flat=True)) == {"nist.v2", "other"}
    assert run("import_qrels", "--collection", "c1", "--rater", "both", *files)[0] == 0
    assert Rater.objects.get(name="both").reference_grades.count() == 2


@pytest.mark.parametrize(("off", "words"), [(1, "1 grade is off the scale"), (2, "2 grades are off the scale")])
def test_grades_off_the_scale_are_counted_in_good_words(folder, off, words):
    factories.make_holes(factories.make_collection("c1"))
    (folder / "model.txt").write_text("".join(f"q1 0 d1.{n} {7 if n <= off else 1}\n" for n in (1, 2, 3)))
    _, text, _ = run("import_qrels", "--collection", "c1", "--model", str(folder / "model.txt"))
    assert words in text


@pytest.mark.postgresql
def test_a_pool_that_is_built_already_is_nothing_to_do_and_of_the_same_frame(folder):
    collection = factories.make_holes(factories.make_collection("c1"))
    frame = collection.frame_version
    code, _, error = run("build_pool", "--collection", "c1", "--depth", "10")
    assert code == 1
    assert "nothing to do" in error
    collection.refresh_from_db()
    assert collection.frame_version == frame
    assert said("build_pool", "--collection", "c1", "--depth", "2") == (0, {"depth": 2, "pooled": 4, "holes": 4})
    collection.refresh_from_db()
    assert collection.frame_version == frame + 1


@pytest.mark.postgresql
def test_the_learned_judge_suggests_for_every_pooled_pair():
    collection = factories.make_holes(factories.make_collection(), topics=3, passages=8)
    graded = "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 7))
    factories.import_qrels(collection, graded)
    code, told = said("suggest", "--collection", collection.slug, "--judge", "learned", "--wait")
    assert (code, told["rater"], told["done"], told["pairs"]) == (0, "learned-1", 24, 24)
    collection.refresh_from_db()
    assert collection.suggesting_rater is None
    code, _, sentence = run("suggest", "--collection", collection.slug, "--wait")
    assert code == 1
    assert "nothing has changed since" in sentence


def test_the_calibrated_judge_learns_from_the_models_that_are_named():
    collection = factories.make_holes(factories.make_collection(), topics=3, passages=8)
    graded = "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 7))
    factories.import_qrels(collection, graded)
    for name in ("gpt", "llama", "other"):
        factories.make_suggestions(collection, grade=1, rater=name)
    models = ("--models", "llama", "--models", "gpt")
    asked = ("suggest", "--collection", collection.slug, "--judge", "calibrated", *models)
    code, told = said(*asked, "--wait")
    assert code == 0
    assert told == {"rater": "calibrated-1", "pairs": 24, "state": "DONE", "done": 24, "warning": ""}
    taught = collection.raters.get(name="calibrated-1").parameters["models"]
    assert [model["name"] for model in taught] == ["gpt", "llama"]
    code, told = said(*asked, "--carry-over", "no", "--wait")
    assert told["rater"] == "calibrated-2"
    assert "the holes are known to be of another kind" in told["warning"]
