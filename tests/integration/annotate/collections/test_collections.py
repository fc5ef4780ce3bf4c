import pytest

from annotate.collections.operations import collections
from annotate.formats.records import GradeScale
from annotate.models import Collection
from tests.factories import NOW


@pytest.mark.django_db
def test_a_title_that_no_row_can_hold_is_refused_on_either_database():
    with pytest.raises(collections.CannotChange, match="has 201 characters; it may have 200"):
        collections.create_collection(slug="c", title="t" * 201, scale=GradeScale(0, 3), by=None, now=NOW)
    assert not Collection.objects.exists()
