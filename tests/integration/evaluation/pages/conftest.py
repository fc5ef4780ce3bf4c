"""Pages as their text, for tests that read the figures on them."""

import pytest
from django.http import HttpResponse

from annotate.models import Collection
from tests import visitors


@pytest.fixture
def read():
    """`read(collection, page, **address)`: the answer to the researcher, with what a person reads in `.words`."""

    def read(collection: Collection, page: str, /, **address: str) -> HttpResponse:
        answer = visitors.researcher(collection).get(f"/c/{collection.slug}/{page}/", address)
        answer.words = visitors.words(answer)
        return answer

    return read
