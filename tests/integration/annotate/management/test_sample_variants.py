import json
from pathlib import Path

import pytest

from annotate.grades import ratings
from annotate.management import sample
from annotate.models import Work
from annotate.retrieval import scorers
from annotate.sample import loading
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)  # a thread renews leases meanwhile

VARIANTS = "".join(
    json.dumps({"variant_id": f"v{topic}{n}", "query_id": topic, "profile": "child", "number": n, "text": text}) + "\n"
    for topic, n, text in [("q1", 1, "tells of q1"), ("q1", 2, "what passage"), ("q2", 1, "passage d2.1")]
)


@pytest.fixture
def collection(settings, tmp_path, monkeypatch):
    """A small one in the place of the sample, with two of the systems."""
    settings.DATA_DIR = tmp_path
    listed = tmp_path / "variants.jsonl"
    listed.write_text(VARIANTS)
    monkeypatch.setattr(loading, "VARIANTS", listed)
    monkeypatch.setattr(scorers, "SYSTEMS", {name: scorers.SYSTEMS[name] for name in ("bm25", "tfidf")})
    made = factories.make_holes(factories.make_collection(), passages=8)
    factories.import_qrels(made, "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2) for p in range(1, 7)))
    return made


def test_variants_are_imported_searched_for_pooled_and_asked_about(collection):
    told = sample.load_variants(collection, lambda sentence: None)
    assert (told["variants"], told["variant_runs"]) == (3, 2)
    assert told["pairs"] == collection.pairs.filter(is_pooled=True).count() == 26
    model = collection.raters.get(name=told["model"])
    assert len(ratings.model_grades(model)) == 26
    assert json.loads(Path(told["plan"]).read_text()) == {"after": f"reference,adjudicated,people,model:{model.name}"}
    assert f"--kind profiles --plan {told['plan']}" in sample.next_command(told)


def test_a_second_time_nothing_is_done_again(collection):
    first = sample.load_variants(collection, lambda sentence: None)
    kinds = list(Work.objects.values_list("kind", flat=True))
    assert sample.load_variants(collection, lambda sentence: None) == first
    assert sorted(Work.objects.values_list("kind", flat=True)) == sorted([*kinds, "pool"])
