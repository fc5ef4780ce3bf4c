import pytest

from annotate.imports.operations import uploads
from annotate.models import Run
from tests import factories

pytestmark = pytest.mark.django_db


def test_the_runs_of_a_systems_tag_get_the_families_in_one_spelling_and_no_other_run():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    factories.import_text(collection, "VARIANTS", "v1\tq1\tchild\t1\n")
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 2 bm25\n")
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 2 dense\n")
    of_variants = factories.import_text(collection, "RUN", "v1 Q0 d1 1 2 bm25\n", ranks_variants=True)
    uploads.change_families(imported=of_variants, families=" GPT ,, BERT")
    assert list(Run.objects.order_by("pk").values_list("tag", "model_family")) == [
        ("bm25", "GPT, BERT"),
        ("dense", ""),
        ("bm25", "GPT, BERT"),
    ]
