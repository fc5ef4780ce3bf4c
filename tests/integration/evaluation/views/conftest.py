"""Pages as their text, for tests that read the figures on them."""

import html
import re

import pytest


@pytest.fixture
def read(client):
    """`read(collection, page, **address)` signs the researcher in and gives the answer; its words are in `.words`."""

    def read(collection, page, **address):
        client.force_login(collection.created_by)
        answer = client.get(f"/c/{collection.slug}/{page}/", address)
        answer.words = words(answer.content.decode())
        return answer

    return read


def words(page: str) -> str:
    """What a page says, without its tags, in single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
