"""Systems on query variants, scored by the grades of the variants' topics; nothing else follows their runs."""

import pytest

from annotate.draws import queries as draws_queries
from annotate.grades import holes, ratings
from annotate.models import ImportedFile, Pair
from annotate.rules import completion
from evaluation.findings import influence, variants
from evaluation.findings.leaderboard import comparisons, scores
from evaluation.inputs import facts
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
RULE = completion.parse_rule("reference,adjudicated,people")
# Topic q1: 1 is relevant, 0 is not; q2 has no grade.
MAPPING = "w1\tq1\tchild\t1\nw2\tq1\texpert\t1\nw3\tq2\tchild\t1\n"


@pytest.fixture
def collection():
    collection = small.with_qrels("q1 yes 1, q1 no 0")
    small.add_run(collection, "yes>no")
    small.add_run(collection, "no>yes")
    factories.build_pool(collection)
    return collection


def add_variants(collection):
    factories.import_text(collection, "VARIANTS", MAPPING)


def add_variant_run(collection, tag, **firsts):
    text = "".join(f"{variant} Q0 {passage} 1 1 {tag}\n" for variant, passage in firsts.items())
    factories.import_text(collection, "RUN", text, ranks_variants=True)


def test_the_grades_are_those_of_the_topic_and_files_of_one_tag_one_system(collection):
    add_variants(collection)
    add_variant_run(collection, "yes>no", w1="yes", unknown="yes")
    add_variant_run(collection, "yes>no", w2="no", w3="yes")
    add_variant_run(collection, "other", w1="new")
    found = variants.score_variants(collection, RULE, "P@1")
    assert [(each.variant_id, each.profile) for each in found.variants] == [("w1", "child"), ("w2", "expert")]
    assert (found.on_variants.systems, found.on_variants.topics) == (("other", "yes>no"), ("w1", "w2"))
    assert found.on_variants.values.tolist() == [[0, 0], [1, 0]]
    assert found.on_variants.missing() == {"other": ["w2"]}
    assert (found.on_seeds.systems, found.on_seeds.values.tolist()) == (("no>yes", "yes>no"), [[0], [1]])


def test_judged_at_ten_tells_what_is_missing(collection):
    add_variants(collection)
    add_variant_run(collection, "other", w1="yes", w2="new")
    assert variants.score_variants(collection, RULE, "Judged@1").on_variants.values.tolist() == [[1, 0]]


def test_all_ranks_are_looked_at_where_the_measure_does(collection):
    add_variants(collection)
    add_variant_run(collection, "other", w1="yes", w2="yes")
    assert variants.score_variants(collection, RULE, "AP").on_variants.values.tolist() == [[1, 1]]


def test_a_collection_without_variants_has_no_scores(collection):
    found = variants.score_variants(collection, RULE)
    assert (found.variants, found.on_variants.systems, found.on_variants.topics) == ((), (), ())


def test_the_fingerprint_tells_every_change_of_variants_and_their_runs(collection):
    changes = [
        lambda: add_variants(collection),
        lambda: add_variant_run(collection, "other", w1="yes"),
        lambda: ImportedFile.objects.filter(kind="VARIANTS").update(state="WITHDRAWING"),
    ]
    seen = {facts.fingerprint_variants(collection)}
    for number, change in enumerate(changes, start=2):
        change()
        seen.add(facts.fingerprint_variants(collection))
        assert len(seen) == number


def found_of_topics(collection):
    """All that is told of the systems on the topics' own queries, and of what rests on them."""
    collection.refresh_from_db()
    board = scores.compute_leaderboard(collection, RULE, ["nDCG@10"], with_ranges=True)
    shift = comparisons.compare_rules(collection, RULE, completion.parse_rule("original"), "nDCG@10")
    sample = draws_queries.plan_sample(collection, draws_queries.Plan(share=1))
    return {
        "leaderboard": [(each.run_tag, each.place, each.by_measure, each.missing_topics) for each in board.systems],
        "judged topics": board.topics,
        "by run": holes.holes_by_run(collection),
        "comparison": (shift.shift, shift.pairs, shift.swapped),
        "export": factories.export_files(collection, RULE)[0],
        "sample": sample.topics,
        "design": {**draws_queries.describe_design(collection, sample), "model": None},
        "reference": ratings.digest_reference(collection.reference_rater),
        "stamp": facts.fingerprint(collection, ()),
        "one topic": scores.list_ranking(collection, "no>yes", "q1", [RULE], 10),
    }


def test_nothing_else_follows_runs_of_variants(collection):
    factories.import_text(collection, "PASSAGES", "yes\t1\nno\t0\nnew\tn\nhole\th\n")
    small.add_run(collection, "hole>yes")
    factories.build_pool(collection)
    before, influences = found_of_topics(collection), vars(influence.compute_influence(collection))
    add_variants(collection)
    add_variant_run(collection, "no>yes", w1="new", w2="yes", w3="new")
    assert found_of_topics(collection) == before
    assert vars(influence.compute_influence(collection)) == influences

    factories.build_pool(collection)
    assert Pair.objects.filter(collection=collection, is_pooled=True, passage_id="new").count() == 2
    export, board = before.pop("export"), found_of_topics(collection)
    assert board.pop("export")["qrels.txt"] == export["qrels.txt"]
    assert board == before
    moved, told = influence.compute_influence(collection).value, influences["value"]
    assert (moved["moving"], moved["holes"]) == (told["moving"], told["holes"] + 2)
    assert moved["top"] == told["top"]
