"""TREC DL 2019 whole: the figures that independent scripts computed, read from what Lacuna imported."""

import csv
import gzip
from collections import defaultdict

import pytest
from django.core.management import call_command

from annotate.grades import holes
from annotate.models import Collection, ImportedFile
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.work import engine
from evaluation.findings.leaderboard import comparisons, scores
from tests import factories, shared_data, visitors
from tests.integration.evaluation import comparing

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.xdist_group("dl19")]
NIST, GPT = completion.parse_rule("reference"), completion.parse_rule("model:umbrela-gpt4o")


def dl19(*parts):
    return shared_data.path("dl19", *parts)


@pytest.fixture(scope="module")
def imported(django_db_setup, django_db_blocker):
    """Topics, NIST's grades, GPT-4o's and the 37 official runs, imported once and committed for all tests here."""
    files = {path.name: path for path in sorted(dl19("runs").iterdir()) if not path.name.startswith("rankllm_")}
    with django_db_blocker.unblock():
        collection = factories.make_collection("dl19")
        factories.import_text(collection, "TOPICS", dl19("topics.tsv").read_bytes())
        factories.import_qrels(collection, dl19("qrels.txt").read_bytes())
        model = dl19("llm", "umbrela-gpt4o.qrels.gz").read_bytes()
        factories.import_text(collection, "QRELS", model, name="m.gz", rater="umbrela-gpt4o", rater_kind="MODEL")
        for name, path in files.items():
            factories.import_text(collection, "RUN", path.read_bytes(), name=name)
        yield collection
        call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def with_holes(imported, django_db_blocker):
    """All the rest on top: passages, the other models' grades, the two later systems, the pool, holes of half of the
    relevant grades. Committed too, so the tests that need it stand last."""
    with django_db_blocker.unblock():
        factories.import_text(imported, "PASSAGES", dl19("passages.jsonl.gz").read_bytes(), name="p.jsonl.gz")
        for path in sorted(dl19("llm").iterdir()):
            name = path.name.removesuffix(".qrels.gz")
            if name != "umbrela-gpt4o":
                factories.import_text(
                    imported, "QRELS", path.read_bytes(), name=path.name, rater=name, rater_kind="MODEL"
                )
        for path in sorted(dl19("runs").glob("rankllm_*")):
            factories.import_text(imported, "RUN", path.read_bytes(), name=path.name)
        factories.build_pool(imported)
        pooling.draw_holes(collection=imported, fraction=0.5, chosen=[1, 2, 3], seed=1, by=None, now=factories.NOW)
        engine.run_waiting()
        return imported


@pytest.fixture(scope="module")
def round_trip(with_holes, django_db_blocker):
    """What is exported with the holes filled by GPT-4o, and the export of the collection that imports it. Here, not in
    the test: the work's sign of life is another connection, which would wait for the test's transaction."""
    with django_db_blocker.unblock():
        exported = factories.export_files(with_holes, completion.parse_rule("reference,model:umbrela-gpt4o"))
        again = factories.make_collection("again")
        factories.import_text(again, "TOPICS", dl19("topics.tsv").read_bytes())
        factories.import_qrels(again, exported[0]["qrels.txt"].decode(), rater="completed")
        return *exported, factories.export_files(again, completion.parse_rule("reference"))[0]


@pytest.fixture
def collection(imported):
    return Collection.objects.get(pk=imported.pk)


def official():
    """NIST's own nDCG@10 by run and topic, with the mean under `all`."""
    values = defaultdict(dict)
    with gzip.open(dl19("official_ndcg_cut_10.tsv.gz"), "rt") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            values[row["run"]][row["topic"]] = float(row["ndcg_cut_10"])
    return values


def test_ndcg_of_every_run_is_that_of_nist(collection):
    found = {
        s.run_tag: s.by_measure["nDCG@10"] for s in scores.compute_leaderboard(collection, NIST, ["nDCG@10"]).systems
    }
    expected = official()
    assert len(found) == 37
    assert len(expected) == 36
    for run_tag, by_topic in expected.items():
        mean = by_topic.pop("all")
        assert found[run_tag].mean.number == pytest.approx(mean, abs=0.00006)
        assert dict(found[run_tag].by_topic) == pytest.approx(by_topic, abs=0.0001)


def test_gpt_4o_agrees_with_nist_as_far_as_is_known(collection):
    figures = comparing.compare(collection, "reference", "umbrela-gpt4o").figures
    assert (figures.n, figures.only_first, figures.only_second) == (9260, 0, 0)
    assert figures.kappa["unweighted"].number == pytest.approx(0.363, abs=0.0005)
    assert figures.kappa["binary"].number == pytest.approx(0.524, abs=0.0005)
    assert figures.alpha["ordinal"].number == pytest.approx(0.597, abs=0.0005)


def test_gpt_4o_ranks_the_systems_as_nist_does_but_for_a_known_part(collection):
    found = comparisons.compare_rules(collection, NIST, GPT, "nDCG@10")
    assert found.shift.tau_b.number == pytest.approx(0.916, abs=0.0005)
    assert (len(found.shift.systems), len(found.shift.topics), found.is_coarse) == (37, 43, False)


def test_the_pages_show_these_figures(collection):
    visitor = visitors.researcher(collection)
    page = visitor.get("/c/dl19/agreement/", {"first": "nist", "second": "umbrela-gpt4o"})
    assert "Krippendorff’s alpha, ordinal 0.597" in visitors.words(page)
    assert "Cohen’s kappa, 4 grades 0.363" in visitors.words(page)
    assert "Kappa, relevant from 2 0.524" in visitors.words(page)
    board = visitor.get("/c/dl19/leaderboard/", {"rule": "reference", "other": "model:umbrela-gpt4o"})
    assert "Kendall’s tau-b 0.916" in visitors.words(board)
    assert "37 systems, 43 topics that both qrels have" in visitors.words(board)
    assert "1 idst_bert_p1 0.7645 0.7" in visitors.words(board)


@pytest.mark.postgresql
@pytest.mark.usefixtures("with_holes")
def test_every_file_of_the_collection_is_imported(collection):
    states = ImportedFile.objects.filter(collection=collection).values_list("state", flat=True)
    assert set(states) == {"PUBLISHED"}
    assert (collection.runs.count(), collection.raters.count(), collection.passages.count()) == (39, 6, 16187)


@pytest.mark.usefixtures("with_holes")
def test_half_of_the_relevant_grades_become_holes(collection):
    """NIST gave 1601, 1804 and 697 of the grades 1, 2, 3; 36 pairs of the pool were never judged."""
    draw = collection.hole_draws.get()
    assert draw.dropped == 1601 // 2 + 1804 // 2 + 697 // 2 == 2050
    assert holes.count_holes(collection) == 2050 + 36


def test_holes_patched_by_a_model_give_complete_qrels_that_round_trip(round_trip):
    files, manifest, files_again = round_trip
    assert manifest["by_source"] == {"reference": 7210, "model:umbrela-gpt4o": 2050}
    assert (manifest["lines"], manifest["topics"], manifest["holes_left"]) == (9260, 43, 36)
    with_truth = files["qrels.txt"].decode().splitlines()
    judged = {tuple(line.split()[::2]) for line in dl19("qrels.txt").read_text().splitlines()}
    assert {tuple(line.split()[::2]) for line in with_truth} == judged
    assert files_again["qrels.txt"] == files["qrels.txt"]
