import pytest

from annotate.pairs import pair_states
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql
def test_the_named_columns_of_each_row_are_written_and_no_others():
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=3)
    first, second, third = collection.pairs.order_by("pk")
    second.duplicate_of, second.withdrawn_reason, second.best_rank = first, "not written", None
    third.best_rank = 7
    pair_states.store_columns([second, third], ["duplicate_of_id", "best_rank"])
    stored = list(collection.pairs.order_by("pk").values_list("duplicate_of", "best_rank", "withdrawn_reason"))
    assert stored == [(None, 1, ""), (first.pk, None, ""), (None, 7, "")]


def test_no_rows_are_no_statement(django_assert_num_queries):
    with django_assert_num_queries(0):
        pair_states.store_columns([], ["best_rank"])
