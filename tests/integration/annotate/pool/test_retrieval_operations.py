"""The built-in systems give runs to those who have none, of topics and of query variants."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.formats import records, runs
from annotate.grades import rankings
from annotate.imports.operations import withdrawals
from annotate.models import ImportedFile, QueryVariant, Run, Work
from annotate.pool.operations import retrieval
from annotate.retrieval import inverted_index, scorers
from annotate.work import engine, kept_files
from annotate.work.queue import CannotGoOn
from tests import factories, ranked

pytestmark = pytest.mark.django_db

SOME = ("bm25", "tfidf")
TOPICS = "q1\tbrown bird\nq2\tblue sky\n"
PASSAGES = "p3\tA small brown bird sings.\np1\tThe sky is blue by day.\np2\tA bird in a blue sky.\n"
VARIANTS = "".join(
    json.dumps({"variant_id": name, "query_id": topic, "profile": "child", "number": n, "text": text}) + "\n"
    for name, topic, n, text in [("w1", "q1", 1, "tiny bird"), ("w2", "q2", 1, "blue sky why"), ("w3", "q2", 2, "zzz")]
)


@pytest.fixture
def collection():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", TOPICS)
    factories.import_text(collection, "PASSAGES", PASSAGES)
    return collection


@pytest.fixture
def with_variants(collection):
    factories.import_text(collection, "VARIANTS", VARIANTS, name="variants.jsonl")
    return collection


def retrieve(collection, *, with_variants=False, names=SOME):
    queued = retrieval.request_retrieval(
        collection=collection, with_variants=with_variants, systems=names, by=None, now=factories.NOW
    )
    engine.run(engine.claim(work_id=queued.pk))
    queued.refresh_from_db()
    return queued


def kept(collection):
    """What each run ranks: tag, whether it is of variants, its rows."""
    rows = Run.objects.filter(collection=collection, source__state="PUBLISHED").order_by("pk")
    return [(row.tag, row.ranks_variants, ranked.rows(rankings.load_top(row, 100))) for row in rows]


def test_a_run_is_what_the_system_retrieves_and_is_kept_as_an_imported_one(collection):
    assert retrieve(collection).state == "DONE"
    passages = sorted(records.Passage(*line.split("\t")) for line in PASSAGES.splitlines())
    asked = [records.Topic(*line.split("\t")) for line in TOPICS.splitlines()]
    assert kept(collection) == [
        (name, False, ranked.retrieved(name, asked, inverted_index.Library(passages))) for name in SOME
    ]
    imported = ImportedFile.objects.get(runs__tag="bm25")
    assert (imported.name, imported.added, imported.options["group"]) == ("bm25.run", 4, "BM25")
    stored = runs.read_run(kept_files.path(imported.path))
    assert (stored.tag, ranked.rows(stored)) == ("bm25", kept(collection)[0][2])


def test_all_systems_are_asked_where_none_is_named(collection):
    queued = retrieval.request_retrieval(collection=collection, with_variants=False, by=None, now=factories.NOW)
    list(retrieval.run(queued))
    found = {row.tag for row in rankings.published_runs(collection)}
    assert found == scorers.SYSTEMS.keys() - {"bm25-title"}, "no passage has a title"


def test_variants_are_ranked_beside_the_topics_and_pooled_for_them(with_variants):
    retrieve(with_variants, with_variants=True)
    assert [row[:2] for row in kept(with_variants)] == [(name, which) for name in SOME for which in (False, True)]
    [of_variants] = [rows for tag, is_of_variants, rows in kept(with_variants) if tag == "bm25" and is_of_variants]
    assert [(row.query_id, row.passage_id) for row in of_variants] == [
        ("w1", "p2"), ("w1", "p3"), ("w2", "p2"), ("w2", "p1"),
    ]  # fmt: skip
    factories.build_pool(with_variants)
    assert with_variants.pairs.filter(is_pooled=True, topic__query_id="q1", passage_id="p2").exists()


def test_the_same_texts_give_the_same_runs_in_whatever_order_they_came(with_variants):
    retrieve(with_variants, with_variants=True)
    other = factories.make_collection()
    factories.import_text(other, "TOPICS", "".join(reversed(TOPICS.splitlines(keepends=True))))
    for line in PASSAGES.splitlines():
        factories.import_text(other, "PASSAGES", line)
    factories.import_text(other, "VARIANTS", VARIANTS, name="variants.jsonl")
    retrieve(other, with_variants=True)
    digests = [
        list(Run.objects.filter(collection=each).order_by("pk").values_list("digest", flat=True))
        for each in (with_variants, other)
    ]
    assert digests[0] == digests[1]


def test_what_was_ranked_is_not_ranked_again(with_variants):
    retrieve(with_variants, names=("bm25",))
    before = kept(with_variants)
    assert retrieve(with_variants, names=("bm25",)).error == (
        "There is nothing to retrieve: the systems have ranked it all."
    )
    retrieve(with_variants, names=("bm25",), with_variants=True)
    assert kept(with_variants)[:1] == before
    line = {"variant_id": "w4", "query_id": "q1", "profile": "child", "number": 2, "text": "brown birds"}
    factories.import_text(with_variants, "VARIANTS", json.dumps(line), name="more.jsonl")
    retrieve(with_variants, names=("bm25",), with_variants=True)
    assert {row.query_id for row in kept(with_variants)[-1][2]} == {"w4"}
    assert "ranked it all" in retrieve(with_variants, names=("bm25",), with_variants=True).error


def test_a_retrieval_that_died_goes_on_with_what_is_missing(with_variants, monkeypatch):
    monkeypatch.setattr(retrieval, "QUERIES_OF_A_RUN", 1)
    queued = retrieval.request_retrieval(
        collection=with_variants, with_variants=True, systems=SOME, by=None, now=factories.NOW
    )
    steps = retrieval.run(queued)
    while len(kept(with_variants)) < 2:
        next(steps)
    steps.close()
    died = kept(with_variants)
    engine.run(engine.claim(work_id=queued.pk))
    assert kept(with_variants)[:2] == died
    assert [row[:2] for row in kept(with_variants)] == [(name, which) for name in SOME for which in (False, True, True)]


def test_a_worker_whose_lease_was_taken_keeps_no_run_twice(with_variants):
    queued = retrieval.request_retrieval(
        collection=with_variants, with_variants=True, systems=SOME, by=None, now=factories.NOW
    )
    late = engine.claim(work_id=queued.pk)
    steps = retrieval.run(late)
    next(steps)
    Work.objects.update(lease_until=factories.NOW)
    engine.run(engine.claim(work_id=queued.pk))
    found = kept(with_variants)
    list(steps)
    assert kept(with_variants) == found
    assert len(found) == 4


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", ["TOPICS", "PASSAGES", "VARIANTS"])
def test_what_was_retrieved_with_is_not_withdrawn_under_its_runs(with_variants, kind):
    """Other texts under the same ids would have the ranks of those that went, since nothing is ranked twice."""
    if kind == "TOPICS":
        QueryVariant.objects.all().delete()
    retrieve(with_variants, with_variants=kind != "TOPICS")
    imported = ImportedFile.objects.get(kind=kind)
    with pytest.raises(withdrawals.CannotWithdraw, match="The built-in systems retrieved with what .* first"):
        withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)
    for run in ImportedFile.objects.filter(kind="RUN"):
        engine.run(engine.claim(work_id=withdrawals.request_withdrawal(imported=run, by=None, now=factories.NOW).pk))
    withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)


def test_variants_go_beside_runs_that_were_retrieved_before_they_came_or_without_them(with_variants):
    retrieve(with_variants)
    withdrawals.request_withdrawal(imported=ImportedFile.objects.get(kind="VARIANTS"), by=None, now=factories.NOW)


def test_a_withdrawn_run_is_retrieved_anew(collection):
    retrieve(collection, names=("bm25",))
    before = kept(collection)
    imported = ImportedFile.objects.get(runs__tag="bm25")
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)
    engine.run(engine.claim(work_id=queued.pk))
    retrieve(collection, names=("bm25",))
    assert kept(collection) == before


def test_an_imported_run_keeps_its_name_to_itself(with_variants):
    factories.import_text(with_variants, "RUN", "w1 Q0 p1 1 1 bm25\n", ranks_variants=True)
    ended = retrieve(with_variants, with_variants=True)
    assert ended.note == ("3 runs kept. Left out, since imported runs of query variants have their names: bm25.")
    assert [row[:2] for row in kept(with_variants)] == [
        ("bm25", True), ("bm25", False), ("tfidf", False), ("tfidf", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kinds", "with_variants", "reason"),
    [
        ([], False, "import the passages first"),
        (["PASSAGES"], False, "import the topics first"),
        (["PASSAGES", "TOPICS"], True, "There is no query variant with a text"),
    ],
)
def test_what_is_missing_is_said_at_once(kinds, with_variants, reason):
    collection = factories.make_collection()
    for kind in kinds:
        factories.import_text(collection, kind, {"PASSAGES": PASSAGES, "TOPICS": TOPICS}[kind])
    with pytest.raises(retrieval.CannotRetrieve, match=reason):
        retrieve(collection, with_variants=with_variants)
    assert not Work.objects.filter(kind=retrieval.RETRIEVE).exists()


def test_too_many_passages_are_refused(collection, monkeypatch):
    monkeypatch.setattr(retrieval, "MOST_PASSAGES", 2)
    with pytest.raises(retrieval.CannotRetrieve, match="at most 2 passages, and the collection has 3"):
        retrieve(collection)


def test_asking_twice_is_one_retrieval_until_it_is_over(with_variants):
    said = {"collection": with_variants, "systems": SOME, "by": None, "now": factories.NOW}
    first = retrieval.request_retrieval(with_variants=False, **said)
    assert retrieval.request_retrieval(with_variants=False, **said) == first
    assert retrieval.request_retrieval(with_variants=True, **said) != first
    engine.run(engine.claim(work_id=first.pk))
    assert retrieval.request_retrieval(with_variants=False, **said) != first


def test_a_system_that_finds_nothing_has_no_run():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tzzz\n")
    factories.import_text(collection, "PASSAGES", PASSAGES)
    assert retrieve(collection).state == "DONE"
    assert kept(collection) == []


@pytest.mark.postgresql
def test_the_command_tells_what_is_kept(with_variants):
    out = io.StringIO()
    said = {"collection": with_variants.slug, "stdout": out}
    call_command("retrieve", "--variants", "--system", "bm25", "--json", **said)
    assert json.loads(out.getvalue()) == {
        "runs": [
            {"run_tag": "bm25", "ranks_variants": False, "rankings": 2, "ranks": 4},
            {"run_tag": "bm25", "ranks_variants": True, "rankings": 3, "ranks": 4},
        ],
        "note": "2 runs kept.",
    }
    with pytest.raises(CommandError, match="ranked it all") as refused:
        call_command("retrieve", "--system", "bm25", **said)
    assert refused.value.returncode == 1
    with pytest.raises(CommandError, match="There is no system bm52") as wrong:
        call_command("retrieve", "--system", "bm52", **said)
    assert wrong.value.returncode == 2


@pytest.mark.postgresql
def test_without_a_query_the_work_says_so(collection):
    queued = retrieval.request_retrieval(
        collection=collection, with_variants=False, systems=SOME, by=None, now=factories.NOW
    )
    list(retrieval.run(queued))
    with pytest.raises(CannotGoOn, match="nothing to retrieve"):
        list(retrieval.run(queued))
