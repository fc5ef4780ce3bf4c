"""How label sets favour what the topics' own queries find, worked out by hand."""

import pytest
from django.urls import reverse

from annotate.models import Collection
from annotate.suggestions.operations import prompts
from annotate.texts import operations as variants_operations
from annotate.work import engine
from evaluation.findings import variants
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """Against the query `s` is relevant, against the backstory `v`: the topics' run finds s, the variants' run v."""
    made = small.with_qrels("q1 s 0", "q1 s 3, q1 v 0, q2 s 3, q2 v 0")
    factories.import_qrels(made, small.lines("q1 s 0, q1 v 3, q2 s 0, q2 v 3"), rater="told", kind="MODEL")
    small.add_run(made, "s")
    return made


def ask(collection: Collection, *names: str):
    return visitors.researcher(collection).get(reverse("seed_bias", args=[collection.slug]), {"raters": names})


def add_variant_run(collection: Collection, tag: str, passage: str) -> None:
    profile = prompts.use_built_in_profile(collection=collection, name="child", now=factories.NOW)
    lines = []
    for topic in collection.topics.all():
        made = variants_operations.add_variants(
            collection=collection, topic=topic, profile=profile, texts=["one", "two"], now=factories.NOW
        )
        lines += [f"{one.variant_id} Q0 {passage} 1 1.0 {tag}" for one in made]
    factories.import_text(collection, "RUN", "\n".join(lines), ranks_variants=True)


def test_the_same_system_with_both_is_compared_under_each_label_set(collection):
    add_variant_run(collection, "s", "v")
    ask(collection, "gpt", "told")
    engine.run_waiting()
    found = ask(collection, "gpt", "told").context["found"]
    assert (found["topics"], found["seed_systems"], found["is_same"], found["reason"]) == (2, 1, True, "")
    query, told = found["rows"]
    assert (query["seed"], query["variants"], query["difference"]) == (1.0, 0.0, 1.0)
    assert (told["seed"], told["variants"], told["difference"]) == (0.0, 1.0, -1.0)
    assert (query["interval"]["low"], query["interval"]["high"], query["interval"]["n"]) == (1.0, 1.0, 2)
    assert (query["beside_first"], query["beside_interval"]) == (None, None)
    assert (told["beside_first"], told["beside_interval"]["low"]) == (-2.0, -2.0)
    assert (query["seed_relevant"], query["variants_relevant"], query["variants_graded"]) == (1.0, 0.0, 4)


def test_the_interval_is_over_topics_and_one_topic_has_none(collection):
    """Of `half` the differences of the two topics are -1 and 0; `one` grades the first topic alone."""
    for name, grades in {"half": "q1 s 0, q1 v 3, q2 s 0, q2 v 0", "one": "q1 s 0, q1 v 3"}.items():
        factories.import_qrels(collection, small.lines(grades), rater=name, kind="MODEL")
    add_variant_run(collection, "s", "v")
    (half,) = variants.compute_bias(collection, ["half"])["rows"]
    assert (half["difference"], half["interval"]["low"], half["interval"]["high"]) == (-0.5, -1.0, 0.0)
    (one,) = variants.compute_bias(collection, ["one"])["rows"]
    assert one["difference"] == -1.0
    assert one["interval"]["low"] is None and "two of them or more" in one["interval"]["reason"]


def test_the_table_is_taken_home_once_it_is_computed(collection):
    add_variant_run(collection, "s", "v")
    visitor = visitors.researcher(collection)
    said = {"raters": ["gpt", "told"]}
    address = reverse("seed_bias_table", args=[collection.slug, "csv"])
    assert visitor.get(address, said).status_code == 202
    engine.run_waiting()
    lines = visitor.get(address, said).content.decode().splitlines()
    assert any(line.startswith("told,0.0,1.0,-1.0,-1.0,-1.0,") for line in lines)
    assert visitor.get(reverse("seed_bias_table", args=[collection.slug, "tex"]), said).status_code == 200
    assert visitor.get(reverse("seed_bias_table", args=[collection.slug, "xls"]), said).status_code == 404
    assert visitor.get(address, {"raters": ["nobody"]}).status_code == 422
    assert visitors.stranger().get(address, said).status_code == 404


@pytest.mark.postgresql
def test_systems_that_ran_with_one_kind_only_are_compared_with_a_warning(collection):
    add_variant_run(collection, "other", "v")
    ask(collection, "gpt")
    engine.run_waiting()
    assert "No system ran with both" in visitors.words(ask(collection, "gpt"))


def test_without_runs_of_variants_the_share_of_relevant_passages_is_what_can_be_said(collection):
    assert "are being computed" in visitors.words(ask(collection, "gpt", "told"))
    engine.run_waiting()
    page = ask(collection, "gpt", "told")
    assert "there are no runs of query variants" in visitors.words(page)
    assert [(row["variants"], row["difference"]) for row in page.context["found"]["rows"]] == [(None, None)] * 2
    assert [row["seed_relevant"] for row in page.context["found"]["rows"]] == [1.0, 0.0]


def test_new_variants_make_the_finding_stale(collection):
    ask(collection, "gpt")
    engine.run_waiting()
    assert not ask(collection, "gpt").context["known"].is_stale
    add_variant_run(collection, "s", "v")
    assert ask(collection, "gpt").context["known"].is_stale


def test_without_any_run_nothing_is_a_number(db):
    made = small.with_qrels("q1 s 0", "q1 s 3")
    found = variants.compute_bias(made, ["gpt"])
    assert found["rows"][0] == {
        "rater": "gpt", "seed": None, "variants": None, "difference": None, "interval": None,
        "beside_first": None, "beside_interval": None, "seed_graded": 0, "seed_ranks": 0,
        "seed_relevant": None, "variants_graded": 0, "variants_ranks": 0, "variants_relevant": None,
    }  # fmt: skip


@pytest.mark.parametrize("names", [[], ["nobody"], ["nist"]])
def test_who_is_no_model_rater_is_refused(collection, names):
    page = ask(collection, *names)
    assert page.status_code == 422


def test_only_researchers_see_it(collection):
    address = reverse("seed_bias", args=[collection.slug])
    assert visitors.assessor(collection).get(address).status_code == 403
    assert visitors.stranger().get(address).status_code == 404
