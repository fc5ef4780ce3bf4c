"""Runs whose queries are query variants: kept beside those of topics, pooled for the topic, seen by nobody else."""

import pytest

from annotate.adjudication import queries as adjudication_queries
from annotate.collections import queries as collections_queries
from annotate.draws import queries as draws_queries
from annotate.grades import holes, rankings
from annotate.home import queries as home_queries
from annotate.imports.operations import withdrawals
from annotate.models import ImportedFile, Run
from annotate.work import engine
from tests import factories

pytestmark = pytest.mark.django_db

MAPPING = "".join(f"w{n}\tq{n % 2 + 1}\tchild\t{n}\n" for n in range(1, 7))


@pytest.fixture
def collection():
    collection = factories.make_collection()
    factories.make_holes(collection)
    factories.import_text(collection, "VARIANTS", MAPPING)
    return collection


def import_run(collection, *lines, tag="bm25", **options):
    text = "".join(f"{query_id} Q0 {passage_id} 1 {score} {tag}\n" for query_id, passage_id, score in lines)
    return factories.import_text(collection, "RUN", text, **{"ranks_variants": True} | options)


def withdraw(imported):
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)
    engine.run(engine.claim(work_id=queued.pk))


def pooled(collection):
    return set(collection.pairs.filter(is_pooled=True).values_list("topic__query_id", "passage_id"))


def test_it_is_kept_and_unknown_variants_are_counted(collection):
    imported = import_run(collection, ("w1", "d1", 2), ("w9", "d1", 1))
    run = Run.objects.get(source=imported)
    assert (imported.state, run.ranks_variants, run.topics, run.ranks) == ("PUBLISHED", True, 1, 2)
    assert imported.note == "1 of its 2 query variants are in the collection; the others are kept aside."


def test_several_files_share_one_tag_and_rank_no_variant_twice(collection):
    import_run(collection, ("w1", "d1", 2), tag="first")
    assert import_run(collection, ("w2", "d1", 2), tag="first").state == "PUBLISHED"
    again = import_run(collection, ("w3", "d1", 2), ("w2", "d9", 2), tag="first")
    [two] = ImportedFile.objects.filter(kind="RUN", runs__tag="first", options__ranks_variants=True).order_by("-pk")[:1]
    assert again.faults == [f"{again.name}, line 1: the run 'first' ranks query variant 'w2' already, in {two.name}"]
    assert [run.tag for run in rankings.published_variant_runs(collection)] == ["first", "first"]


def test_a_run_of_topics_and_one_of_variants_may_have_one_tag(collection):
    assert import_run(collection, ("w1", "d1", 2), tag="first").state == "PUBLISHED"
    assert import_run(collection, ("q1", "d1", 2), tag="other", ranks_variants=False).state == "PUBLISHED"
    third = import_run(collection, ("q2", "d1", 2), tag="other", ranks_variants=False)
    assert "the run 'other' is in the collection already" in third.faults[0]


@pytest.mark.parametrize(
    ("ids", "ranks_variants", "reason"),
    [
        (["q1", "w1"], True, "it ranks both topics ('q1') and query variants ('w1'): make two files of it, two runs"),
        (["w1", "q1"], False, "it ranks both topics ('q1') and query variants ('w1'): make two files of it, two runs"),
        (
            ["q1"],
            True,
            "none of its query ids is a query variant of the collection; they are topics: import it as a run of topics",
        ),  # fmt: skip
        (
            ["w1"],
            False,
            "none of its topics is in the collection; they are query variants: import it as a run of query variants",
        ),  # fmt: skip
        (["x"], True, "none of its query ids is a query variant of the collection; import the query variants first"),
        (["x"], False, "none of its topics is in the collection; import the topics first"),
    ],
)
def test_a_run_that_is_not_what_it_is_said_to_be_is_refused(collection, ids, ranks_variants, reason):
    refused = import_run(collection, *[(name, "d1", 1) for name in ids], ranks_variants=ranks_variants)
    assert (refused.state, refused.faults) == ("REFUSED", [f"{refused.name}: {reason}"])


def test_its_top_is_pooled_for_the_topic_and_leaves_with_it(collection):
    before = pooled(collection)
    imported = import_run(collection, ("w1", "new", 2), ("w1", "deep", 1), ("w3", "new", 2), ("w3", "d2.1", 1))
    assert collections_queries.count_facts(collection).is_pool_old
    factories.build_pool(collection, depth=1)
    entered = pooled(collection) - before
    assert entered == {("q2", "new")}
    assert {(topic.query_id, topic.holes) for topic in holes.holes_by_topic(collection)} == {("q1", 1), ("q2", 2)}
    factories.build_pool(collection, depth=10)
    assert pooled(collection) - before == {("q2", "new"), ("q2", "deep")}
    withdraw(imported)
    factories.build_pool(collection, depth=10)
    assert pooled(collection) == before


def test_a_run_that_is_not_pooled_brings_nothing_in(collection):
    before = pooled(collection)
    import_run(collection, ("w1", "new", 2), is_pooled=False)
    factories.build_pool(collection)
    assert pooled(collection) == before


def test_what_it_ranks_for_variants_that_were_withdrawn_leaves_the_pool(collection):
    before = pooled(collection)
    import_run(collection, ("w1", "new", 2))
    withdraw(ImportedFile.objects.get(kind="VARIANTS"))
    assert collections_queries.count_facts(collection).is_pool_old
    factories.build_pool(collection)
    assert pooled(collection) == before


def test_runs_of_topics_stay_among_themselves(collection):
    runs, by_run, design = (
        rankings.published_runs(collection),
        holes.holes_by_run(collection),
        draws_queries.list_pooled_runs(collection),
    )
    import_run(collection, ("w1", "new", 2))
    assert rankings.published_runs(collection) == runs
    assert holes.holes_by_run(collection) == by_run
    assert draws_queries.list_pooled_runs(collection) == design


@pytest.mark.postgresql
def test_the_overview_counts_it_apart(collection):
    import_run(collection, ("w1", "new", 2))
    facts = collections_queries.count_facts(collection)
    assert (facts.runs, facts.variants, facts.variant_runs) == (1, 6, 1)
    line = home_queries.list_stages(collection, facts, adjudication_queries.count_disputes(collection))
    assert "6 query variants, 1 run of them" in line[0].counts
    assert line[6].counts == ("1 run",)
