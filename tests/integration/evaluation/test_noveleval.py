"""NovelEval, whose scale is 0-2, goes the whole way: imported, judged, compared, scored and exported."""

from math import log2

import pytest

from annotate.exports import operations as exports_operations
from annotate.grades import holes
from annotate.models import Judgment
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.work import kept_files
from tests import factories, shared_data, visitors
from tests.integration.evaluation import comparing

pytestmark = pytest.mark.django_db
NDCG = "nDCG@10"


def content(name):
    return shared_data.path("noveleval", name).read_bytes()


def graded():
    """Topic, passage and grade of each line, in the order of the file."""
    lines = [line.split() for line in content("qrels.txt").decode().splitlines()]
    return [(query_id, passage_id, int(grade)) for query_id, _, passage_id, grade in lines]


def ndcg(grades):
    """Of a ranking that holds all passages of its topic."""

    def dcg(ranked):
        return sum(grade / log2(rank + 1) for rank, grade in enumerate(ranked[:10], start=1))

    return dcg(grades) / dcg(sorted(grades, reverse=True))


@pytest.fixture
def collection():
    """All graded passages, ranked by a run in the order of the file; one grade 1 and two grades 2 made holes."""
    made = factories.make_collection(scale="0-2")
    factories.import_text(made, "TOPICS", content("queries.tsv"), name="queries.tsv")
    factories.import_text(made, "PASSAGES", content("corpus.tsv"), name="corpus.tsv")
    factories.import_qrels(made, content("qrels.txt"), rater="authors")
    run = "".join(f"{q} Q0 {p} {rank} {1000 - rank} as-filed\n" for rank, (q, p, _) in enumerate(graded(), start=1))
    factories.import_text(made, "RUN", run)
    factories.build_pool(made, depth=20)
    pooling.draw_holes(collection=made, fraction=0.025, chosen=[1, 2], seed=1, by=None, now=factories.NOW)
    made.refresh_from_db()
    return made


def test_a_collection_of_three_grades_goes_the_whole_way(collection):
    assert (collection.topics.count(), collection.passages.count(), holes.count_holes(collection)) == (21, 420, 3)
    assessor = factories.make_assessor(collection)
    for grade in (2, 1, 2):
        factories.judge(assessor, grade)
    said = {
        (judgment.pair.topic.query_id, judgment.pair.passage_id): judgment.grade
        for judgment in Judgment.objects.select_related("pair__topic")
    }

    figures = comparing.compare(collection, "dropped", "people").figures
    before = {(query_id, passage_id): grade for query_id, passage_id, grade in graded()}
    assert (figures.n, figures.confusion.shape, figures.relevant_from) == (3, (3, 3), 2)
    assert figures.share_equal.value == pytest.approx(sum(before[pair] == grade for pair, grade in said.items()) / 3)

    after = before | said
    by_topic = {}
    for (query_id, _), grade in after.items():
        by_topic.setdefault(query_id, []).append(grade)
    mean = sum(map(ndcg, by_topic.values())) / len(by_topic)
    address = {"rule": "reference,people", "other": "", "measure": NDCG}
    page = visitors.researcher(collection).get(f"/c/{collection.slug}/leaderboard/", address)
    assert f"as-filed {mean:.4f}" in visitors.words(page)

    rule = completion.parse_rule("reference,people")
    export = exports_operations.freeze(collection=collection, rule=rule, by=None, now=factories.NOW)
    lines = (kept_files.path(export.path) / "qrels.txt").read_text().splitlines()
    assert sorted(lines) == sorted(
        f"{query_id} 0 {passage_id} {grade}" for (query_id, passage_id), grade in after.items()
    )
